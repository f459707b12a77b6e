internal import JSON

/// What librarians say of a book beyond the usual: fields that only such catalogs have.
extension MARCRecord {
    func addOwnFields(to json: inout RecordJSON) {
        var (edition, extent, bibliography): (String?, String?, String?)
        var (lcClasses, deweyClasses): ([String], [String]) = ([], [])
        var (notes, contents, names): ([String], [String], [String]) = ([], [], [])
        var (locations, callNumbers): ([String], [String]) = ([], [])
        // One pass, as every record has these fields.
        for field in fields {
            switch field.tag {
            case 50, 90: lcClasses.add(first(field, "a")?.trimmed)
            // Slashes mark where a number may be shortened.
            case 82, 92: deweyClasses.add(first(field, "a")?.trimmed.filter { $0 != "/" })
            case 250: edition = edition ?? first(field, "a").map(plain)
            case 300: extent = extent ?? joined(field)
            case 504: bibliography = bibliography ?? joined(field)
            case 505: contents.add(joined(field))
            case 520: break
            case 500...599: notes.add(joined(field))
            case 880: names.add(nameInOriginalScript(field))
            case 852:
                locations.add(parts(field, "abc").map(plain).joined(separator: ", "))
                callNumbers.add(parts(field, "khijm").joined(separator: " ").trimmed)
            default: break
            }
        }
        json.add("namesInOriginalScript", names)
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

extension [String] {
    /// Adds a text, unless it is empty or known.
    fileprivate mutating func add(_ text: String?) {
        if let text, !text.isEmpty, !contains(text) { append(text) }
    }
}
