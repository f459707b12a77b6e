internal import JSON

extension MARCRecord {
    /// Whether the record is a UNIMARC record: it has its title in field 200, which MARC 21 does not have.
    public var isUNIMARC: Bool { !fields.contains { $0.tag == 245 } && !values(200, "a").isEmpty }

    /// Adds the fields of a book under the keys of stacks.
    func addUNIMARCBook(to json: inout RecordJSON) {
        json.add("id", fields.first { $0.tag == 1 }.map { text(of: $0) })
        json.add("title", (values(200, "a").prefix(1) + values(200, "h") + values(200, "i")).joined(separator: ". "))
        json.add("sortTitle", sortTitle(fields.first { $0.tag == 200 }))
        json.add("subtitle", values(200, "e").joined(separator: " "))
        var authors: [String] = []
        var contributors: [[(key: String, value: String?)]] = []
        for field in fields where (700...712).contains(field.tag) {
            // Some libraries write the comma into the second part: ", Isaac".
            let parts = (strings(field, "a") + strings(field, "b")).map { part in
                String(part.drop { $0 == "," || $0 == " " }).withoutPunctuation
            }
            let name = parts.joined(separator: ", ")
            if name.isEmpty { continue }
            // Fields 702 and 712 have secondary responsibility, the others a role if it is another than author.
            let codes = strings(field, "4")
            let isAuthor =
                codes.isEmpty ? field.tag % 10 != 2 : codes.contains(where: UNIMARCRole.authors.contains)
            if !isAuthor {
                contributors.append([("name", name), ("role", codes.lazy.compactMap(UNIMARCRole.role).first)])
            } else if !authors.contains(name) {
                authors.append(name)
            }
        }
        json.add("authors", authors)
        json.add("contributors", objects: contributors)
        json.add("isbn", values(10, "a"))
        json.add("pageCount", values(215, "a").first)
        json.add("publisher", (values(210, "c") + values(214, "c")).first?.withoutPunctuation)
        json.add("place", (values(210, "a") + values(214, "a")).first?.withoutPunctuation)
        json.add("published", (values(210, "d") + values(214, "d")).lazy.compactMap(\.firstYear).first ?? codedYear)
        json.add("languages", values(101, "a"))
        json.add("subjects", (600...610).flatMap { tag in values(tag, "a").map(\.withoutPunctuation) })
        json.add("series", values(225, "a").first)
        json.add("seriesPosition", values(225, "v").first?.firstNumber)
        json.add("description", values(330, "a").joined(separator: "\n"))
        json.add("edition", values(205, "a").first)
        json.add("extent", values(215, "a").first)
        json.add("lcClass", values(680, "a"))
        json.add("deweyClass", values(676, "a"))
        json.add("notes", values(300, "a"))
    }

    /// The first year of publication in field 100, in characters 9 to 12 of subfield a, if all of its digits are known.
    private var codedYear: String? {
        guard let coded = values(100, "a").first, coded.utf8.count >= 13 else { return nil }
        let year = coded.utf8.dropFirst(9).prefix(4)
        return year.allSatisfy { (0x30...0x39).contains($0) } ? String(Substring(year)) : nil
    }
}
