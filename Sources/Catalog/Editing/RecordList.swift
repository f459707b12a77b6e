internal import JSON

/// The list that contains a record, as text: the ranges of its neighbours, and the separators between them.
struct RecordList {
    /// The kind of a list.
    enum Kind {
        /// An array of the file.
        case array
        /// One record per line.
        case lines
    }

    let text: CatalogText
    let kind: Kind

    /// Determines the list that contains the record at `offset`.
    ///
    /// - Throws: `CatalogEditError.notAList` if the record is the only value of the file or a member of an object.
    init(of offset: Int, in text: CatalogText, hasLines: Bool) throws(CatalogEditError) {
        self.text = text
        if hasLines {
            kind = .lines
            return
        }
        guard let before = try text.last(before: offset),
            before.byte == UInt8(ascii: "[") || before.byte == UInt8(ascii: ",")
        else { throw .notAList }
        kind = .array
    }

    // MARK: - Taking records out

    /// Returns the changes that remove the records at `ranges`, in file order, each with one comma or line end.
    func removal(of ranges: [Range<Int>]) throws(CatalogEditError) -> [TextSplice] {
        switch kind {
        case .lines: try removalOfLines(of: ranges)
        case .array: try removalFromArray(of: ranges)
        }
    }

    private func removalFromArray(of ranges: [Range<Int>]) throws(CatalogEditError) -> [TextSplice] {
        var splices: [TextSplice] = []
        // The first of consecutive records that are all removed.
        var runStart: Int?
        for (number, range) in ranges.enumerated() {
            let start = runStart ?? range.lowerBound
            guard let after = try text.next(from: range.upperBound) else { throw .endless }
            if after.byte == UInt8(ascii: ","), let next = try text.next(from: after.offset + 1) {
                if number + 1 < ranges.count, ranges[number + 1].lowerBound == next.offset {
                    runStart = start
                } else {
                    splices.append(TextSplice(start..<next.offset))
                    runStart = nil
                }
                continue
            }
            guard after.byte == UInt8(ascii: "]"), let before = try text.last(before: start) else { throw .endless }
            runStart = nil
            if before.byte == UInt8(ascii: ","), let previous = try text.last(before: before.offset) {
                splices.append(TextSplice(previous.offset + 1..<range.upperBound))
            } else {
                // The array becomes empty.
                splices.append(TextSplice(before.offset + 1..<after.offset))
            }
        }
        return splices
    }

    private func removalOfLines(of ranges: [Range<Int>]) throws(CatalogEditError) -> [TextSplice] {
        var lines: [Range<Int>] = []
        for range in ranges {
            let line = try line(of: range)
            if let last = lines.last, last.upperBound == line.lowerBound {
                lines[lines.count - 1] = last.lowerBound..<line.upperBound
            } else {
                lines.append(line)
            }
        }
        // If the last line has no line end, the line before it, which becomes the last, loses its own.
        if let last = lines.last, try text.bytes(in: last.upperBound - 1..<last.upperBound) != [UInt8(ascii: "\n")] {
            let before = try text.bytes(in: last.lowerBound - 2..<last.lowerBound)
            let length = before == [0x0D, 0x0A] ? 2 : before.last == 0x0A ? 1 : 0
            lines[lines.count - 1] = last.lowerBound - length..<last.upperBound
        }
        return lines.map { TextSplice($0) }
    }

    /// Returns the range of the line of a record with its line end, if it has one.
    func line(of range: Range<Int>) throws(CatalogEditError) -> Range<Int> {
        let before = try text.last(before: range.lowerBound)
        let start = if let before { before.offset + 1 } else { try startOfFile }
        let gap = try text.bytes(in: start..<range.lowerBound)
        // Blank lines before it are kept.
        let lineStart = gap.lastIndex(of: UInt8(ascii: "\n")).map { start + $0 + 1 } ?? start
        let next = try text.next(from: range.upperBound)
        let rest = try text.bytes(in: range.upperBound..<(next?.offset ?? range.upperBound + (1 << 16)))
        if let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
            return lineStart..<range.upperBound + newline + 1
        }
        return lineStart..<(next?.offset ?? range.upperBound + rest.count)
    }

    // MARK: - Putting records in

    /// Returns the change that inserts `record` after or before the one at `neighbour`.
    func insertion(
        of record: [UInt8], after isAfter: Bool, _ neighbour: Range<Int>
    ) throws(CatalogEditError) -> TextSplice {
        switch kind {
        case .array:
            let separator = try separator(beside: neighbour)
            let offset = isAfter ? neighbour.upperBound : neighbour.lowerBound
            return TextSplice(offset..<offset, isAfter ? separator + record : record + separator)
        case .lines:
            let line = try line(of: neighbour)
            let lineEnd = try lineEnd()
            if !isAfter {
                let start = max(line.lowerBound, neighbour.lowerBound)
                return TextSplice(start..<start, record + lineEnd)
            }
            let isEnded = try text.bytes(in: line.upperBound - 1..<line.upperBound) == [UInt8(ascii: "\n")]
            let end = isEnded ? line.upperBound : neighbour.upperBound
            return TextSplice(end..<end, isEnded ? record + lineEnd : lineEnd + record)
        }
    }

    /// Returns the range of the last item of the list that contains the record at `range`; it need not be a book.
    func lastItem(from range: Range<Int>) throws(CatalogEditError) -> Range<Int> {
        if case .lines = kind { return range }
        var last = range
        while true {
            guard let after = try text.next(from: last.upperBound) else { throw .endless }
            if after.byte == UInt8(ascii: "]") { return last }
            guard after.byte == UInt8(ascii: ","), let next = try text.next(from: after.offset + 1) else {
                throw .endless
            }
            last = next.offset..<(try text.end(ofValueAt: next.offset))
        }
    }

    /// Returns the comma between two records with the white space around it.
    private func separator(beside range: Range<Int>) throws(CatalogEditError) -> [UInt8] {
        if let after = try text.next(from: range.upperBound), after.byte == UInt8(ascii: ","),
            let next = try text.next(from: after.offset + 1)
        {
            return try text.bytes(in: range.upperBound..<next.offset)
        }
        guard let before = try text.last(before: range.lowerBound) else { throw .endless }
        if before.byte == UInt8(ascii: ","), let previous = try text.last(before: before.offset) {
            return try text.bytes(in: previous.offset + 1..<range.lowerBound)
        }
        let opening = try text.bytes(in: before.offset + 1..<range.lowerBound)
        return [UInt8(ascii: ",")] + (opening.contains(UInt8(ascii: "\n")) ? opening : [])
    }

    /// The line end of the first line.
    private func lineEnd() throws(CatalogEditError) -> [UInt8] {
        var offset = 0
        while true {
            let bytes = try text.bytes(in: offset..<offset + (1 << 16))
            if let newline = bytes.firstIndex(of: UInt8(ascii: "\n")) {
                return newline > 0 && bytes[newline - 1] == UInt8(ascii: "\r") ? [0x0D, 0x0A] : [0x0A]
            }
            if bytes.isEmpty { return [0x0A] }
            offset += bytes.count
        }
    }

    /// The offset after the byte-order mark, if there is one.
    private var startOfFile: Int {
        get throws(CatalogEditError) { try text.bytes(in: 0..<3) == [0xEF, 0xBB, 0xBF] ? 3 : 0 }
    }
}
