internal import Text

/// The values of one book for a column, ready to be compared with others.
public struct ColumnBookValues: Sendable {
    /// A value.
    struct Value: Hashable, Sendable {
        /// The number; 0 for a text.
        var number = 0.0
        /// The collation key and the normalized form; empty for a number.
        var key: [UInt8] = []
        var folded: [UInt8] = []

        static func == (one: Value, other: Value) -> Bool { one.number == other.number && one.folded == other.folded }

        func hash(into hasher: inout Hasher) {
            hasher.combine(number)
            hasher.combine(folded)
        }
    }

    /// The distinct values.
    let values: [Value]
    /// How the book spells them; empty for numbers and names.
    let spellings: [String]

    /// Creates the values of a book from what they mean.
    public init(_ meanings: [ColumnMeaning]) {
        var text = ColumnText()
        var (values, spellings): ([Value], [String]) = ([], [])
        for meaning in meanings {
            let value: Value
            switch meaning {
            case .nothing: continue
            case .number(let number): value = Value(number: number == 0 ? 0 : number)
            case .text(let string):
                text.read(string)
                value = Value(key: Array(text.key.bytes), folded: Array(text.folded.bytes))
            }
            if values.contains(value) { continue }
            values.append(value)
            if case .text(let string) = meaning { spellings.append(string.cutForColumn) }
        }
        (self.values, self.spellings) = (values, spellings)
    }

    /// Creates the values of a book from the lines of a field in its text.
    public init(of field: IndexedTextField, in text: IndexedText) {
        var values: [Value] = []
        for line in text where line.kind == field {
            let value = Value(folded: Array(line.columnName))
            if !value.folded.isEmpty, !values.contains(value) { values.append(value) }
        }
        (self.values, spellings) = (values, [])
    }
}
