internal import Books
internal import JSON
internal import Text

extension Book {
    /// Returns the book as a CSL-JSON item, the input of citeproc (Citation Style Language 1.0.2, csl-data.json), with
    /// only fields of its schema.
    ///
    /// Of the user data, shelves become keywords and the note becomes `note`; the rest is in `custom`.
    func cslItem(identity: BookIdentity, userData: PrintedUserData? = nil) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init(key: "id", value: .string(identity.description)), .init(key: "type", value: .string("book")),
        ]
        func add(_ key: String, _ value: JSONValue?) {
            if let value { members.append(.init(key: key, value: value)) }
        }
        func add(_ key: String, _ text: String?) {
            if let text, !text.isEmpty { add(key, .string(text)) }
        }
        func add(_ key: String, namesOf names: [String]) {
            if !names.isEmpty { add(key, .array(names.map(\.cslName))) }
        }
        add("title", [title, subtitle].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ": "))
        add("author", namesOf: authors)
        var names: [String: [String]] = [:]
        for contributor in contributors { names[contributor.cslVariable, default: []].append(contributor.name) }
        for variable in names.keys.sorted() { add(variable, namesOf: names[variable] ?? []) }
        add("issued", published.map { .object([.init(key: "date-parts", value: .array([$0.dateParts]))]) })
        add("publisher", publisher)
        add("ISBN", isbn?.text)
        add("URL", identifiers.first { $0.scheme.lowercased() == "url" }?.value)
        add("DOI", identifiers.first { $0.scheme.lowercased() == "doi" }?.value)
        add("number-of-pages", pageCount.map { .number(String($0)) })
        add("language", languages.first)
        add("collection-title", series)
        add("collection-number", seriesPosition.flatMap { $0.isFinite ? .string($0.inBibliography) : nil })
        add("keyword", (subjects + (userData?.shelves ?? [])).uniqued().joined(separator: ", "))
        add("abstract", description)
        add("note", userData?.note)
        add("custom", userData?.customFields)
        return .object(members)
    }
}

extension Book {
    /// What CSL-JSON cannot keep.
    static func cslLosses(in schema: Schema) -> [FieldLoss] {
        [FieldLoss].all(but: .bibliographic.subtracting([.subtitle]), in: schema) + [
            FieldLoss("further languages") { $0.languages.count > 1 },
            .commasInSubjects,
            FieldLoss("further identifiers") { book in
                book.identifiers.contains { !["doi", "url"].contains($0.scheme.lowercased()) }
            },
            FieldLoss("roles that CSL does not have") { $0.contributors.contains { $0.cslVariable == "contributor" } },
        ]
    }
}

extension PrintedUserData {
    /// The values for which CSL has no field, as in the native record; nil if there are none.
    fileprivate var customFields: JSONValue? {
        let members = (json.members ?? []).filter { !["shelves", "note"].contains($0.key) }
        return members.isEmpty ? nil : .object(members)
    }
}

extension String {
    /// This name as a name variable: in parts if it is personal, otherwise literal.
    fileprivate var cslName: JSONValue {
        guard let parts = NameParts(self) else { return .object([.init(key: "literal", value: .string(self))]) }
        let members = [
            ("family", parts.family), ("given", parts.given), ("non-dropping-particle", parts.particle),
            ("suffix", parts.suffix),
        ]
        return .object(members.filter { !$0.1.isEmpty }.map { .init(key: $0.0, value: .string($0.1)) })
    }
}

extension PartialDate {
    /// The known numbers: year, month and day.
    fileprivate var dateParts: JSONValue {
        .array([year, month, day].compactMap { $0.map { .number(String($0)) } })
    }
}

extension Book.Contributor {
    /// The name variable of the contributor's role; `contributor` if CSL has none for it.
    fileprivate var cslVariable: String { Self.variables[role?.lowercased() ?? ""] ?? "contributor" }

    // Includes the codes that libraries use (MARC Code List for Relators).
    private static let variables = [
        "editor": "editor", "edt": "editor", "translator": "translator", "trl": "translator",
        "illustrator": "illustrator", "ill": "illustrator", "composer": "composer", "cmp": "composer",
        "compiler": "compiler", "com": "compiler", "series editor": "collection-editor", "director": "director",
        "drt": "director", "interviewer": "interviewer", "ivr": "interviewer", "performer": "performer",
        "prf": "performer", "producer": "producer", "pro": "producer", "curator": "curator", "cur": "curator",
    ]
}

extension Double {
    /// The number as printed in a bibliography: without a fraction if it is an integer.
    var inBibliography: String { self == rounded() && magnitude < 1e15 ? String(Int(self)) : String(self) }
}
