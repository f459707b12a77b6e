internal import Books
internal import JSON

/// An empty array of a file in which the first records of a catalog are written.
struct EmptyRecordList {
    /// The bytes between the brackets.
    let range: Range<Int>
    /// The layout of the file.
    private let style: JSONStyle
    /// The indent of the line on which the array begins.
    private let margin: [UInt8]

    /// Finds the first empty array at one of `paths`, each of which selects the elements of an array; fails if there is
    /// none.
    init?(at paths: [FieldPath], in bytes: [UInt8]) {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let text = Array(bytes[start...])
        guard let root = try? LocatedValue(at: text) else { return nil }
        let found = paths.lazy.compactMap { path -> LocatedValue? in
            guard let names = path.namesOfArray else { return nil }
            return root.emptyArray(at: names[...])
        }
        guard let array = found.first else { return nil }
        range = start + array.range.lowerBound + 1..<start + array.range.upperBound - 1
        if root.items.isEmpty {
            style = JSONStyle()
            margin = []
        } else {
            var style = JSONStyle(of: root, in: text)
            style.hasInlineArrays = true
            self.style = style
            margin = Array(Self.indentOfLine(at: array.range.lowerBound, in: text))
        }
    }

    /// Returns a record as it is written in the array.
    func bytes(of record: JSONValue) -> [UInt8] {
        var bytes: [UInt8] = []
        style.write(record, margin: inner, to: &bytes)
        return bytes
    }

    /// Returns the text before each of `count` records between the brackets, and after the last one.
    func gaps(of count: Int) -> [[UInt8]] {
        (0...count).map { number in
            guard let lineBreak = style.lineBreak else { return number > 0 && number < count ? style.comma : [] }
            if number == count { return lineBreak + margin }
            return (number > 0 ? [UInt8(ascii: ",")] : []) + lineBreak + inner
        }
    }

    /// The indent of the records.
    private var inner: [UInt8] { style.lineBreak == nil ? margin : margin + style.indent }

    /// Returns the blanks and tabs at the beginning of the line of `offset`.
    private static func indentOfLine(at offset: Int, in text: [UInt8]) -> ArraySlice<UInt8> {
        let start = text[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return text[start..<offset].prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }
}

extension FieldPath {
    /// The names that lead from the root to an array, if the path selects the elements of one.
    fileprivate var namesOfArray: [String]? {
        guard let end = steps.firstIndex(of: .every) else { return nil }
        let names = leadingNames
        return names.count == end ? names : nil
    }
}

extension LocatedValue {
    /// Returns the empty array to which `names` lead; of duplicate keys, the last one counts.
    fileprivate func emptyArray(at names: ArraySlice<String>) -> LocatedValue? {
        switch content {
        case .array(let elements): names.isEmpty && elements.isEmpty ? self : nil
        case .object(let members):
            names.first.flatMap { name in members.last { $0.key?.text == name } }?
                .value.emptyArray(at: names.dropFirst())
        case .scalar: nil
        }
    }
}
