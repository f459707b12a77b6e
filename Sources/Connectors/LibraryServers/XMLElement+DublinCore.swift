internal import JSON
internal import MARC

extension XMLElement {
    /// Adds the fields of a record of Dublin Core under the keys of stacks.
    func addDublinCore(to json: inout RecordJSON) {
        let identifiers = texts("identifier")
        let isbns = identifiers.compactMap { text -> String? in
            let lower = text.lowercased()
            guard let range = lower.firstRange(of: "isbn") else { return nil }
            let number = lower[range.upperBound...].drop { ": ".contains($0) }.prefix {
                $0.isHexDigit || "-x".contains($0)
            }
            return number.count < 10 ? nil : number.uppercased()
        }
        json.add("id", texts("recordIdentifier").first ?? identifiers.first { !$0.lowercased().contains("isbn") })
        json.add("title", texts("title").first)
        json.add("authors", texts("creator"))
        json.add("contributors", objects: texts("contributor").map { [("name", $0), ("role", nil)] })
        json.add("isbn", isbns)
        json.add("publisher", texts("publisher").first)
        json.add("published", texts("date").lazy.compactMap(\.firstYear).first)
        json.add("languages", texts("language"))
        json.add("subjects", texts("subject"))
        json.add("description", texts("description").joined(separator: "\n"))
        json.add("itemType", texts("type").first)
        json.add("rights", texts("rights").first)
    }
}
