internal import JSON

extension JSONReader {
    /// Returns the location of the first records in the value that starts here, which is at `path`, or nil if it has
    /// none.
    mutating func location(
        of records: RecordPaths, at path: [ContainerStep]
    ) throws(JSONSyntaxError) -> (shape: CatalogShape, offset: Int)? {
        let first = peek()
        let start = offset
        switch (records.match(path), first) {
        case (.container, UInt8(ascii: "[")), (.record, UInt8(ascii: "[")): return (.array(path: path), start)
        case (.container, UInt8(ascii: "{")): return (.members(path: path), start)
        // A record within others is found when the whole text is read.
        case (.record, UInt8(ascii: "{")): return (.document, 0)
        case (.above, UInt8(ascii: "[")), (.above, UInt8(ascii: "{")):
            var found: (shape: CatalogShape, offset: Int)?
            let isArray = first == UInt8(ascii: "[")
            let end = isArray ? UInt8(ascii: "]") : UInt8(ascii: "}")
            var index = 0
            try enter(depth: path.count)
            if peek() == end {
                _ = try hasMore(before: end)
                return nil
            }
            repeat {
                let step: ContainerStep
                if isArray { step = .element(index) } else { step = .key(string(of: try readKey())) }
                index += 1
                found = try location(of: records, at: path + [step])
                if found != nil { return found }
            } while try hasMore(before: end)
            return nil
        default:
            try skipValue(depth: path.count)
            return nil
        }
    }

    /// Reads the available part of the value that starts here, at most `sampleCount` elements of each array.
    mutating func readBeginning(sampleCount: Int) -> JSONValue? {
        readPart(sampleCount: sampleCount, depth: 0).value
    }

    /// Reads the first `count` available elements of the array that starts here; of objects, only the members whose
    /// keys pass `isWanted`.
    mutating func readElements(count: Int, keys isWanted: (String) -> Bool) -> [JSONValue] {
        var elements: [JSONValue] = []
        guard peek() == UInt8(ascii: "["), (try? enter(depth: 0)) != nil, peek() != UInt8(ascii: "]") else { return [] }
        repeat {
            let (value, syntaxError) = readPart(sampleCount: count, depth: 1, keys: isWanted)
            if let value { elements.append(value) }
            if syntaxError != nil { break }
        } while elements.count < count && (try? hasMore(before: UInt8(ascii: "]"))) == true
        return elements
    }

    /// - Parameter isWanted: Whether to read the member with a key; nested objects are read completely.
    private mutating func readPart(
        sampleCount: Int, depth: Int, keys isWanted: (String) -> Bool = { _ in true }
    ) -> (value: JSONValue?, syntaxError: JSONSyntaxError?) {
        do throws(JSONSyntaxError) {
            switch peek() {
            case UInt8(ascii: "["):
                var elements: [JSONValue] = []
                do throws(JSONSyntaxError) {
                    try readArray(depth: depth) { reader throws(JSONSyntaxError) in
                        if elements.count >= sampleCount { return try reader.skipValue(depth: depth + 1) }
                        let (value, syntaxError) = reader.readPart(sampleCount: sampleCount, depth: depth + 1)
                        if let value { elements.append(value) }
                        if let syntaxError { throw syntaxError }
                    }
                } catch {
                    return (.array(elements), error)
                }
                return (.array(elements), nil)
            case UInt8(ascii: "{"):
                var members: [JSONValue.Member] = []
                do throws(JSONSyntaxError) {
                    try readObject(depth: depth) { reader, key throws(JSONSyntaxError) in
                        let name = reader.string(of: key)
                        if !isWanted(name) { return try reader.skipValue(depth: depth + 1) }
                        let (value, syntaxError) = reader.readPart(sampleCount: sampleCount, depth: depth + 1)
                        if let value { members.append(JSONValue.Member(key: name, value: value)) }
                        if let syntaxError { throw syntaxError }
                    }
                } catch {
                    return (.object(members), error)
                }
                return (.object(members), nil)
            default: return (try readValue(depth: depth), nil)
            }
        } catch {
            return (nil, error)
        }
    }
}

extension JSONValue {
    /// Whether the value is an object with the title of a book.
    var isTitled: Bool { bookTraits.isTitled }

    /// The first element of an array.
    var first: JSONValue? {
        if case .array(let elements) = self { elements.first } else { nil }
    }

    /// Whether the value is an array with an object that has this key.
    func hasElement(with key: String) -> Bool {
        if case .array(let elements) = self { elements.contains { $0[key] != nil } } else { false }
    }

    var isEmptyArray: Bool { self == .array([]) }

    /// Whether the value is or contains a schema.org book type, such as "Book" or "http://schema.org/Audiobook".
    var isBookType: Bool {
        switch self {
        case .string(let type): type.lowercased().hasSuffix("book")
        case .array(let types): types.contains(where: \.isBookType)
        default: false
        }
    }
}
