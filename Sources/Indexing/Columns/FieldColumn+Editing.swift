internal import Glibc
internal import Text

extension FieldColumn {
    /// A part of an edited catalog.
    public enum Piece: Sendable {
        /// Books of the column, none of which is in another piece.
        case books(Range<Int>)
        /// Another book.
        case book(ColumnBookValues)

        /// The number of books.
        var count: Int { if case .books(let books) = self { books.count } else { 1 } }
    }

    /// Returns the column of edited books, which consist of these pieces. Values that no book has any more are gone.
    /// Linear in the books, with an instruction or two for each, in the entries, and in the other books times the
    /// logarithm of the values.
    public func edited(by pieces: [Piece]) -> FieldColumn { ColumnEditing(self, pieces).column }
}

/// Where something is in a column: a value or an entry of it, or a new one before it.
private struct ColumnPlace: Hashable {
    /// The number of the value or of the entry.
    let old: Int
    let isNew: Bool

    /// The order among old and new ones.
    var order: Int { 2 * old + (isNew ? 0 : 1) }

    /// Finds a place among `count` sorted ones; `compare` returns whether one is before it, at it, or after it.
    init(among count: Int, _ compare: (Int) -> Int) {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            let order = compare(middle)
            if order == 0 {
                (old, isNew) = (middle, false)
                return
            }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        (old, isNew) = (low, true)
    }
}

/// A column that is being brought up to date.
private struct ColumnEditing {
    private let old: FieldColumn
    private let pieces: [FieldColumn.Piece]
    private var table: ColumnTable { old.table }

    init(_ old: FieldColumn, _ pieces: [FieldColumn.Piece]) { (self.old, self.pieces) = (old, pieces) }

    var column: FieldColumn {
        // The places of the values of other books.
        var places: [ColumnBookValues.Value: ColumnPlace] = [:]
        for case .book(let book) in pieces {
            for value in book.values where places[value] == nil { places[value] = old.place(of: value) }
        }
        let new = places.filter(\.value.isNew).keys.sorted { compare($0, $1) < 0 }
        let isEntryUsed = usedEntries
        let values = ColumnChanges(
            of: old.valueCount, keeping: isEntryUsed.map { usedValues($0, places) },
            adding: new.map { places[$0]?.old ?? 0 })
        var numbersOfNew: [ColumnBookValues.Value: UInt32] = [:]
        for (value, number) in zip(new, values.newNumbers) { numbersOfNew[value] = number }
        func number(of value: ColumnBookValues.Value) -> UInt32 {
            if let number = numbersOfNew[value] { return number }
            let old = places[value]?.old ?? 0
            return values.numbers?[old] ?? UInt32(truncatingIfNeeded: old)
        }
        let spellings = changedSpellings(places)
        var table = table
        if values.numbers != nil || !spellings.isEmpty {
            table = ColumnTable(
                valuesOf: edited(values, adding: new, spellings), entriesOf: table)
        }
        if !old.isList {
            return FieldColumn(
                numbers(mapped: values.numbers) { book in
                    book.values.first.map { number(of: $0) + 1 } ?? 0
                }, table)
        }
        let (entries, newEntries, numbersOfBooks) = entries(isEntryUsed, places, number)
        if entries.numbers != nil || values.numbers != nil {
            table = ColumnTable(
                valuesOf: table, entriesOf: edited(entries, adding: newEntries, values.numbers))
        }
        return FieldColumn(
            numbers(mapped: entries.numbers) { book in
                book.values.isEmpty ? 0 : numbersOfBooks[book.values.map(number)] ?? 0
            }, table)
    }

    // MARK: - What the other books have

    private func compare(_ one: ColumnBookValues.Value, _ other: ColumnBookValues.Value) -> Int {
        if one.number != other.number { return one.number < other.number ? -1 : 1 }
        let byKey = one.key.withUnsafeBufferPointer { key in other.key.withUnsafeBufferPointer { key.compared(to: $0) }
        }
        if byKey != 0 { return byKey }
        return one.folded.withUnsafeBufferPointer { text in
            other.folded.withUnsafeBufferPointer { text.compared(to: $0) }
        }
    }

    // MARK: - What stays

    /// Whether a book of the pieces has each entry; nil if all books stay.
    private var usedEntries: [Bool]? {
        var count = 0
        for case .books(let books) in pieces { count += books.count }
        if count == old.bookCount { return nil }
        var isUsed = [Bool](repeating: false, count: old.entryCount + 1)
        isUsed.withUnsafeMutableBufferPointer { isUsed in
            for case .books(let books) in pieces { for book in books { isUsed[Int(old.numbers[book])] = true } }
        }
        return Array(isUsed.dropFirst())
    }

    private func usedValues(_ isEntryUsed: [Bool], _ places: [ColumnBookValues.Value: ColumnPlace]) -> [Bool] {
        var isUsed = isEntryUsed
        if old.isList {
            isUsed = [Bool](repeating: false, count: old.valueCount)
            for entry in isEntryUsed.indices where isEntryUsed[entry] {
                for value in old.values(ofEntry: entry) { isUsed[value] = true }
            }
        }
        for place in places.values where !place.isNew { isUsed[place.old] = true }
        return isUsed
    }

