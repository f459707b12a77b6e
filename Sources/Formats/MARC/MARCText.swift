internal import Books
internal import Graphemes
internal import JSON
internal import MARC

/// A record of MARC 21 to write: its leader, and its fields in order.
struct MARCText {
    /// The leader.
    var leader: String
    /// The fields in record order.
    var fields: [Field]

    /// A control field, or a data field.
    struct Field: Hashable {
        /// The three characters of the tag.
        var tag: String
        /// The indicators; blank for a control field.
        var first = " "
        var second = " "
        /// The subfields; a control field has one with an empty code.
        var subfields: [Subfield]

        /// Whether the field has neither indicators nor subfields.
        var isControl: Bool { subfields.count == 1 && subfields[0].code.isEmpty }
    }

    /// A subfield.
    struct Subfield: Hashable {
        /// The code.
        var code: String
        /// The text.
        var text: String
    }

    /// Creates the record of a book: the one that its catalog keeps, in which only the fields of changed values are
    /// replaced, or else one that is made of the book.
    init(_ printed: PrintedBook) {
        if let record = printed.record, let marc = record["marc"], let kept = MARCRecord(marc),
            let text = Self(kept, of: printed.book, in: record)
        {
            self = text
        } else {
            self.init(madeOf: printed)
        }
    }

    /// Creates the text of a record as it is.
    init(_ record: MARCRecord) {
        func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }
        leader = text(record.leader)
        fields = record.fields.map { field in
            let subfields = record.subfields[field.subfields].map { subfield in
                Subfield(
                    code: subfield.code == 0 ? "" : String(Unicode.Scalar(subfield.code)),
                    text: text(record.bytes[subfield.text]))
            }
            return Field(
                tag: [field.name.0, field.name.1, field.name.2].map { String(Unicode.Scalar($0)) }.joined(),
                first: String(Unicode.Scalar(field.first)), second: String(Unicode.Scalar(field.second)),
                subfields: subfields)
        }
    }

    /// The leader for text in UTF-8: at least 24 characters of ASCII.
    var unicodeLeader: String {
        var bytes = leader.utf8.map { (0x20..<0x7F).contains($0) ? $0 : 0x20 }
        bytes += repeatElement(0x20, count: max(0, 24 - bytes.count))
        bytes[9] = UInt8(ascii: "a")
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The leader and the fields as librarians read them: "LDR", "001" and "245 10", each with its text, such as
    /// "$a Emma / $c Jane Austen."
    var labelled: [(label: String, text: String)] {
        [("LDR", leader.sanitized)]
            + fields.map { field in
                if field.isControl { return (field.tag.sanitized, field.subfields[0].text.sanitized) }
                let text = field.subfields.map { "$\($0.code) \($0.text)" }.joined(separator: " ")
                return ("\(field.tag) \(field.first)\(field.second)".sanitized, text.sanitized)
            }
    }
}

extension PrintedBook {
    /// The record of MARC 21 as it is exported: the leader, each tag with its indicators, and the texts.
    public var marcFields: [(label: String, text: String)] { MARCText(self).labelled }
}

extension MARCText {
    /// What the formats of MARC cannot keep: a record that the catalog keeps is written as it is.
    static func losses(in schema: Schema) -> [FieldLoss] {
        let fields = Set<BookField>.bibliographic.union([.fiction, .otherTitle])
        let losses =
            [FieldLoss].all(but: fields, in: schema) + [
                FieldLoss("months and days of publication") { $0.published?.month != nil }
            ]
        return losses.map { $0.unless { $0.record?["marc"] != nil } }
    }
}
