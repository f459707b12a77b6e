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
    /// The spellings of members of the record, by key, as far as they say more than the values.
    public var spellings: [String: String] = [:]
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

extension [JSONValue.Member] {
    /// The member that holds what has no place of its own.
    private static let nameOfOthers = "other"

    /// Returns these members as they are; those with a taken name are in the member `other`, unless they are blank.
    public func placed(besides taken: Set<String>) -> [JSONValue.Member] {
        let displaced = filter { taken.contains($0.key) && !$0.value.isBlank }
        if displaced.isEmpty { return filter { !taken.contains($0.key) } }
        var others: [JSONValue.Member] = []
        var free: [JSONValue.Member] = []
        var late = displaced
        for member in self where !taken.contains(member.key) {
            switch member.value {
            case .object(let inner) where member.key == Self.nameOfOthers: others = inner
            case _ where member.key == Self.nameOfOthers: late.append(member)
            default: free.append(member)
            }
        }
        others += late.placed(besides: Set(others.map(\.key)))
        return free + [.init(key: Self.nameOfOthers, value: .object(others))]
    }
}

extension JSONValue {
    /// Returns this object with those of `others` that say something it does not say already, in objects within it,
    /// too. What contradicts a value of it is in the member `other`.
    package func completed(with others: [Member]) -> JSONValue {
        guard case .object(var members) = self else { return self }
        var remaining: [Member] = []
        for other in others where other.value != .null {
            guard let index = members.lastIndex(where: { $0.key == other.key }) else {
                remaining.append(other)
                continue
            }
            let mine = members[index].value
            switch (mine, other.value) {
            case (.object, .object(let inner)): members[index].value = mine.completed(with: inner)
            case _ where mine == other.value: break
            default: remaining.append(other)
            }
        }
        return .object(members + remaining.placed(besides: Set(members.map(\.key))))
    }
}