    // MARK: - Spellings

    /// The spellings of values whose first book is another one now, by the value: of all new ones, and of old ones that
    /// are spelled in another way.
    private func changedSpellings(_ places: [ColumnBookValues.Value: ColumnPlace]) -> [ColumnBookValues.Value: String] {
        if !table.layout.isCollated || old.kind == .number { return [:] }
        var spellings: [ColumnBookValues.Value: String] = [:]
        var firstPositions: [Int: (value: ColumnBookValues.Value, position: Int)] = [:]
        var position = 0
        for piece in pieces {
            if case .book(let book) = piece {
                for (value, spelling) in zip(book.values, book.spellings) where spellings[value] == nil {
                    guard let place = places[value] else { continue }
                    spellings[value] = spelling
                    if !place.isNew { firstPositions[place.old] = (value, position) }
                }
            }
            position += piece.count
        }
        // Only the spelling of a value that is written in another way may have to change.
        for (old, first) in firstPositions where spellings[first.value] == self.old.spelling(ofValue: old) {
            spellings[first.value] = nil
            firstPositions[old] = nil
        }
        if firstPositions.isEmpty { return spellings }
        for (old, position) in firstBooks(with: Set(firstPositions.keys)) {
            if let first = firstPositions[old], position < first.position { spellings[first.value] = nil }
        }
        return spellings
    }

    /// Returns the position of the first book of the column that has each value, if there is one in the pieces.
    private func firstBooks(with values: Set<Int>) -> [Int: Int] {
        var isWanted = [Bool](repeating: false, count: old.entryCount + 1)
        if old.isList {
            for entry in 0..<old.entryCount where old.values(ofEntry: entry).contains(where: values.contains) {
                isWanted[entry + 1] = true
            }
        } else {
            for value in values { isWanted[value + 1] = true }
        }
        var found: [Int: Int] = [:]
        var position = 0
        for piece in pieces {
            if case .books(let books) = piece {
                for book in books where isWanted[Int(old.numbers[book])] {
                    for value in old.values(ofBook: book) where values.contains(value) && found[value] == nil {
                        found[value] = position + book - books.lowerBound
                    }
                    isWanted[Int(old.numbers[book])] = false
                }
            }
            position += piece.count
        }
        return found
    }

    // MARK: - Entries

    private func entries(
        _ isUsed: [Bool]?, _ places: [ColumnBookValues.Value: ColumnPlace], _ number: (ColumnBookValues.Value) -> UInt32
    ) -> (changes: ColumnChanges, new: [[UInt32]], numbers: [[UInt32]: UInt32]) {
        var isUsed = isUsed
        var found: [[UInt32]: ColumnPlace] = [:]
        for case .book(let book) in pieces where !book.values.isEmpty {
            let values = book.values.map(number)
            if found[values] != nil { continue }
            let orders = book.values.map { places[$0]?.order ?? 0 }
            let place = ColumnPlace(among: old.entryCount) { entry in
                let others = old.values(ofEntry: entry)
                for (other, order) in zip(others, orders) where 2 * other + 1 != order {
                    return 2 * other + 1 < order ? -1 : 1
                }
                return others.count - orders.count
            }
            found[values] = place
            if !place.isNew { isUsed?[place.old] = true }
        }
        let new = found.filter(\.value.isNew).keys.sorted { $0.lexicographicallyPrecedes($1) }
        let changes = ColumnChanges(of: old.entryCount, keeping: isUsed, adding: new.map { found[$0]?.old ?? 0 })
        var numbers: [[UInt32]: UInt32] = [:]
        for (values, place) in found where !place.isNew {
            numbers[values] = (changes.numbers?[place.old] ?? UInt32(truncatingIfNeeded: place.old)) + 1
        }
        for (values, number) in zip(new, changes.newNumbers) { numbers[values] = number + 1 }
        return (changes, new, numbers)
    }

    // MARK: - The edited column

    private func numbers(
        mapped map: [UInt32]?, _ number: (ColumnBookValues) -> UInt32
    ) -> (UnsafeBufferPointer<UInt32>, owner: AnyObject) {
        let count = pieces.reduce(0) { $0 + $1.count }
        let memory = ColumnMemory(byteCount: count * 4)
        let numbers = memory.elements(UInt32.self, count: count)
        guard let base = numbers.baseAddress, let source = old.numbers.baseAddress else {
            var next = 0
            for case .book(let book) in pieces {
                numbers[next] = number(book)
                next += 1
            }
            return (UnsafeBufferPointer(numbers), memory)
        }
        let shifted = map.map { [0] + $0.map { $0 + 1 } }
        var next = base
        for piece in pieces {
            switch piece {
            case .book(let book): next.pointee = number(book)
            case .books(let books):
                if let shifted {
                    shifted.withUnsafeBufferPointer { shifted in
                        for index in 0..<books.count { next[index] = shifted[Int(source[books.lowerBound + index])] }
                    }
                } else {
                    next.update(from: source + books.lowerBound, count: books.count)
                }
            }
            next += piece.count
        }
        return (UnsafeBufferPointer(numbers), memory)
    }

