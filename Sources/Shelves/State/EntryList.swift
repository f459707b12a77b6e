internal import JSON

/// The shelves, or the saved queries, in the reader's order.
struct EntryList: Hashable, Sendable {
    /// A shelf or saved query.
    struct Entry: Hashable, Sendable {
        var id: String
        var name: String
        var text: String?
        var sort: String?
        /// What the snapshot has of it that is unknown here.
        var unknownMembers: [JSONValue.Member] = []
    }

    /// Those that were not deleted.
    private(set) var entries: [Entry] = []
    /// The highest number that an id ever had: no id is given twice.
    private(set) var lastNumber = 0

    /// Nothing yet.
    init() {}

    /// These entries; `lastNumber` is the highest number that an id ever had.
    init(_ entries: [Entry], lastNumber: Int) {
        for entry in entries where !self.entries.contains(where: { $0.id == entry.id }) { self.entries.append(entry) }
        self.lastNumber = lastNumber
        entries.forEach { see($0.id) }
    }

    /// Where the entry of this id is.
    func index(of id: String) -> Int? { entries.firstIndex { $0.id == id } }

    /// The entry whose name is the same as `name`, ignoring case, other than that of `id`.
    func entry(named name: String, except id: String? = nil) -> Entry? {
        let folded = name.lowercased()
        return entries.first { $0.name.lowercased() == folded && $0.id != id }
    }

    /// `name`, or `name` with the first number from 2 on that makes it one that no entry but that of `id` has.
    func freeName(for name: String, id: String) -> String {
        if entry(named: name, except: id) == nil { return name }
        var number = 2
        while entry(named: "\(name) \(number)", except: id) != nil { number += 1 }
        return "\(name) \(number)"
    }

    /// What a part of the entry of `id` is now.
    subscript(id: String, field: EntryField) -> LineValue {
        guard let index = index(of: id) else { return .nothing }
        let entry = entries[index]
        return switch field {
        case .existence: .entry(ListEntry(index: index, name: entry.name, text: entry.text, sort: entry.sort))
        case .name: .text(entry.name)
        case .index: .number(index)
        case .query: .query(entry.text ?? "", sort: entry.sort)
        }
    }

    /// Changes a part of the entry of `id`. Where it was deleted only its existence can be.
    mutating func set(_ field: EntryField, of id: String, to value: LineValue) {
        see(id)
        let index = index(of: id)
        switch (field, value) {
        case (.existence, .entry(let new)):
            let entry = Entry(
                id: id, name: new.name, text: new.text, sort: new.sort,
                unknownMembers: index.map { entries[$0].unknownMembers } ?? [])
            if let index { entries.remove(at: index) }
            entries.insert(entry, at: min(max(0, new.index), entries.count))
        case (.existence, .nothing): if let index { entries.remove(at: index) }
        case (.name, .text(let name)): if let index { entries[index].name = name }
        case (.index, .number(let place)):
            if let index {
                let entry = entries.remove(at: index)
                entries.insert(entry, at: min(max(0, place), entries.count))
            }
        case (.query, .query(let text, let sort)):
            if let index { (entries[index].text, entries[index].sort) = (text, sort) }
        default: break
        }
    }

    /// Takes over from `other` the entries that are not here.
    mutating func merge(_ other: EntryList) {
        for entry in other.entries where index(of: entry.id) == nil { entries.append(entry) }
        lastNumber = max(lastNumber, other.lastNumber)
    }

    /// Takes over from `other` what is unknown here of the entries that are.
    mutating func mergeUnknown(_ other: EntryList) {
        for entry in other.entries where !entry.unknownMembers.isEmpty {
            if let index = index(of: entry.id) { entries[index].unknownMembers = entry.unknownMembers }
        }
    }

    private mutating func see(_ id: String) {
        // What damage makes of a number must not take those after it along.
        if let number = Int(id.dropFirst()), number < 1 << 31 { lastNumber = max(lastNumber, number) }
    }
}
