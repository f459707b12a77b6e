public import JSON

// What an export must carry along, because no field of every catalog has it.

/// A book with the record that describes it.
public struct RecordedBook {
    /// The book, without its other fields.
    public var book: Book
    /// The record.
    public var record: JSONValue
    /// What of the record no field of every catalog reads: the values of the catalog's own fields and what the profile
    /// ignores among them. A member of which a part is read has the rest.
    public var unread: [JSONValue.Member]
}

extension FieldMapping {
    /// Returns the book that `record` describes, with what an export needs to lose nothing.
    public func recordedBook(from record: JSONValue) -> RecordedBook {
        var names: [String] = []
        let book = plainBook(from: record) { field, name in if !field.isOwn { names.append(name) } }
        return RecordedBook(book: book, record: record, unread: unread(in: record, besides: names))
    }

    private func unread(in record: JSONValue, besides names: [String]) -> [JSONValue.Member] {
        let members = (record.members ?? []).filter { !names.contains($0.key) }
        // Nearly always no other path leads into what remains.
        guard let keys = keysOfPaths else { return rest(of: members, in: record) }
        let suspects = members.filter { keys.contains($0.key) }
        if suspects.isEmpty { return members }
        let rest = Dictionary(rest(of: suspects, in: record).map { ($0.key, $0.value) }) { first, _ in first }
        return members.compactMap { member in
            keys.contains(member.key) ? rest[member.key].map { .init(key: member.key, value: $0) } : member
        }
    }

    /// Returns `members` of `record` without what a field of every catalog reads.
    private func rest(of members: [JSONValue.Member], in record: JSONValue) -> [JSONValue.Member] {
        let covered = locations(in: record, ofOwnFields: false)
        return members.compactMap { member in
            member.value.without(covered, at: [.key(member.key)]).map { .init(key: member.key, value: $0) }
        }
    }
}
