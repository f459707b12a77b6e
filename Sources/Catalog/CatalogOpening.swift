/// How a catalog begins: where its records are and how they stand there.
enum CatalogOpening: Equatable {
    /// Its records have this shape, and the text that has it begins at this offset.
    case records(CatalogShape, offset: Int)
    /// It is JSON, but no catalog.
    case nothing(CatalogError.Content)
    /// It is no JSON.
    case fault(JSONFault)
    /// There is nothing but blanks.
    case empty
    /// More of the text is needed.
    case undecided

    /// How the text that begins with what `reader` has begins; `isWhole` says that there is no more of it.
    init(of reader: JSONReader, isWhole: Bool) {
        var reader = reader
        if reader.bytes(of: 0..<reader.count).starts(with: [0xEF, 0xBB, 0xBF]) { reader.move(to: 3) }
        switch reader.peek() {
        case nil: self = isWhole ? .empty : .undecided
        case UInt8(ascii: "["): self = .records(.array(enclosingObjects: 0), offset: reader.offset)
        case UInt8(ascii: "{"): self = Self.opening(ofObject: reader, isWhole: isWhole)
        default: self = Self.opening(ofScalar: reader, isWhole: isWhole)
        }
    }

    private static func opening(ofScalar reader: JSONReader, isWhole: Bool) -> CatalogOpening {
        var reader = reader
        do throws(JSONFault) {
            try reader.skipValue()
            try reader.readEnd()
            return isWhole ? .nothing(.scalar) : .undecided
        } catch {
            return error.offset >= reader.count && !isWhole ? .undecided : .fault(error)
        }
    }

    private static func opening(ofObject reader: JSONReader, isWhole: Bool) -> CatalogOpening {
        let lines = CatalogOpening.records(.lines, offset: reader.offset)
        let (first, second) = firstLines(of: reader)
        let beginsWithLine = isObject(first) && !second.isEmpty
        if beginsWithLine && second.first == UInt8(ascii: "{") { return lines }
        if let found = array(in: reader) { return found }
        var rest = reader
        do throws(JSONFault) {
            try rest.skipValue()
            if rest.peek() == UInt8(ascii: "{") { return .nothing(.jsonLines) }
            try rest.readEnd()
        } catch {
            // What precedes a fault is kept, where it is a book.
            if hasBookAsFirstValue(reader) { return .records(.members, offset: reader.offset) }
            if error.offset >= reader.count && !isWhole { return .undecided }
            if beginsWithLine && hasTitle(first) || isObject(second) && hasTitle(second) { return lines }
            if error.reason == .trailingContent, book(at: reader.offset, of: reader) != nil {
                return .records(.document, offset: reader.offset)
            }
            return .fault(error)
        }
        if !isWhole { return .undecided }
        if book(at: reader.offset, of: reader) != nil { return .records(.document, offset: reader.offset) }
        return hasBookAsFirstValue(reader) ? .records(.members, offset: reader.offset) : .nothing(.object)
    }

    private typealias Line = Slice<UnsafeBufferPointer<UInt8>>

    /// The first two lines that are not blank, each from its first token on; empty where there are none.
    private static func firstLines(of reader: JSONReader) -> (Line, Line) {
        var rest = reader.bytes(of: reader.offset..<reader.count)[...]
        func next() -> Line {
            rest = rest.drop { $0.isJSONWhitespace }
            let line = rest.prefix { $0 != 0x0A }
            rest = rest.dropFirst(line.count)
            return line
        }
        return (next(), next())
    }

    /// Whether `line` is an object and nothing else.
    private static func isObject(_ line: Line) -> Bool {
        line.first == UInt8(ascii: "{")
            && JSONReader.reading(line) { reader in
                (try? reader.skipValue()) != nil && (try? reader.readEnd()) != nil
            }
    }

    /// Whether the object that `line` is has a title.
    private static func hasTitle(_ line: Line) -> Bool {
        JSONReader.reading(line) { RecordDecoder().book(at: 0, with: $0) }.title != ""
    }

    /// The first array of books among the values of an object and of the objects in it.
    private static func array(in reader: JSONReader) -> CatalogOpening? {
        var reader = reader
        var found: CatalogOpening?
        // A fault, or the end of what is at hand, ends the search.
        do throws(JSONFault) { try search(&reader, depth: 0, for: &found) } catch {}
        return found
    }

    private static func search(
        _ reader: inout JSONReader, depth: Int, for found: inout CatalogOpening?
    ) throws(JSONFault) {
        try reader.enter(depth: depth)
        if reader.peek() == UInt8(ascii: "}") {
            _ = try reader.hasMore(before: UInt8(ascii: "}"))
            return
        }
        repeat {
            _ = try reader.readKey()
            switch reader.peek() {
            case UInt8(ascii: "{"): try search(&reader, depth: depth + 1, for: &found)
            case UInt8(ascii: "["):
                let start = reader.offset
                if book(atFirstOf: reader, depth: depth + 1) {
                    found = .records(.array(enclosingObjects: depth + 1), offset: start)
                    return
                }
                try reader.skipValue(depth: depth + 1)
            default: try reader.skipValue(depth: depth + 1)
            }
            if found != nil { return }
        } while try reader.hasMore(before: UInt8(ascii: "}"))
    }

    /// Whether the first element of the array that begins here is a book.
    private static func book(atFirstOf reader: JSONReader, depth: Int) -> Bool {
        var reader = reader
        guard (try? reader.enter(depth: depth)) != nil, reader.peek() == UInt8(ascii: "{") else { return false }
        return book(at: reader.offset, of: reader) != nil
    }

    /// Whether the first value of the object that begins here is a book.
    private static func hasBookAsFirstValue(_ reader: JSONReader) -> Bool {
        var reader = reader
        guard (try? reader.enter(depth: 0)) != nil, (try? reader.readKey()) != nil else { return false }
        return book(at: reader.offset, of: reader) != nil
    }

    /// The object at `offset` as a book; nil where it has no title, or nothing besides.
    private static func book(at offset: Int, of reader: JSONReader) -> Book? {
        guard let book = try? RecordDecoder().decode(at: offset, with: reader), !book.title.isEmpty,
            !book.authors.isEmpty || book.isbn != nil || book.pageCount != nil || book.fiction != nil
        else { return nil }
        return book
    }
}

extension UInt8 {
    /// Whether it is white space between the tokens of JSON (RFC 8259, section 2).
    var isJSONWhitespace: Bool {
        self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09
    }
}
