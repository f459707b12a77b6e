internal import Books
internal import Catalog
internal import Indexing
internal import JSON
internal import Storage

/// Sorting all records of a file. The text between them, such as commas and records that are not books, stays in place.
extension RecordPermutation {
    /// Creates the order of all records of a file, which has the old number for each new position. Their bytes are not
    /// read into memory.
    ///
    /// - Throws: `CatalogEditError.notAList` if the records are not in one list.
    init(_ order: [Int], in format: RecordFormat) throws(CatalogEditError) {
        let lengths = try format.listedLengths()
        guard let permutation = RecordPermutation(order, in: format.text.reader.index, lengths: lengths) else {
            throw .notAList
        }
        self = permutation
    }
}

extension RecordFormat {
    /// Returns the lengths of all records in bytes. The file is read once from start to end; a concurrent change is
    /// detected when the file is written.
    ///
    /// - Throws: `CatalogEditError.notAList` if the records are not in one list.
    fileprivate func listedLengths() throws(CatalogEditError) -> [UInt32] {
        var lengths: [UInt32] = []
        lengths.reserveCapacity(text.count)
        let hasLines = hasLines
        var stretch = FileStretch(of: text.file)
        var end = 0
        for number in 0..<text.count {
            let start = text.reader.index.offset(at: number)
            if number == 0 {
                guard let range = text.range(of: BookID(0)) else { throw .recordGone(title: "") }
                try checkList(of: range)
            } else {
                let gap = try stretch.bytes(in: end..<max(end, start))
                guard hasLines ? gap.separatesLines : gap.separatesElements else { throw .notAList }
            }
            let next = number + 1 < text.count ? text.reader.index.offset(at: number + 1) : fingerprint.size
            guard
                let length = try stretch.lengthOfObject(in: start..<max(start, next))
                    ?? text.rangeAsIndexed(of: BookID(number))?.count,
                let known = UInt32(exactly: length)
            else { throw .recordGone(title: "") }
            lengths.append(known)
            end = start + length
        }
        return lengths
    }
}

/// Reads a file from start to end in large parts.
private struct FileStretch {
    private let file: RandomAccessInput
    private var start = 0
    private var content: [UInt8] = []

    private static let size = 1 << 20

    init(of file: RandomAccessInput) { self.file = file }

    /// Reads more if `offset` is so near the end of the buffer that a typical record might not fit.
    private mutating func read(from offset: Int) throws(CatalogEditError) {
        if offset >= start, offset + Self.size / 16 <= start + content.count { return }
        if offset >= start, content.count < Self.size, !content.isEmpty { return }
        do throws(FileError) {
            content = try file.bytes(in: offset..<offset + Self.size)
        } catch {
            throw .file(error)
        }
        start = offset
    }

    mutating func bytes(in range: Range<Int>) throws(CatalogEditError) -> [UInt8] {
        try read(from: range.lowerBound)
        if range.upperBound <= start + content.count {
            return Array(content[range.lowerBound - start..<range.upperBound - start])
        }
        do throws(FileError) {
            return try file.bytes(in: range)
        } catch {
            throw .file(error)
        }
    }

    /// Returns the length of the object at the start of a range, or nil if it does not fit the buffer.
    mutating func lengthOfObject(in range: Range<Int>) throws(CatalogEditError) -> Int? {
        try read(from: range.lowerBound)
        let known = range.clamped(to: start..<start + content.count)
        return JSONReader.reading(content[known.lowerBound - start..<known.upperBound - start]) { reader -> Int? in
            do throws(JSONSyntaxError) {
                try reader.skipValue()
                return reader.offset
            } catch {
                return nil
            }
        }
    }
}

extension [UInt8] {
    /// Whether these bytes can separate two records of one array: a comma, or several commas with other elements in
    /// between. They must not contain a closing bracket of an array, which could end the list.
    fileprivate var separatesElements: Bool {
        let comma = UInt8(ascii: ",")
        return first { !$0.isJSONWhitespace } == comma && last { !$0.isJSONWhitespace } == comma
            && !contains(UInt8(ascii: "]"))
    }

    /// Whether these bytes can separate two records on lines of their own.
    fileprivate var separatesLines: Bool {
        let newline = UInt8(ascii: "\n")
        guard let start = firstIndex(of: newline), let end = lastIndex(of: newline) else { return false }
        return self[..<start].allSatisfy(\.isJSONWhitespace) && self[end...].allSatisfy(\.isJSONWhitespace)
    }
}
