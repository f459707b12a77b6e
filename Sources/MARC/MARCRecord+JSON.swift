public import JSON

extension MARCRecord {
    /// Creates the record that a row keeps as MARC-in-JSON; fails for other values.
    public init?(_ json: JSONValue) {
        guard let leader = json["leader"]?.string, let elements = json["fields"]?.elements, !elements.isEmpty else {
            return nil
        }
        self.init()
        setLeader(leader.utf8)
        for element in elements {
            guard let member = element.members?.first, element.members?.count == 1 else { return nil }
            let tag = member.key.unicodeScalars.map(UInt8.init(latin1:))
            guard tag.count == 3 else { return nil }
            if let text = member.value.string {
                beginField(tag: (tag[0], tag[1], tag[2]))
                add(0, text)
                continue
            }
            guard let subfields = member.value["subfields"]?.elements else { return nil }
            beginField(
                tag: (tag[0], tag[1], tag[2]), first: Self.byte(member.value["ind1"]),
                second: Self.byte(member.value["ind2"]))
            for subfield in subfields.flatMap({ $0.members ?? [] }) {
                add(Self.byte(.string(subfield.key)), subfield.value.string ?? "")
            }
        }
    }

    private mutating func add(_ code: UInt8, _ text: String) {
        var text = text
        beginSubfield(code)
        text.withUTF8 { append($0) }
    }

    private static func byte(_ json: JSONValue?) -> UInt8 {
        json?.string?.unicodeScalars.first.map(UInt8.init(latin1:)) ?? 0x20
    }
}

extension UInt8 {
    /// The byte of a character; a blank for one beyond Latin-1.
    fileprivate init(latin1 scalar: Unicode.Scalar) { self = UInt8(exactly: scalar.value) ?? 0x20 }
}
