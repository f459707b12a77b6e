package import Books
package import Indexing
package import JSON
package import Storage

/// Reads single records of a catalog file by its index, on any thread.
///
/// The results are pending only if the input fetches bytes elsewhere.
package struct RecordReader: Sendable {
    package let input: any ByteInput
    package let index: BookIndex
    package let decoder: RecordDecoder
    /// The offset after the last record.
    let fileEnd: Int

    /// Returns the book, unless the file has changed and its record is gone.
    package func book(_ id: BookID) -> Slot<Book> {
        read(id) { reader throws(JSONSyntaxError) in try decoder.decode(at: 0, with: reader) }
            .flatMap { MatchKeys(of: $0) == index.keys(of: id) ? .ready($0) : .gone }
    }

    /// Returns the fields of a book that a row shows, unless its record is gone.
    ///
    /// - Parameter stretch: The part of the file that was read last, because books that are read together are usually
    ///   adjacent.
    func summary(of id: BookID, through stretch: inout ReadAheadBuffer) -> Slot<BookSummary> {
        read(id, through: &stretch) { reader throws(JSONSyntaxError) in try decoder.decodeHeading(at: 0, with: reader) }
            .flatMap { book in
                if MatchKeys(of: book) != index.keys(of: id) { return .gone }
                return .ready(
                    BookSummary(
                        title: book.title, authors: book.authors, isbn: book.isbn, year: index.year(of: id),
                        pageCount: index.pageCount(of: id)))
            }
    }

    /// Returns the record of a book as it is in the file, or nil if it is gone.
    package func record(_ id: BookID) -> JSONValue? {
        read(id) { reader throws(JSONSyntaxError) in try decoder.object(at: 0, with: reader) }.value
    }

    /// Returns at most `limit` records in the form that the decoder reads, evenly spread over the books.
    func sample(_ limit: Int) -> [JSONValue] {
        let sampleCount = min(limit, index.count)
        var stretch = ReadAheadBuffer()
        return (0..<sampleCount).compactMap { number in
            let id = BookID(number * index.count / sampleCount)
            return read(id, through: &stretch) { reader throws(JSONSyntaxError) in
                try decoder.object(at: 0, with: reader)
            }.value
        }
    }

    /// Returns the bytes of the record of a book, and their value; nil if it is gone.
    ///
    /// - Parameter stretch: The part of the file that was read last.
    package func record(
        _ id: BookID, through stretch: inout ReadAheadBuffer
    ) -> (bytes: [UInt8], value: JSONValue)? {
        read(id, through: &stretch) { reader throws(JSONSyntaxError) in
            var reader = reader
            guard reader.peek() == UInt8(ascii: "{") else {
                throw JSONSyntaxError(.unexpectedCharacter, at: reader.offset)
            }
            let value = try reader.readValue()
            return (Array(UnsafeBufferPointer(start: reader.pointer(to: 0), count: reader.offset)), value)
        }.value
    }

    /// Returns the record of a book with its spelling, or nil if it is gone.
    func spelledRecord(_ id: BookID) -> SpelledObject? {
        read(id) { reader throws(JSONSyntaxError) in
            var reader = reader
            guard reader.peek() == UInt8(ascii: "{") else {
                throw JSONSyntaxError(.unexpectedCharacter, at: reader.offset)
            }
            return try SpelledObject(from: &reader)
        }.value
    }

    /// Decodes the record of a book, preferably from `stretch`.
    private func read<Result>(
        _ id: BookID, through stretch: inout ReadAheadBuffer, _ decode: (JSONReader) throws(JSONSyntaxError) -> Result
    ) -> Slot<Result> {
        let offset = index.offset(at: id.index)
        if let reader = stretch.reader(at: offset), let result = try? decode(reader) { return .ready(result) }
        // A damaged index may contain arbitrary numbers.
        guard offset >= 0, offset < fileEnd else { return .gone }
        guard stretch.read(input, from: offset) else { return .pending }
        if let reader = stretch.reader(at: offset), let result = try? decode(reader) { return .ready(result) }
        // The record is longer than the buffer.
        return read(id, decode)
    }

    /// Decodes the record of a book, unless it is gone.
    package func read<Result>(_ id: BookID, _ decode: (JSONReader) throws(JSONSyntaxError) -> Result) -> Slot<Result> {
        let offset = index.offset(at: id.index)
        // The next record limits this one; there is rarely more than a comma between them.
        let end = id.index + 1 < index.count ? index.offset(at: id.index + 1) : fileEnd
        // A damaged index may contain arbitrary numbers.
        guard (0..<fileEnd).contains(offset) else { return .gone }
        var length = end > offset ? min(end - offset, Self.usualLength) : Self.usualLength
        while true {
            do throws(JSONSyntaxError) {
                return try read(from: offset, length: length, decode).map(Slot.ready) ?? .pending
            } catch {
                // The record is long, or is followed by something that is not a book.
                guard error.offset == length, offset + length < fileEnd else { return .gone }
                length *= 8
            }
        }
    }

    private static let usualLength = 1 << 16

    /// Decodes the record at the beginning of the `length` bytes from `offset`; returns nil if they are being fetched.
    private func read<Result>(
        from offset: Int, length: Int, _ decode: (JSONReader) throws(JSONSyntaxError) -> Result
    ) throws(JSONSyntaxError) -> Result? {
        let text = UnsafeMutableRawBufferPointer.allocate(byteCount: length + JSONReader.paddingCount, alignment: 1)
        defer { text.deallocate() }
        let room = UnsafeMutableRawBufferPointer(rebasing: text.prefix(length))
        guard let count = input.fetch(into: room, at: offset) else { return nil }
        UnsafeMutableRawBufferPointer(rebasing: text.dropFirst(count).prefix(JSONReader.paddingCount))
            .initializeMemory(as: UInt8.self, repeating: 0)
        guard let base = text.bindMemory(to: UInt8.self).baseAddress else {
            throw JSONSyntaxError(.unexpectedEnd, at: 0)
        }
        return try decode(JSONReader(base, count: count))
    }
}

extension RecordReader: ConcurrentBookReader {
    /// Calls `body` with each of the books, in the order of `ids`.
    package func forEachSummary(of ids: ArraySlice<BookID>, _ body: (BookID, BookSummary?) -> Void) {
        var stretch = ReadAheadBuffer()
        for id in ids { body(id, summary(of: id, through: &stretch).value) }
    }

    /// Returns a book with all fields.
    package func wholeBook(_ id: BookID) -> Book? { book(id).value }

    /// Calls `body` with each of the books, of which only `field` is read, in the order of `ids`.
    package func forEachBook(of ids: ArraySlice<BookID>, with field: BookField, _ body: (BookID, Book?) -> Void) {
        var stretch = ReadAheadBuffer()
        for id in ids {
            let value = read(id, through: &stretch) { reader throws(JSONSyntaxError) in
                try decoder.object(at: 0, with: reader)
            }.value
            body(id, value.map { decoder.book(from: $0, withOnly: field) })
        }
    }
}
