/// Writes a JSON object member by member, without white space.
public struct ObjectWriter {
    private(set) var bytes: [UInt8]

    /// Creates a writer of an object that follows `bytes`.
    public init(after bytes: [UInt8] = []) {
        self.bytes = bytes
        self.bytes.append(UInt8(ascii: "{"))
    }

    /// Appends the object whose members `add` adds to `bytes`, in place.
    public static func append(to bytes: inout [UInt8], _ add: (inout ObjectWriter) -> Void) {
        var writer = ObjectWriter()
        swap(&writer.bytes, &bytes)
        writer.bytes.append(UInt8(ascii: "{"))
        add(&writer)
        writer.bytes.append(UInt8(ascii: "}"))
        swap(&writer.bytes, &bytes)
    }

    /// Adds a member unless `value` is nil.
    public mutating func add(_ key: String, _ value: JSONValue?) {
        guard let value else { return }
        addKey(key)
        value.write(to: &bytes)
    }

    /// Adds a member with a string unless it is nil.
    public mutating func add(_ key: String, _ string: String?) {
        guard let string else { return }
        addKey(key)
        JSONValue.write(string, to: &bytes)
    }

    /// Adds a member with an array of elements, each of which `append` appends to the bytes; no value stands in memory
    /// besides.
    public mutating func add<Elements: Sequence>(
        _ key: String, each elements: Elements, _ append: (Elements.Element, inout [UInt8]) -> Void
    ) {
        addKey(key)
        bytes.append(UInt8(ascii: "["))
        var isFirst = true
        for element in elements {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            append(element, &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    /// Adds a member with an object, whose members `add` adds.
    public mutating func add(_ key: String, object add: (inout ObjectWriter) -> Void) {
        addKey(key)
        Self.append(to: &bytes, add)
    }

    private mutating func addKey(_ key: String) {
        if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
        JSONValue.write(key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Closes the object and returns the bytes.
    public consuming func ended() -> [UInt8] {
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }
}