    /// Returns a table with only the edited values.
    private func edited(
        _ changes: ColumnChanges, adding new: [ColumnBookValues.Value], _ spellings: [ColumnBookValues.Value: String]
    ) -> ColumnTable {
        if old.kind == .number {
            let writer = ColumnTableWriter(table.layout, .init(doubles: changes.count))
            var (next, added) = (0, 0)
            for run in changes.runs {
                for _ in 0..<run.newCount {
                    writer.doubles[next] = new[added].number
                    (next, added) = (next + 1, added + 1)
                }
                for value in run.old {
                    writer.doubles[next] = table.doubles[value]
                    next += 1
                }
            }
            return writer.table
        }
        let folded = ColumnTextEdit(table.foldedText, table.foldedEnds, changes, new.map { $0.folded + [0x0A] })
        var counts = ColumnTable.Counts(foldedEnds: changes.count, foldedText: folded.byteCount)
        if !table.layout.isCollated {
            let writer = ColumnTableWriter(table.layout, counts)
            folded.write(writer.foldedText, writer.foldedEnds)
            return writer.table
        }
        var spelled = ColumnTextEdit(
            table.spellingText, table.spellingEnds, changes, new.map { Array((spellings[$0] ?? "").utf8) })
        for (value, spelling) in spellings {
            let place = old.place(of: value)
            if !place.isNew { spelled.replace(place.old, with: Array(spelling.utf8)) }
        }
        (counts.spellingEnds, counts.spellingText) = (changes.count, spelled.byteCount)
        let writer = ColumnTableWriter(table.layout, counts)
        folded.write(writer.foldedText, writer.foldedEnds)
        spelled.write(writer.spellingText, writer.spellingEnds)
        return writer.table
    }

    /// Returns a table with only the edited entries.
    private func edited(_ changes: ColumnChanges, adding new: [[UInt32]], _ numbers: [UInt32]?) -> ColumnTable {
        var count = new.reduce(0) { $0 + $1.count }
        func start(_ entry: Int) -> Int { entry == 0 ? 0 : Int(table.entryEnds[entry - 1]) }
        for run in changes.runs { count += start(run.old.upperBound) - start(run.old.lowerBound) }
        let writer = ColumnTableWriter(table.layout, .init(entryEnds: changes.count, entryValues: count))
        var (next, end, added) = (0, 0, 0)
        for run in changes.runs {
            for _ in 0..<run.newCount {
                for value in new[added] {
                    writer.entryValues[end] = value
                    end += 1
                }
                writer.entryEnds[next] = UInt32(truncatingIfNeeded: end)
                (next, added) = (next + 1, added + 1)
            }
            let first = start(run.old.lowerBound)
            for position in first..<start(run.old.upperBound) {
                let value = table.entryValues[position]
                writer.entryValues[end + position - first] = numbers?[Int(value)] ?? value
            }
            for entry in run.old {
                writer.entryEnds[next] = UInt32(truncatingIfNeeded: end + Int(table.entryEnds[entry]) - first)
                next += 1
            }
            end += start(run.old.upperBound) - first
        }
        return writer.table
    }
}

extension FieldColumn {
    /// Returns the number of the text with this normalized form; nil if no book has it. Logarithmic.
    public func value(folded: [UInt8]) -> Int? {
        if kind == .number { return nil }
        var value = ColumnBookValues.Value(folded: folded)
        if table.layout.isCollated {
            var key = ByteBuffer()
            folded.withUnsafeBufferPointer { Collation.append($0, to: &key) }
            value.key = Array(key.bytes)
        }
        let place = place(of: value)
        return place.isNew ? nil : place.old
    }

    /// Finds a value among those of the column. Logarithmic.
    fileprivate func place(of value: ColumnBookValues.Value) -> ColumnPlace {
        var key = ByteBuffer()
        return ColumnPlace(among: valueCount) { compare($0, with: value, &key) }
    }

    /// Returns a negative number if a value of the column comes before another, and 0 if both are equal.
    ///
    /// - Parameter key: A buffer for the collation key.
    fileprivate func compare(
        _ number: Int, with value: ColumnBookValues.Value, _ key: inout ByteBuffer
    ) -> Int {
        if kind == .number {
            let other = self.number(ofValue: number)
            return other == value.number ? 0 : other < value.number ? -1 : 1
        }
        let folded = folded(ofValue: number)
        if table.layout.isCollated {
            key.count = 0
            Collation.append(folded, to: &key)
            let byKey = value.key.withUnsafeBufferPointer { UnsafeBufferPointer(key.bytes).compared(to: $0) }
            if byKey != 0 { return byKey }
        }
        return value.folded.withUnsafeBufferPointer { folded.compared(to: $0) }
    }

    fileprivate convenience init(_ numbers: (UnsafeBufferPointer<UInt32>, owner: AnyObject), _ table: ColumnTable) {
        self.init(numbers.0, owner: numbers.owner, table)
    }
}
