internal import ConnectorProtocol
internal import JSON

/// A change of a book in a library on calibre's content server.
struct CalibreChange {
    /// What becomes of the book.
    private enum Kind {
        case addition(JSONValue)
        case change(from: JSONValue, to: JSONValue)
        case deletion(JSONValue)
    }

    /// What is to be done on the server.
    enum Step: Hashable {
        /// Nothing: the server has it so already.
        case nothing
        /// The book is added with these metadata, and then gets these fields.
        case add([JSONValue.Member], then: [JSONValue.Member])
        /// The book of this number gets these fields.
        case set([JSONValue.Member], of: Int)
        /// The book of this number is deleted.
        case delete(Int)
        /// The change is not made.
        case refuse(RefusedRow.Reason, String?)
    }

    private let kind: Kind

    /// Reads a row of a publication; fails if it describes no change.
    init?(_ row: JSONValue) {
        let old = row["old"].flatMap { $0.members == nil ? nil : CalibreFields.withISBNAmongIdentifiers($0) }
        let new = row["new"].flatMap { $0.members == nil ? nil : CalibreFields.withISBNAmongIdentifiers($0) }
        switch (old, new) {
        case (nil, let new?): kind = .addition(new)
        case (let old?, let new?): kind = .change(from: old, to: new)
        case (let old?, nil): kind = .deletion(old)
        case (nil, nil): return nil
        }
        if old != nil, id == nil { return nil }
    }

    /// The number of the book; nil for a new one.
    var id: Int? {
        switch kind {
        case .addition: nil
        case .change(let old, _), .deletion(let old): old["id"]?.integer
        }
    }

    /// Returns what is to be done, if the server has the book as `present`; nil if it does not have it.
    ///
    /// - Parameter omitsMisfits: Whether values without a place are left out.
    func step(over present: JSONValue?, in columns: CalibreColumns, omittingMisfits omitsMisfits: Bool) -> Step {
        let present = present.map(CalibreFields.withISBNAmongIdentifiers)
        do throws(CalibreMisfit) {
            switch kind {
            case .addition(let new): return try addition(of: new, columns, omitsMisfits)
            case .change(let old, let new):
                guard let present, let id else { return .refuse(.gone, nil) }
                return try change(of: id, from: old, to: new, over: present, columns, omitsMisfits)
            case .deletion(let old):
                guard let present, let id else { return .nothing }
                let key = Self.keys(of: old, present).first { key in
                    !CalibreFields.isVolatile(key) && !CalibreFields.areSame(key, old[key], present[key])
                }
                return key.map { .refuse(.changed, $0) } ?? .delete(id)
            }
        } catch {
            return .refuse(error.reason, error.key)
        }
    }

    private static func keys(of one: JSONValue, _ other: JSONValue) -> [String] {
        var known: Set<String> = []
        return ((one.members ?? []) + (other.members ?? [])).map(\.key).filter { known.insert($0).inserted }
    }

    private func change(
        of id: Int, from old: JSONValue, to new: JSONValue, over present: JSONValue, _ columns: CalibreColumns,
        _ omitsMisfits: Bool
    ) throws(CalibreMisfit) -> Step {
        var fields: [JSONValue.Member] = []
        for key in Self.keys(of: new, old) where !CalibreFields.areSame(key, old[key], new[key]) {
            if CalibreFields.areSame(key, present[key], new[key]) { continue }
            if !CalibreFields.areSame(key, present[key], old[key]) { return .refuse(.changed, key) }
            if let field = try field(key, of: new, columns, omitsMisfits) { fields.append(field) }
        }
        return fields.isEmpty ? .nothing : .set(Self.ordered(fields), of: id)
    }

    private func addition(
        of new: JSONValue, _ columns: CalibreColumns, _ omitsMisfits: Bool
    ) throws(CalibreMisfit) -> Step {
        var metadata: [JSONValue.Member] = []
        var others: [JSONValue.Member] = []
        for member in new.members ?? [] {
            guard let field = try field(member.key, of: new, columns, omitsMisfits), field.value != .null else {
                continue
            }
            if field.key.hasPrefix("#") {
                others.append(field)
            } else {
                metadata.append(field.key == "sort" ? .init(key: "title_sort", value: field.value) : field)
            }
        }
        // calibre takes such a name for several when it adds a book, but not when it changes one.
        if let authors = metadata.first(where: { $0.key == "authors" }), Self.haveSeparators(authors.value) {
            others.insert(authors, at: 0)
        }
        return .add(metadata, then: Self.ordered(others))
    }

    /// Whether a name has what calibre separates names by.
    private static func haveSeparators(_ names: JSONValue) -> Bool {
        (names.elements ?? []).compactMap { $0.string?.lowercased() }.contains { name in
            name.contains(" and ") || name.contains(" with ")
        }
    }

    private func field(
        _ key: String, of record: JSONValue, _ columns: CalibreColumns, _ omitsMisfits: Bool
    ) throws(CalibreMisfit) -> JSONValue.Member? {
        do throws(CalibreMisfit) {
            return try CalibreFields.field(key, record[key], of: record, in: columns)
        } catch {
            // What is empty needs no place.
            if omitsMisfits || record[key] == .null || record[key] == .string("") || record[key] == .array([]) {
                return nil
            }
            throw error
        }
    }

    /// Returns fields in the order in which calibre must set them: what it computes from others comes behind those.
    private static func ordered(_ fields: [JSONValue.Member]) -> [JSONValue.Member] {
        func isComputed(_ field: JSONValue.Member) -> Bool {
            field.key == "sort" || field.key == "author_sort" || field.key.hasSuffix("_index")
        }
        return fields.filter { !isComputed($0) } + fields.filter(isComputed)
    }
}
