public import Books
internal import Catalog
public import Indexing
internal import JSON

/// Books that become one.
public struct BookMerging: Sendable {
    /// The books; the first one stays, and the others are deleted.
    public let ids: [BookID]
    /// Gives the first book its values.
    public let change: @Sendable (inout Book) -> Void

    /// Creates the merging of at least two books.
    public init(_ ids: [BookID], _ change: @escaping @Sendable (inout Book) -> Void) {
        (self.ids, self.change) = (ids, change)
    }
}

extension EditedCatalog {
    /// Merges books: of each group, one gets the values that its merging gives it, and what no field reads of the others,
    /// which are deleted.
    ///
    /// - Throws: `CatalogEditError`; nothing is changed then.
    public func merge(_ mergings: [BookMerging]) throws(CatalogEditError) -> EditOutcome? {
        try perform(mergings.flatMap(\.ids)) { ids throws(CatalogEditError) in
            guard ids.count == mergings.reduce(0, { $0 + $1.ids.count }) else { throw .changedSince }
            var replacements: [CatalogEdit.Replacement] = []
            var deleted: [BookID] = []
            var rest = ids[...]
            for merging in mergings {
                let group = rest.prefix(merging.ids.count)
                rest = rest.dropFirst(merging.ids.count)
                for case .replace(let changed) in try edits(merging, of: group) { replacements += changed }
                deleted += group.dropFirst()
            }
            replacements.sort { $0.position < $1.position }
            return (replacements.isEmpty ? [] : [.replace(replacements)]) + (try edits(.delete, of: deleted))
        }
    }

    /// Returns the edits that give the first book of a group what it gets of all.
    private func edits(
        _ merging: BookMerging, of group: ArraySlice<BookID>
    ) throws(CatalogEditError) -> [CatalogEdit] {
        guard let first = group.first, let bytes = bytes(of: first), let old = book(from: bytes) else {
            throw .recordGone(title: "")
        }
        var new = old
        merging.change(&new)
        let merged = new
        let fields = (base.format?.schema ?? .ofEveryBook).fields.filter { $0.value(in: merged) != $0.value(in: old) }
        let setting = BulkEdit.set(Set(fields)) { book in
            for field in fields {
                if let value = field.value(in: merged) { field.set(value, in: &book) } else { field.clear(in: &book) }
            }
        }
        let changed = try edits(setting, of: [first])
        var record = bytes
        if case .replace(let replacements)? = changed.first, let new = replacements.first?.new { record = new }
        let whole = try adding(membersOf: group.dropFirst(), to: record)
        return whole == bytes ? [] : [.replace([.init(position: first.index, old: bytes, new: whole)])]
    }

    /// Returns a record with what no field of every catalog reads of other records, as far as it has no member with the
    /// same key.
    private func adding(
        membersOf others: ArraySlice<BookID>, to record: [UInt8]
    ) throws(CatalogEditError) -> [UInt8] {
        // A server has no place for it.
        guard target.keepsOrder, let mapping = base.format?.mapping, let members = JSONValue(parsing: record)?.members
        else { return record }
        // The value of a field that cannot be read stays away, under whichever of its keys.
        let rules = mapping.rules.filter { !$0.key.isOwn }.values
        let read = rules.flatMap(\.candidates).compactMap { candidate -> String? in
            guard case .name(let key)? = candidate.path.steps.first, candidate.path.steps.count == 1 else { return nil }
            return key
        }
        var keys = Set(members.map(\.key) + read)
        let more = others.compactMap { bytes(of: $0).flatMap(JSONValue.init(parsing:)) }
            .flatMap { mapping.recordedBook(from: $0).unread }
            .filter { !$0.value.isBlank && keys.insert($0.key).inserted }
        if more.isEmpty { return record }
        return try recordFormat().changes(of: record, to: .object(members + more)).applied(to: record)
    }
}
