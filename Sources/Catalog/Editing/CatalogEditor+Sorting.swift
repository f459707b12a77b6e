public import Indexing
internal import JSON

/// Sorting all records of a file.
extension CatalogEditor {
    /// Puts the records into another order. What stands between them, such as commas and records that are not books, stays
    /// where it is.
    ///
    /// The bytes of the records are not read into memory.
    ///
    /// - Parameter order: All books, in the order that they are to have.
    /// - Throws: `CatalogEditError.notAList` if the records do not stand in one list.
    public func sort(into order: [BookID]) throws(CatalogEditError) {
        precondition(order.count == text.count, "each book has one place")
        if order.indices.allSatisfy({ order[$0].index == $0 }) { return }
        let ranges = try listedRanges()
        noteOrder(order)
        for (place, id) in order.enumerated() where id.index != place {
            copies.append(FileSplice(range: ranges[place], content: .copy(ranges[id.index])))
        }
    }

    private func noteOrder(_ order: [BookID]) {
        let index = text.reader.index
        let after = index.checksum(of: order)
        let numbers = order.map(\.index)
        if let reordering = CatalogEdit.Reordering(order: numbers, before: index.checksum, after: after) {
            written.add(.reorder(reordering))
        }
    }

    /// Returns the ranges of all records.
    ///
    /// - Throws: `CatalogEditError.notAList` if they do not stand in one list.
    private func listedRanges() throws(CatalogEditError) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        ranges.reserveCapacity(text.count)
        let hasLines = hasLines
        for number in 0..<text.count {
            guard let range = text.range(of: BookID(number)) else { throw .recordGone(title: "") }
            if let last = ranges.last {
                let gap = try text.bytes(in: last.upperBound..<max(last.upperBound, range.lowerBound))
                guard hasLines ? gap.separatesLines : gap.separatesElements else { throw .notAList }
            } else if !hasLines {
                _ = try list(of: range)
            }
            ranges.append(range)
        }
        return ranges
    }
}

extension [UInt8] {
    /// Whether these bytes can stand between two records of one array: a comma, or several with other elements between
    /// them. An end of an array could be that of the list, so that none may be among them.
    fileprivate var separatesElements: Bool {
        let comma = UInt8(ascii: ",")
        return first { !$0.isJSONWhitespace } == comma && last { !$0.isJSONWhitespace } == comma
            && !contains(UInt8(ascii: "]"))
    }

    /// Whether these bytes can stand between two records that have lines of their own.
    fileprivate var separatesLines: Bool {
        let newline = UInt8(ascii: "\n")
        guard let start = firstIndex(of: newline), let end = lastIndex(of: newline) else { return false }
        return self[..<start].allSatisfy(\.isJSONWhitespace) && self[end...].allSatisfy(\.isJSONWhitespace)
    }
}
