/// Writes a JSON object, a member at a time, without blanks.
package struct ObjectWriter {
    private(set) var bytes: [UInt8]

    /// A writer of an object that comes after `bytes`.
    package init(after bytes: [UInt8] = []) {
        self.bytes = bytes
        self.bytes.append(UInt8(ascii: "{"))
    }

    /// Adds a member; with nil there is none.
    package mutating func add(_ key: String, _ value: JSONValue?) {
        guard let value else { return }
        if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
        JSONValue.string(key).write(to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        value.write(to: &bytes)
    }

    /// The bytes with the object ended.
    package consuming func ended() -> [UInt8] {
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }
}
