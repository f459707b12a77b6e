internal import Books
internal import JSON
internal import MARC
internal import Text

/// Fields that only catalogs of libraries have.
extension MARCRevision {
    /// The places of these fields: the tag and indicators of a new one, and the codes of the subfields that give the
    /// value, of which the last is that of a new one.
    private static let places: [MARCOwnField: (tag: String, indicators: String, codes: String)] = [
        .edition: ("250", "  ", "a"), .extent: ("300", "  ", "bcefga"), .notes: ("500", "  ", "bcdefgznota"),
        .contents: ("505", "0 ", "grtua"), .bibliography: ("504", "  ", "ba"), .lcClass: ("050", " 4", "a"),
        .deweyClass: ("082", "04", "a"), .location: ("852", "  ", "bca"), .callNumber: ("852", "  ", "kijmh"),
    ]

    /// Returns the values that `record` has and `row` has not, in the order of their fields.
    ///
    /// A value that is missing from `record` is deleted, unless all but the edition are: then the record is older than
    /// these fields.
    static func changes(from row: JSONValue, to record: JSONValue) -> [(MARCOwnField, [String])] {
        func texts(_ value: JSONValue?) -> [String] {
            (value?.elements ?? value.map { [$0] } ?? []).compactMap { $0.string?.nonEmpty }
        }
        let fields = MARCOwnField.allCases.filter { places[$0] != nil }
        let hasAny = fields.contains { $0 != .edition && record[$0.key] != nil }
        return fields.compactMap { own in
            let value = record[own.key]
            let new = texts(value)
            return value == nil && !hasAny || new == texts(row[own.key]) ? nil : (own, new)
        }
    }

    /// Sets the values of a field. A value that was there keeps its field; one that takes the place of another, the other
    /// subfields of that.
    mutating func revise(_ own: MARCOwnField, to texts: [String]) {
        guard let place = Self.places[own] else { return }
        var known: [(text: String, number: Int)] = []
        for number in kept.fields.indices {
            kept.addOwnValues(of: kept.fields[number]) { if $0 == own, !$1.isEmpty { known.append(($1, number)) } }
        }
        if own.isSingle { known = Array(known.prefix(1)) }
        let old = Set(known.map { current($0.number) })
        let givenTexts = known.map(\.text).uniqued()
        let newCode = String(place.codes.suffix(1))
        var new: [Field?] = []
        for (index, text) in texts.enumerated() {
            let same = known.filter { $0.text == text }.map { current($0.number) }
            if !same.isEmpty {
                new += same
            } else if givenTexts.count == texts.count,
                let before = known.first(where: { $0.text == givenTexts[index] })
            {
                var field = current(before.number)
                let code = field.subfields.first { place.codes.contains($0.code) }?.code ?? newCode
                field.subfields.removeAll { $0.code != code && place.codes.contains($0.code) }
                if own == .edition || own == .location {
                    setSubfield(code, of: &field, to: text)
                } else if let subfield = field.subfields.firstIndex(where: { $0.code == code }) {
                    // Other values have their punctuation.
                    field.subfields[subfield].text = text
                }
                new.append(field)
                latest[before.number] = field
            } else {
                new.append(Field(place.tag, indicators: place.indicators, [(newCode, text)]))
            }
        }
        if givenTexts.count != texts.count {
            for gone in known where !texts.contains(gone.text) {
                // The field may have another value, such as the number of pages.
                var field = current(gone.number)
                let codes = own == .extent && book.pageCount != nil ? "bcefg" : place.codes
                field.subfields.removeAll { codes.contains($0.code) }
                if field.subfields.contains(where: { $0.code >= "a" }) { new.append(field) }
                latest[gone.number] = field
            }
        }
        replace(old, with: new)
    }

    /// Returns the field with this number in the kept record as it is now.
    private func current(_ number: Int) -> Field {
        let field = latest[number] ?? original[number]
        // The number of pages stands in the only field with its tag.
        return text.fields.contains(field) ? field : text.fields.first { $0.tag == field.tag } ?? field
    }
}
