internal import JSON

/// What librarians say of a book beyond the usual: a field that only such catalogs have.
package enum MARCOwnField: Int, CaseIterable {
    case namesInOriginalScript, edition, extent, notes, contents, bibliography, lcClass, deweyClass, location,
        callNumber

    /// The key of the field in a row.
    package var key: String { Self.keys[rawValue] }
    private static let keys = allCases.map { String(describing: $0) }

    /// Whether only the first value counts.
    package var isSingle: Bool { self == .edition || self == .extent || self == .bibliography }
}

extension MARCRecord {
    func addOwnFields(to json: inout RecordJSON) {
        let all = MARCOwnField.allCases
        var values = [[String]](repeating: [], count: all.count)
        // One pass, as every record has these fields.
        for field in fields {
            addOwnValues(of: field) { own, text in
                let place = own.rawValue
                if !text.isEmpty, !own.isSingle || values[place].isEmpty, !values[place].contains(text) {
                    values[place].append(text)
                }
            }
        }
        for own in all where !values[own.rawValue].isEmpty {
            json.key(own.key)
            if own.isSingle {
                json.value(values[own.rawValue][0])
            } else {
                json.open("[")
                for text in values[own.rawValue] { json.value(text) }
                json.close("]")
            }
        }
    }

    /// Passes what a field says beyond the usual to `add`.
    package func addOwnValues(of field: Field, to add: (MARCOwnField, String) -> Void) {
        switch field.tag {
        case 50, 90: if let text = first(field, "a") { add(.lcClass, text.trimmed) }
        // Slashes mark where a number may be shortened.
        case 82, 92: if let text = first(field, "a") { add(.deweyClass, text.trimmed.filter { $0 != "/" }) }
        case 250: if let text = first(field, "a") { add(.edition, plain(text)) }
        case 300: add(.extent, joined(field))
        case 504: add(.bibliography, joined(field))
        case 505: add(.contents, joined(field))
        case 520: break
        case 500...599: add(.notes, joined(field))
        case 880: if let name = nameInOriginalScript(field) { add(.namesInOriginalScript, name) }
        case 852:
            add(.location, parts(field, "abc").map(plain).joined(separator: ", "))
            add(.callNumber, parts(field, "khijm").joined(separator: " ").trimmed)
        default: break
        }
    }

    /// Returns the name of a person or body of the book in a field 880.
    private func nameInOriginalScript(_ field: Field) -> String? {
        guard let tag = tagOfTwin(field), [100, 110, 111, 700, 710, 711].contains(tag), first(field, "t") == nil else {
            return nil
        }
        var twin = field
        twin.tag = tag
        return name(of: twin)
    }

    /// The text of the first subfield with this code that has one.
    private func first(_ field: Field, _ code: Unicode.Scalar) -> String? {
        let found = field.subfields.first { subfields[$0].code == UInt8(ascii: code) && !subfields[$0].text.isEmpty }
        return found.map { string(subfields[$0].text) }
    }

    /// The texts of a field as it is read: without the subfields for machines, whose codes are digits.
    private func joined(_ field: Field) -> String {
        var text = ""
        for subfield in subfields[field.subfields] where subfield.code >= UInt8(ascii: "a") {
            let part = string(subfield.text)
            if text.isEmpty {
                text = part
            } else {
                if text.utf8.last != 0x20 { text += " " }
                text += part
            }
        }
        return text.trimmed
    }

    /// The texts of the subfields with these codes, in record order.
    private func parts(_ field: Field, _ codes: StaticString) -> [String] {
        subfields[field.subfields].filter { subfield in
            codes.withUTF8Buffer { $0.contains(subfield.code) } && !subfield.text.isEmpty
        }.map { string($0.text) }
    }
}
