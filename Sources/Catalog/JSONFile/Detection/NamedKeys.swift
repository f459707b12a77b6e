internal import Books
internal import JSON

/// Keys that a general profile does not read, but whose names tell a field.
extension Profile {
    /// Whether catalogs of all kinds are read by the profile, so that their keys have to be recognized by names.
    private var isGeneral: Bool { name == ProfileRecognition.native || name == "table" }

    /// Returns the keys of records that hold a field by their names, for fields that the profile does not find in them;
    /// in the order in which they are read.
    ///
    /// - Parameters:
    ///   - sample: The first records; of a table, the first row has all columns.
    ///   - isTable: Whether the records are rows of a table. Other keys must tell a field by themselves, as columns of
    ///     tables are named after what they hold, but "label" in a record may be anything.
    func namedKeys(in sample: [JSONValue], isTable: Bool) -> [String] {
        guard isGeneral else { return [] }
        var keys: [String] = []
        var seen: Set<String> = []
        for record in sample {
            for member in record.members ?? [] where seen.insert(member.key).inserted {
                keys.append(member.key)
            }
        }
        // A key that is null everywhere says nothing, but that of a column without any cell is a column.
        let present = Set(keys.filter { key in isTable || sample.contains { $0[key].map { $0 != .null } ?? false } })
        func isRead(_ path: FieldPath) -> Bool { path.leadingNames.first.map(present.contains) ?? false }
        let known = Set(mapping.rules.filter { $0.value.candidates.contains { isRead($0.path) } }.keys)
        let read = Set(mapping.rules.values.flatMap { $0.candidates.compactMap(\.path.leadingNames.first) })
        var offers: [BookField: (key: String, weight: Double, isTelling: Bool)] = [:]
        for key in keys where !read.contains(key) && !key.contains(where: \.isNewline) {
            guard let (field, weight, isTelling) = BookField.named(key), !known.contains(field),
                isTelling || isTable && Self.doubtful.contains(field),
                Self.isPlausible(sample.compactMap { $0[key] }, for: field, isTelling)
            else { continue }
            // A doubtful name counts only without a better one.
            let rank = (isTelling ? 1 : 0, weight)
            if let best = offers[field], (best.isTelling ? 1 : 0, best.weight) >= rank { continue }
            offers[field] = (key, weight, isTelling)
        }
        let isOfBooks = [BookField.authors, .isbn, .publisher].contains { known.contains($0) || offers[$0] != nil }
        // A label or heading is a title only of a book.
        if offers[.title]?.isTelling == false, !isOfBooks { offers[.title] = nil }
        // Without titles, a profile has to be made for the catalog.
        guard known.contains(.title) || offers[.title] != nil else { return [] }
        // Marks depend on the ISBN: where the books were read before, it stays unknown.
        if known.contains(.title) { offers[.isbn] = nil }
        return BookField.builtIn.compactMap { offers[$0]?.key }
    }

    /// The fields that are recognized in tables by doubtful names, too. Numbers and flags are not: a length may be that of
    /// a film, a note that of the reader, and a barcode that of a library.
    private static let doubtful: Set<BookField> = [
        .title, .authors, .published, .languages, .subjects, .series, .seriesPosition, .description,
    ]

    /// Returns this profile with rules for the fields that these keys tell.
    func reading(_ keys: [String]) -> Profile {
        if keys.isEmpty { return self }
        var rules = mapping.rules
        for key in keys {
            guard let field = BookField.named(key)?.field else { continue }
            let split = field == .authors ? "names" : nil
            rules[field, default: .init([])].candidates.append(.init(FieldPath(steps: [.name(key)]), split: split))
        }
        return Profile(
            name: name, label: label, records: records,
            mapping: FieldMapping(rules: rules, own: mapping.own, ignored: mapping.ignored),
            hiddenFields: hiddenFields)
    }

    /// Whether most values can be read as values of `field`, all at a doubtful name; a column without any has only its
    /// name.
    private static func isPlausible(_ values: [JSONValue], for field: BookField, _ isTelling: Bool) -> Bool {
        let values = values.filter { !$0.isBlank }
        if values.isEmpty { return isTelling }
        let candidate = FieldMapping.Candidate(FieldPath(steps: []))
        let readable = values.count { value in
            switch candidate.value(of: field, in: value) {
            case .isbn(let isbn)?: isbn.isValid
            case nil: false
            default: true
            }
        }
        return readable * 4 >= values.count * (isTelling ? 3 : 4) && PathValues(values).plausibility(for: field) > 0.3
    }
}

extension BookField {
    /// Returns the field that a key tells best; nil for none. The key of a record is never taken from a name, as marks
    /// depend on it, and roles and schemes only profiles know.
    static func named(_ key: String) -> (field: BookField, weight: Double, isTelling: Bool)? {
        named[FieldNames.key(of: key)]
    }

    private static let named: [String: (field: BookField, weight: Double, isTelling: Bool)] = {
        var named: [String: (field: BookField, weight: Double, isTelling: Bool)] = [:]
        for field in builtIn where field != .sourceID && !field.gathers {
            for name in field.names.all {
                guard let weight = field.names.weight(of: name) else { continue }
                let isTelling = field.names.telling.contains(name)
                // What tells one field is none of another.
                if let other = named[name], (other.isTelling ? 1 : 0, other.weight) >= (isTelling ? 1 : 0, weight) {
                    continue
                }
                named[name] = (field, weight, isTelling)
            }
        }
        return named
    }()
}
