/// Writes the members of a record for all library formats: the native keys of stacks and further ones.
public struct RecordJSON {
    private(set) var bytes: [UInt8]
    /// Whether a string was not UTF-8.
    public private(set) var isRepaired = false

    private init() { bytes = [] }

    /// Appends the record whose members `add` adds to `rows`, in place.
    ///
    /// - Returns: Whether all strings were UTF-8.
    public static func append(to rows: inout [UInt8], _ add: (inout RecordJSON) -> Void) -> Bool {
        var json = RecordJSON()
        // The swap keeps the array uniquely referenced, so that it is not copied.
        swap(&json.bytes, &rows)
        json.bytes.append(UInt8(ascii: "{"))
        add(&json)
        json.bytes.append(UInt8(ascii: "}"))
        swap(&json.bytes, &rows)
        return !json.isRepaired
    }

    /// Adds a string unless it is blank.
    public mutating func add(_ key: StaticString, _ text: String?) {
        guard let text, !text.isEmpty else { return }
        addKey(key)
        value(text)
    }

    /// Adds an array of strings unless it is empty.
    public mutating func add(_ key: StaticString, _ texts: [String]) {
        if texts.isEmpty { return }
        addKey(key)
        open("[")
        for text in texts { value(text) }
        close("]")
    }

    /// Adds strings under a key of the source unless there are none: one as a string, several as an array.
    public mutating func add(named name: String, _ texts: [String]) {
        if texts.isEmpty { return }
        key(name)
        if texts.count > 1 { open("[") }
        for text in texts { value(text) }
        if texts.count > 1 { close("]") }
    }

    /// Adds an object of strings unless it is empty.
    public mutating func add(_ key: StaticString, _ members: [(key: String, value: String)]) {
        if members.isEmpty { return }
        addKey(key)
        open("{")
        for member in members {
            self.key(member.key)
            value(member.value)
        }
        close("}")
    }

    /// Adds an array of objects of strings unless it is empty; blank strings are left out.
    public mutating func add(_ key: StaticString, objects: [[(key: String, value: String?)]]) {
        if objects.isEmpty { return }
        addKey(key)
        open("[")
        for object in objects {
            open("{")
            for member in object {
                guard let text = member.value, !text.isEmpty else { continue }
                self.key(member.key)
                value(text)
            }
            close("}")
        }
        close("]")
    }

    /// Adds a key, after which a value must be added.
    public mutating func addKey(_ key: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount))
        bytes.append(contentsOf: "\":".utf8)
    }

    /// Adds a key of the source, after which a value must be added.
    public mutating func key(_ key: String) {
        separate()
        JSONText.append(key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Adds a key of one byte, after which a value must be added.
    public mutating func key(_ byte: UInt8) {
        value(byte)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Adds a key of three bytes, after which a value must be added.
    public mutating func key(_ name: (UInt8, UInt8, UInt8)) {
        withUnsafeBytes(of: name) { value($0.assumingMemoryBound(to: UInt8.self)) }
        bytes.append(UInt8(ascii: ":"))
    }

    /// Adds a string of one byte.
    public mutating func value(_ byte: UInt8) {
        withUnsafeBytes(of: byte) { value($0.assumingMemoryBound(to: UInt8.self)) }
    }

    /// Adds a string, as the value of a key or as an element.
    public mutating func value(_ text: String) {
        separate()
        JSONText.append(text, to: &bytes)
    }

    /// Adds a string of bytes in place.
    public mutating func value(_ text: UnsafeBufferPointer<UInt8>) {
        separate()
        if JSONText.append(text, to: &bytes) != .valid { isRepaired = true }
    }

    /// Adds a number, Boolean or null by its spelling.
    public mutating func add(raw text: String) {
        separate()
        bytes.append(contentsOf: text.utf8)
    }

    /// Opens an array or object.
    public mutating func open(_ bracket: Unicode.Scalar) {
        separate()
        bytes.append(UInt8(ascii: bracket))
    }

    /// Closes an array or object.
    public mutating func close(_ bracket: Unicode.Scalar) { bytes.append(UInt8(ascii: bracket)) }

    /// Adds a comma, unless the previous byte opens an object or array or ends a key.
    @inline(__always)
    private mutating func separate() {
        switch bytes.last {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"), UInt8(ascii: ","), nil: break
        default: bytes.append(UInt8(ascii: ","))
        }
    }
}
