internal import CText
internal import ConnectorProtocol
internal import JSON
internal import MARC

/// Converts the records of library servers to the rows that files of the same formats give.
enum LibraryRecord {
    /// Returns the row of a record of XML: MARCXML, MODS or Dublin Core.
    ///
    /// - Throws: `ConnectorFailure` if it is in another format.
    static func row(of element: XMLElement) throws(ConnectorFailure) -> JSONValue {
        var bytes: [UInt8] = []
        switch element.name {
        case "collection" where element.children.count == 1, "modsCollection" where element.children.count == 1:
            return try row(of: element.children[0])
        case "record" where element.first("datafield") != nil || element.first("controlfield") != nil:
            return row(of: MARCRecord(element))
        case "mods": _ = element.appendMODS(inventsIDs: false, to: &bytes)
        case _ where element.first("title") != nil || element.first("creator") != nil:
            _ = RecordJSON.append(to: &bytes) { element.addDublinCore(to: &$0) }
        default: throw ConnectorFailure(.format, .recordFormat, detail: element.name)
        }
        return identified(JSONValue(parsing: bytes) ?? .object([]))
    }

    /// Returns the row of a MARC record. Its id is the control number, after the code of the library that assigned it:
    /// "(DLC)12345".
    static func row(of record: MARCRecord) -> JSONValue {
        var bytes: [UInt8] = []
        _ = record.append(to: &bytes)
        var row = JSONValue(parsing: bytes) ?? .object([])
        if let number = row["id"]?.string, let source = record.fields.first(where: { $0.tag == 3 }) {
            let code = record.text(of: source)
            if !code.isEmpty { row = row.withID("(\(code))\(number)") }
        }
        return identified(row)
    }

    /// Returns the row of a record of plain text (SUTRS): its first line is the title.
    static func row(ofText text: [UInt8]) -> JSONValue {
        let text = String(decoding: text, as: UTF8.self)
        let lines = text.split(whereSeparator: \.isNewline).map { $0.split(separator: " ").joined(separator: " ") }
        var bytes: [UInt8] = []
        _ = RecordJSON.append(to: &bytes) { json in
            json.add("title", lines.first { !$0.isEmpty })
            json.add("description", lines.joined(separator: "\n"))
        }
        return identified(JSONValue(parsing: bytes) ?? .object([]))
    }

    /// Returns the row with an id: its own, or else a hash of its content.
    static func identified(_ row: JSONValue) -> JSONValue {
        if row["id"]?.string != nil { return row }
        var text = row.json
        let hash = text.withUTF8 { cs_hash($0.baseAddress, $0.count) }
        return row.withID(hashPrefix + String(hash, radix: 16))
    }

    /// The beginning of ids that are not those of the server.
    static let hashPrefix = "hash:"

    /// Returns the control number of an id.
    static func controlNumber(ofID id: String) -> String {
        guard id.hasPrefix("("), let end = id.firstIndex(of: ")") else { return id }
        return String(id[id.index(after: end)...])
    }
}

extension JSONValue {
    /// Returns this object with the id first.
    func withID(_ id: String) -> JSONValue {
        .object([Member(key: "id", value: .string(id))] + (members ?? []).filter { $0.key != "id" })
    }
}

extension MARCRecord {
    /// Creates a record from an element of MARCXML.
    init(_ element: XMLElement) {
        self.init()
        if let leader = element.first("leader") { setLeader(leader.bytes) }
        func name(_ field: XMLElement) -> (UInt8, UInt8, UInt8) {
            let tag = Array((field[attribute: "tag"] ?? "").utf8) + [0x20, 0x20, 0x20]
            return (tag[0], tag[1], tag[2])
        }
        for field in element.children {
            switch field.name {
            case "controlfield":
                beginField(tag: name(field))
                beginSubfield(0)
                field.bytes.withUnsafeBufferPointer { append($0) }
            case "datafield":
                beginField(
                    tag: name(field), first: field[attribute: "ind1"]?.utf8.first ?? 0x20,
                    second: field[attribute: "ind2"]?.utf8.first ?? 0x20)
                for subfield in field.all("subfield") {
                    beginSubfield(subfield[attribute: "code"]?.utf8.first ?? 0x20)
                    subfield.bytes.withUnsafeBufferPointer { append($0) }
                }
            default: break
            }
        }
    }
}
