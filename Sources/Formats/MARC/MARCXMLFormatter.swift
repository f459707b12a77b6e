internal import Books

/// MARCXML: a collection of bibliographic records of MARC 21, as catalogs keep them, or else without ISBD punctuation.
struct MARCXMLFormatter: BookFormatter {
    let needsUserData = false
    let needsRecords = true

    func expect(_ schema: Schema) -> [FieldLoss] { MARCText.losses(in: schema) }

    func begin(_ text: inout [UInt8]) {
        XMLText.begin(&text) { $0.open("collection", [("xmlns", "http://www.loc.gov/MARC21/slim")]) }
    }

    func end(_ text: inout [UInt8]) { XMLText.append(to: &text, depth: 1) { $0.close("collection") } }

    func append(_ printed: PrintedBook, to text: inout [UInt8]) {
        let record = MARCText(printed)
        XMLText.append(to: &text, depth: 1) { xml in
            xml.open("record")
            xml.add("leader", record.unicodeLeader)
            for field in record.fields { xml.add(field) }
            xml.close("record")
        }
    }
}

extension XMLText {
    fileprivate mutating func add(_ field: MARCText.Field) {
        if field.isControl {
            return add(always: "controlfield", [("tag", field.tag)], field.subfields[0].text)
        }
        open("datafield", [("tag", field.tag), ("ind1", field.first), ("ind2", field.second)])
        for subfield in field.subfields { add(always: "subfield", [("code", subfield.code)], subfield.text) }
        close("datafield")
    }
}
