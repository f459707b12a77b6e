/// A table of messages without the full stop: the raw value of each case is its text.
///
/// A placeholder in braces is replaced by a value: `{count}` and `{row}` are numbers, `{key}` is the label of a key,
/// `{books}` is a title or a number of books, `{reason}` is a sentence of the operating system. Each module has its own
/// table, and one test checks the wording of all of them.
public protocol MessageTable: RawRepresentable<String>, CaseIterable, Hashable, Sendable {}

extension MessageTable {
    /// Returns the message with `values` in place of its placeholders, in their order.
    public func text(_ values: String...) -> String { text(values) }

    /// Returns the message with `values` in place of its placeholders, in their order.
    public func text(_ values: [String]) -> String {
        var text = ""
        var rest = rawValue[...]
        var remaining = values[...]
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            text += rest[..<start]
            text += remaining.popFirst() ?? ""
            rest = rest[rest.index(after: end)...]
        }
        assert(
            remaining.isEmpty && values.count == placeholders.count, "\(self) has \(placeholders.count) placeholders")
        text += rest
        return text
    }

    /// The names of the placeholders, in order: "count", "key".
    public var placeholders: [String] {
        rawValue.split(separator: "{", omittingEmptySubsequences: false).dropFirst()
            .compactMap { $0.split(separator: "}").first.map(String.init) }
    }
}
