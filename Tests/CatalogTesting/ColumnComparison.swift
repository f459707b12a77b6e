package import Indexing
internal import Text

/// What a column says, in a form that does not depend on how it is kept.
package struct ColumnContent: Equatable {
    /// A value: a normalized text, or a number.
    package enum Value: Hashable {
        case text([UInt8])
        case number(Double)
    }

    /// The distinct values in their order.
    package var values: [Value]
    /// The values of each book.
    package var books: [[Value]]
    /// The place of each book among the distinct combinations of values, from 1; 0 for none.
    package var places: [Int]
    /// The spellings of the values.
    package var spellings: [String]

    /// Reads a column.
    package init(_ column: FieldColumn) {
        let values = (0..<column.valueCount).map { value -> Value in
            column.kind == .number
                ? .number(column.number(ofValue: value)) : .text(Array(column.folded(ofValue: value)))
        }
        self.values = values
        books = (0..<column.bookCount).map { column.values(ofBook: $0).map { values[$0] } }
        places = column.numbers.map { Int($0) }
        spellings = (0..<column.valueCount).map { column.spelling(ofValue: $0) }
        var end = 0
        for value in 0..<column.valueCount where column.kind == .text {
            end += column.folded(ofValue: value).count + 1
            if Int(column.foldedEnds[value]) != end || column.foldedText[end - 1] != 0x0A { self.values = [] }
        }
    }

    /// Makes what a column says from the values of books, in the simplest way.
    ///
    /// - Parameter isCollated: Whether texts are in the order of their collation keys.
    package init(of books: [[ColumnMeaning]], isList: Bool, isCollated: Bool = true) {
        var spellings: [Value: String] = [:]
        func value(_ meaning: ColumnMeaning) -> Value? {
            switch meaning {
            case .nothing: return nil
            case .number(let number): return .number(number)
            case .text(let text):
                let cut = text.cut
                var folded = [UInt8](folding: cut)
                if folded.isEmpty { folded = cut.utf8.flatMap { $0 < 0x20 ? [0xE2, 0x90, 0x80 + $0] : [$0] } }
                if spellings[.text(folded)] == nil { spellings[.text(folded)] = isCollated ? cut : text }
                return .text(folded)
            }
        }
        func key(_ value: Value) -> ([UInt8], [UInt8], Double) {
            guard case .text(let folded) = value else {
                if case .number(let number) = value { return ([], [], number) }
                return ([], [], 0)
            }
            var key = ByteBuffer()
            if isCollated { folded.withUnsafeBufferPointer { Collation.append($0, to: &key) } }
            return (Array(key.bytes), folded, 0)
        }
        func isBefore(_ one: Value, _ other: Value) -> Bool {
            let (one, other) = (key(one), key(other))
            if one.0 != other.0 { return one.0.lexicographicallyPrecedes(other.0) }
            if one.1 != other.1 { return one.1.lexicographicallyPrecedes(other.1) }
            return one.2 < other.2
        }
        let found = books.map { meanings -> [Value] in
            let all = meanings.compactMap(value)
            var distinct: [Value] = []
            for value in all where !distinct.contains(value) { distinct.append(value) }
            return isList || distinct.count == 1 ? distinct : []
        }
        let values = Set(found.flatMap(\.self)).sorted(by: isBefore)
        var numbers: [Value: Int] = [:]
        for (number, value) in values.enumerated() { numbers[value] = number }
        let entries = found.map { $0.map { numbers[$0] ?? 0 } }
        let sorted = Set(entries).filter { !$0.isEmpty }.sorted { $0.lexicographicallyPrecedes($1) }
        (self.values, self.books) = (values, found)
        var ranks: [[Int]: Int] = [:]
        for (rank, entry) in sorted.enumerated() { ranks[entry] = rank + 1 }
        places = entries.map { ranks[$0] ?? 0 }
        self.spellings = values.map { spellings[$0] ?? "" }
    }
}

extension String {
    /// The beginning that a column keeps.
    fileprivate var cut: String {
        var (end, count) = (unicodeScalars.startIndex, 0)
        while end < unicodeScalars.endIndex {
            count += UTF8.width(unicodeScalars[end])
            if count > 2000 { break }
            end = unicodeScalars.index(after: end)
        }
        return String(unicodeScalars[..<end])
    }
}
