internal import MARC

/// Extracts the records of MARCXML.
final class MARCXMLRecords: XMLRecords {
    private var record = MARCRecord()
    /// Whether text belongs to the leader, or to the last subfield.
    private var isLeader = false
    private var isField = false
    /// Whether a record has begun and not ended.
    private var isOpen = false
    private var leader: [UInt8] = []
    private var fieldStart = 0

    override func begin(_ name: XMLName, _ attributes: XMLAttributes) {
        switch name {
        case "subfield":
            record.beginSubfield(attributes.value("code")?.first ?? 0x20)
            beginField()
        case "datafield":
            record.beginField(
                tag: Self.tag(attributes.value("tag")),
                first: attributes.value("ind1")?.first ?? 0x20, second: attributes.value("ind2")?.first ?? 0x20)
        case "controlfield":
            record.beginField(tag: Self.tag(attributes.value("tag")))
            record.beginSubfield(0)
            beginField()
        case "leader":
            isLeader = true
            leader.removeAll(keepingCapacity: true)
        case "record":
            // In the answers of OAI-PMH a record of MARC is within another.
            if isOpen { break }
            record.removeAll()
            beginRecord()
            isOpen = true
        default: break
        }
    }

    /// Returns a tag as three bytes: shorter tags are padded with blanks, longer ones truncated.
    private static func tag(_ text: UnsafeBufferPointer<UInt8>?) -> (UInt8, UInt8, UInt8) {
        func byte(_ index: Int) -> UInt8 { text.flatMap { index < $0.count ? $0[index] : nil } ?? 0x20 }
        return (byte(0), byte(1), byte(2))
    }

    private func beginField() {
        isField = true
        fieldStart = record.count
    }

    override func end(_ name: XMLName) {
        switch name {
        case "subfield", "controlfield": isField = false
        case "leader":
            isLeader = false
            record.setLeader(leader)
        case "record" where isOpen:
            isOpen = false
            // Those of deleted books have a header only.
            if !record.fields.isEmpty { endRecord { record.append(to: &$0) } }
        default: break
        }
    }

    override func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        if isField {
            if record.count - fieldStart + bytes.count > Self.fieldLimit {
                isTooLarge = true
            } else {
                record.append(bytes)
            }
        } else if isLeader, leader.count + bytes.count <= 1024 {
            leader.append(contentsOf: bytes)
        }
    }
}
