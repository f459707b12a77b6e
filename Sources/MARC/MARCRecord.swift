/// A MARC 21 record. Its text is in one buffer, which is reused for the next record.
public struct MARCRecord: Sendable {
    /// A field: a control field has one subfield with the code zero.
    public struct Field: Sendable {
        /// The three characters of the tag as a number, such as 245; tags with letters are negative.
        public var tag: Int
        /// The tag as it is written.
        public var name: (UInt8, UInt8, UInt8)
        /// The first indicator.
        public var first: UInt8
        /// The second indicator.
        public var second: UInt8
        /// The subfields, as indices.
        public var subfields: Range<Int>
    }

    /// A subfield.
    public struct Subfield: Sendable {
        /// The code; zero for the text of a control field.
        public var code: UInt8
        /// The text, as a range of the buffer.
        public var text: Range<Int>
    }

    /// The text of all fields.
    public private(set) var bytes: [UInt8] = []
    /// The fields in record order.
    public private(set) var fields: [Field] = []
    /// The subfields of all fields.
    public private(set) var subfields: [Subfield] = []
    /// The leader.
    public private(set) var leader: [UInt8] = []

    /// Creates a record without fields.
    public init() {}

    /// Removes all fields.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        fields.removeAll(keepingCapacity: true)
        subfields.removeAll(keepingCapacity: true)
        leader.removeAll(keepingCapacity: true)
    }

    /// The length of the text of all fields.
    public var count: Int { bytes.count }

    /// The number of subfields without text.
    public var emptyCount: Int { subfields.count { $0.text.isEmpty } }

    /// Sets the leader.
    public mutating func setLeader(_ text: some Sequence<UInt8>) {
        leader.removeAll(keepingCapacity: true)
        leader.append(contentsOf: text)
    }

    /// Begins a field.
    public mutating func beginField(tag name: (UInt8, UInt8, UInt8), first: UInt8 = 0x20, second: UInt8 = 0x20) {
        func digit(_ byte: UInt8) -> Int? { (0x30...0x39).contains(byte) ? Int(byte - 0x30) : nil }
        var number = -1
        if let hundreds = digit(name.0), let tens = digit(name.1), let ones = digit(name.2) {
            number = hundreds * 100 + tens * 10 + ones
        }
        let start = subfields.count
        fields.append(
            Field(
                tag: number, name: name, first: first, second: second, subfields: start..<start))
    }

    /// Adds a subfield to the last field.
    public mutating func beginSubfield(_ code: UInt8) {
        guard !fields.isEmpty else { return }
        subfields.append(Subfield(code: code, text: bytes.count..<bytes.count))
        let range = fields[fields.count - 1].subfields
        fields[fields.count - 1].subfields = range.lowerBound..<range.upperBound + 1
    }

    /// Adds text to the last subfield.
    public mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
        guard !subfields.isEmpty else { return }
        bytes.append(contentsOf: text)
        let range = subfields[subfields.count - 1].text
        subfields[subfields.count - 1].text = range.lowerBound..<bytes.count
    }
}
