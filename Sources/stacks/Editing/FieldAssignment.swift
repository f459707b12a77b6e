internal import Books
internal import Graphemes
internal import Library

/// A change of a field on the command line: `year=1815`, `subjects+=Satire`, `authors-=Anonymous`.
struct FieldAssignment {
    /// The effect on the present values.
    enum Operation {
        /// The new values replace them.
        case set
        /// The new values are appended.
        case add
        /// The given values are removed.
        case remove
    }

    /// The field.
    let field: BookField
    /// The effect on the present values.
    let operation: Operation
    /// The value; nil clears the field.
    private let value: FieldValue?

    /// Whether `argument` has the form of an assignment. A name may have blanks and be in quotation marks.
    static func isAssignment(_ argument: String) -> Bool { parts(of: argument) != nil }

    /// Returns the name, with the sign of the operation, and the text after the equals sign; nil without a name.
    private static func parts(of argument: String) -> (name: Substring, text: String)? {
        if argument.first == "\"", let end = argument.dropFirst().firstIndex(of: "\"") {
            let rest = argument[argument.index(after: end)...]
            let sign = rest.prefix { $0 == "+" || $0 == "-" }
            guard rest.dropFirst(sign.count).first == "=" else { return nil }
            return (argument.dropFirst()[..<end] + sign, String(rest.dropFirst(sign.count + 1)))
        }
        guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else { return nil }
        let name = argument[..<equals]
        guard name.allSatisfy({ $0.isLetter || $0.isNumber || "+-_. ".contains($0) }) else { return nil }
        return (name, String(argument[equals...].dropFirst()))
    }

    /// Parses an assignment of a field of a catalog.
    ///
    /// - Throws: `CommandError` for an unknown field (64), or a value that the field does not accept (65).
    init(_ argument: String, of schema: Schema = .ofEveryBook) throws(CommandError) {
        var (name, text): (Substring, String) = Self.parts(of: argument) ?? (argument[...], "")
        switch name.last {
        case "+": (operation, name) = (.add, name.dropLast())
        case "-": (operation, name) = (.remove, name.dropLast())
        default: operation = .set
        }
        guard let field = schema.field(named: String(name)) else {
            let names = schema.fields.map(\.id).joined(separator: ", ")
            throw CommandError(
                sentence: Message.unknownField.text(String(name).sanitized, names), exitStatus: ExitStatus.usage)
        }
        if operation != .set, !field.isList {
            throw CommandError(
                sentence: Message.onlyLists.text(field.info.label, field.id), exitStatus: ExitStatus.usage)
        }
        self.field = field
        do throws(FieldInputError) {
            value = try FieldInput.value(
                of: field, text,
                // Any value that a catalog contains can be removed.
                besides: operation == .remove ? text : "")
        } catch {
            let sentence = error.text.isEmpty ? Message.titleNeeded.text() : error.sentence
            throw CommandError(sentence: sentence, exitStatus: ExitStatus.badData)
        }
    }

    /// Applies the assignment to `book`.
    func apply(to book: inout Book) {
        var value = value
        if operation != .set {
            var items: [FieldValue.Item] = []
            if case .list(let known)? = field.value(in: book) { items = known }
            if case .list(let named)? = self.value {
                if operation == .add {
                    items += named.filter { !items.contains($0) }
                } else {
                    items.removeAll { item in
                        named.contains { $0.text == item.text && ($0.tag == nil || $0.tag == item.tag) }
                    }
                }
            }
            value = items.isEmpty ? nil : .list(items)
        }
        if let value { field.set(value, in: &book) } else { field.clear(in: &book) }
    }
}
