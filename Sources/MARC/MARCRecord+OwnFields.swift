internal import JSON

/// What librarians say of a book beyond the usual: fields that only such catalogs have.
extension MARCRecord {
    func addOwnFields(to json: inout RecordJSON) {
        var (edition, extent, bibliography): (String?, String?, String?)
        var (lcClasses, deweyClasses): ([String], [String]) = ([], [])
        var (notes, contents): ([String], [String]) = ([], [])
        var hasTwins = false
        var (locations, callNumbers): ([String], [String]) = ([], [])
        // One pass, as every record has these fields.
        for field in fields {
            switch field.tag {
            case 50, 90: lcClasses.add(strings(field, "a").first?.trimmed)
            // Slashes mark where a number may be shortened.
            case 82, 92: deweyClasses.add(strings(field, "a").first?.trimmed.filter { $0 != "/" })
            case 250: edition = edition ?? strings(field, "a").first.map(plain)
            case 300: extent = extent ?? joined(field)
            case 504: bibliography = bibliography ?? joined(field)
            case 505: contents.add(joined(field))
            case 520: break
            case 500...599: notes.add(joined(field))
            case 880: hasTwins = true
            case 852:
                locations.add(parts(field, "abc").map(plain).joined(separator: ", "))
                callNumbers.add(parts(field, "khijm").joined(separator: " ").trimmed)
            default: break
            }
        }
        if hasTwins { json.add("namesInOriginalScript", namesInOriginalScript) }
        json.add("edition", edition)
        json.add("extent", extent)
        json.add("notes", notes)
        json.add("contents", contents)
        json.add("bibliography", bibliography)
        json.add("lcClass", lcClasses)
        json.add("deweyClass", deweyClasses)
        json.add("location", locations)
        json.add("callNumber", callNumbers)
    }

    /// The names of the persons and bodies of the book that fields 880 give.
    private var namesInOriginalScript: [String] {
        var names: [String] = []
        for tag in [100, 110, 111, 700, 710, 711] {
            for var field in twins(of: tag) where strings(field, "t").isEmpty {
                field.tag = tag
                names.add(name(of: field))
            }
        }
        return names
    }

    /// The texts of a field as it is read: without the subfields for machines, whose codes are digits.
    private func joined(_ field: Field) -> String {
        var text = ""
        for subfield in subfields[field.subfields] where subfield.code >= UInt8(ascii: "a") {
            let part = string(subfield.text).trimmed
            if !text.isEmpty, !part.isEmpty { text += " " }
            text += part
        }
        return text
    }

    /// The texts of the subfields with these codes, in record order.
    private func parts(_ field: Field, _ codes: StaticString) -> [String] {
        subfields[field.subfields].filter { subfield in
            codes.withUTF8Buffer { $0.contains(subfield.code) } && !subfield.text.isEmpty
        }.map { string($0.text) }
    }
}

extension [String] {
    /// Adds a text, unless it is empty or known.
    fileprivate mutating func add(_ text: String?) {
        if let text, !text.isEmpty, !contains(text) { append(text) }
    }
}
