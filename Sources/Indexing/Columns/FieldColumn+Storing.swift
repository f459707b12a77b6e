internal import CText

/// Columns as bytes: a header of 64-bit numbers with a checksum, the numbers of the books, and the table.
extension FieldColumn {
    /// The number of 64-bit numbers of the header.
    private static let headCount = 12

    /// Calls `write` with the bytes of the column, in order.
    public func store<Failure: Error>(
        _ write: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        let counts = table.counts
        let (kind, layout) = (UInt64(kind.rawValue), table.layout)
        let numberBytes = UnsafeRawBufferPointer(numbers)
        let padding = [UInt8](repeating: 0, count: -numberBytes.count & 7)
        let sizes = [
            counts.doubles, counts.entryEnds, counts.entryValues, counts.foldedEnds, counts.spellingEnds,
            counts.foldedText, counts.spellingText,
        ]
        let flags: [UInt64] = [kind, layout.isList ? 1 : 0, layout.isCollated ? 1 : 0]
        var head = flags + [UInt64(bookCount)] + sizes.map { UInt64($0) }
        head.append(Self.checksum([head.withUnsafeBytes { $0.checksum }], [numberBytes] + table.parts))
        func pass(_ bytes: UnsafeRawBufferPointer) throws(Failure) { if !bytes.isEmpty { try write(bytes) } }
        let heading = head.withUnsafeBytes { bytes in Result { () throws(Failure) in try pass(bytes) } }
        try heading.get()
        try pass(numberBytes)
        let filled = padding.withUnsafeBytes { bytes in Result { () throws(Failure) in try pass(bytes) } }
        try filled.get()
        for part in table.parts { try pass(part) }
    }

    private static func checksum(_ first: [UInt64], _ parts: [UnsafeRawBufferPointer]) -> UInt64 {
        (first + parts.map(\.checksum)).withUnsafeBytes { $0.checksum }
    }

    /// Creates a column of bytes that another process may have written, which belong to `owner` and are aligned to 8 bytes;
    /// fails if they are not those of a column. Linear in the column.
    public convenience init?(checking bytes: UnsafeRawBufferPointer, owner: AnyObject) {
        let headSize = Self.headCount * 8
        guard bytes.count >= headSize else { return nil }
        let head = (0..<Self.headCount).map { bytes.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self) }
        let numbersOfElements = head[3..<11].map { Int(exactly: $0) ?? .max }
        guard let kind = UInt8(exactly: head[0]).flatMap(Kind.init), head[1] <= 1, head[2] <= 1,
            numbersOfElements.allSatisfy({ $0 <= bytes.count })
        else { return nil }
        let layout = ColumnTable.Layout(kind: kind, isList: head[1] == 1, isCollated: head[2] == 1)
        let counts = ColumnTable.Counts(
            doubles: numbersOfElements[1], entryEnds: numbersOfElements[2], entryValues: numbersOfElements[3],
            foldedEnds: numbersOfElements[4], spellingEnds: numbersOfElements[5], foldedText: numbersOfElements[6],
            spellingText: numbersOfElements[7])
        let bookCount = numbersOfElements[0]
        let tableStart = headSize + (bookCount * 4 + 7) / 8 * 8
        guard bytes.count == tableStart + counts.byteCount else { return nil }
        let numberBytes = UnsafeRawBufferPointer(rebasing: bytes[headSize..<headSize + bookCount * 4])
        let table = ColumnTable(
            UnsafeRawBufferPointer(rebasing: bytes[tableStart...]), owner: owner, layout, counts)
        let headChecksum = UnsafeRawBufferPointer(rebasing: bytes.prefix(headSize - 8)).checksum
        guard Self.checksum([headChecksum], [numberBytes] + table.parts) == head[11], table.isSound,
            bytes[headSize + bookCount * 4..<tableStart].allSatisfy({ $0 == 0 })
        else { return nil }
        let numbers = numberBytes.bindMemory(to: UInt32.self)
        self.init(numbers, owner: owner, table)
        guard Int(numbers.max() ?? 0) <= entryCount else { return nil }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate var checksum: UInt64 { cs_hash(baseAddress, count) }
}
