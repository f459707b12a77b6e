internal import ConnectorProtocol
internal import JSON

/// A change of a book in a library on calibre's content server.
struct CalibreChange {
    /// The kinds of changes.
    private enum Kind {
        case addition(JSONValue)
        case change(from: JSONValue, to: JSONValue)
        case deletion(JSONValue)
    }

    /// The steps on the server.
    enum Step: Hashable {
        /// Nothing, because the server already has the values.
        case nothing
        /// The book is added with this metadata, then these fields are set.
        case add([JSONValue.Member], then: [JSONValue.Member])
        /// These fields of the book with this id are set.
        case set([JSONValue.Member], of: Int)
        /// The book with this id is deleted.
        case delete(Int)
        /// The change is refused.
        case refuse(RefusedRow.Reason, String?)
    }

    private let kind: Kind

    /// Parses a row of a publication; fails if it describes no change.
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

    /// The id of the book; nil for a new book.
    var id: Int? {
        switch kind {
        case .addition: nil
        case .change(let old, _), .deletion(let old): old["id"]?.integer
        }
    }

    /// Returns the step for this change.
    ///
    /// - Parameters:
    ///   - present: The record on the server; nil if the server does not have the book.
    ///   - columns: The custom columns of the library.
    ///   - omitsUnsupported: Whether to omit values that the library cannot store.
    func step(
        over present: JSONValue?, in columns: CalibreColumns, omittingUnsupported omitsUnsupported: Bool
    ) -> Step {
        let present = present.map(CalibreFields.withISBNAmongIdentifiers)
        do throws(CalibreFieldError) {
            switch kind {
            case .addition(let new): return try addition(of: new, columns, omitsUnsupported)
            case .change(let old, let new):
                guard let present, let id else { return .refuse(.gone, nil) }
                return try change(of: id, from: old, to: new, over: present, columns, omitsUnsupported)
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
        _ omitsUnsupported: Bool
    ) throws(CalibreFieldError) -> Step {
        var fields: [JSONValue.Member] = []
        for key in Self.keys(of: new, old) where !CalibreFields.areSame(key, old[key], new[key]) {
            if CalibreFields.areSame(key, present[key], new[key]) { continue }
            if !CalibreFields.areSame(key, present[key], old[key]) { return .refuse(.changed, key) }
            if let field = try field(key, of: new, columns, omitsUnsupported) { fields.append(field) }
        }
        return fields.isEmpty ? .nothing : .set(Self.ordered(fields), of: id)
    }

    private func addition(
        of new: JSONValue, _ columns: CalibreColumns, _ omitsUnsupported: Bool
    ) throws(CalibreFieldError) -> Step {
        var metadata: [JSONValue.Member] = []
        var others: [JSONValue.Member] = []
        for member in new.members ?? [] {
            guard let field = try field(member.key, of: new, columns, omitsUnsupported), field.value != .null else {
                continue
            }
            if field.key.hasPrefix("#") {
                others.append(field)
            } else {
                metadata.append(field.key == "sort" ? .init(key: "title_sort", value: field.value) : field)
            }
        }
        // calibre splits a name such as "Ann and Ben" when it adds a book, but not when it sets a field.
        if let authors = metadata.first(where: { $0.key == "authors" }), Self.haveSeparators(authors.value) {
            others.insert(authors, at: 0)
        }
        return .add(metadata, then: Self.ordered(others))
    }

    /// Returns whether calibre would split a name.
    private static func haveSeparators(_ names: JSONValue) -> Bool {
        (names.elements ?? []).compactMap { $0.string?.lowercased() }.contains { name in
            name.contains(" and ") || name.contains(" with ")
        }
    }

    private func field(
        _ key: String, of record: JSONValue, _ columns: CalibreColumns, _ omitsUnsupported: Bool
    ) throws(CalibreFieldError) -> JSONValue.Member? {
        do throws(CalibreFieldError) {
            return try CalibreFields.field(key, record[key], of: record, in: columns)
        } catch {
            // An empty value needs no column.
            if omitsUnsupported || record[key] == .null || record[key] == .string("") || record[key] == .array([]) {
                return nil
            }
            throw error
        }
    }

    /// Returns the fields in the order for calibre: it computes some fields from others, so these must be set last.
    private static func ordered(_ fields: [JSONValue.Member]) -> [JSONValue.Member] {
        func isComputed(_ field: JSONValue.Member) -> Bool {
            field.key == "sort" || field.key == "author_sort" || field.key.hasSuffix("_index")
        }
        return fields.filter { !isComputed($0) } + fields.filter(isComputed)
    }
}
