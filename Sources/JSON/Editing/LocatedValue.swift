/// A JSON value with the position of each of its parts in the text.
public struct LocatedValue: Sendable {
    /// An element of an array, or a member of an object.
    public struct Item: Sendable {
        /// The key with its escapes decoded, and its range with the quotes; nil for an element.
        public var key: (text: String, range: Range<Int>)?
        /// The value.
        public var value: LocatedValue

        /// The range from the key, or from the element, to the end of the value.
        public var range: Range<Int> { (key?.range.lowerBound ?? value.range.lowerBound)..<value.range.upperBound }
    }

    /// The content of a value.
    public enum Content: Sendable {
        case scalar
        case array([Item])
        case object([Item])
    }

    /// The range of the value without white space around it.
    public var range: Range<Int>
    /// The content of the value.
    public var content: Content

    /// The elements or members; empty for a scalar.
    public var items: [Item] {
        switch content {
        case .scalar: []
        case .array(let items), .object(let items): items
        }
    }

    /// Reads the value at the start of `text`, after white space.
    ///
    /// - Throws: `JSONSyntaxError` if there is no complete value.
    public init(at text: [UInt8]) throws(JSONSyntaxError) {
        let result: Result<LocatedValue, JSONSyntaxError> = JSONReader.reading(text) { reader in
            do throws(JSONSyntaxError) {
                return .success(try LocatedValue(&reader, depth: 0))
            } catch {
                return .failure(error)
            }
        }
        self = try result.get()
    }

    private init(_ reader: inout JSONReader, depth: Int) throws(JSONSyntaxError) {
        let first = reader.peek()
        let start = reader.offset
        var items: [Item] = []
        switch first {
        case UInt8(ascii: "{"):
            try reader.readObject(depth: depth) { reader, key throws(JSONSyntaxError) in
                let text = reader.string(of: key)
                items.append(Item(key: (text, key), value: try LocatedValue(&reader, depth: depth + 1)))
            }
            content = .object(items)
        case UInt8(ascii: "["):
            try reader.readArray(depth: depth) { reader throws(JSONSyntaxError) in
                items.append(Item(key: nil, value: try LocatedValue(&reader, depth: depth + 1)))
            }
            content = .array(items)
        default:
            try reader.skipValue(depth: depth)
            content = .scalar
        }
        range = start..<reader.offset
    }
}
