internal import JSON

/// The shelves or the saved searches in the user's order.
struct EntryList: Hashable, Sendable {
    /// A shelf or saved search.
    struct Entry: Hashable, Sendable {
        var id: String
        var name: String
        var text: String?
        var sort: String?
        /// Members of the snapshot that this version does not know.
        var unknownMembers: [JSONValue.Member] = []
    }

    /// The existing entries.
    private(set) var entries: [Entry] = []
    /// The highest number ever used in an id, so that no id is used twice.
    private(set) var lastNumber = 0

    /// Creates an empty list.
    init() {}

    /// Creates a list of entries; `lastNumber` is the highest number ever used in an id.
    init(_ entries: [Entry], lastNumber: Int) {
        for entry in entries where !self.entries.contains(where: { $0.id == entry.id }) { self.entries.append(entry) }
        self.lastNumber = lastNumber
        entries.forEach { see($0.id) }
    }

    /// Returns the index of the entry with this id.
    func index(of id: String) -> Int? { entries.firstIndex { $0.id == id } }

    /// Returns the entry with a name equal to `name`, ignoring case, other than the entry `id`.
    func entry(named name: String, except id: String? = nil) -> Entry? {
        let folded = name.lowercased()
        return entries.first { $0.name.lowercased() == folded && $0.id != id }
    }

    /// Returns `name`, or `name` with the first number from 2 on that makes it unique, ignoring the entry `id`.
    func freeName(for name: String, id: String) -> String {
        if entry(named: name, except: id) == nil { return name }
        var number = 2
        while entry(named: "\(name) \(number)", except: id) != nil { number += 1 }
        return "\(name) \(number)"
    }

    /// The current value of a field of the entry `id`.
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

    /// Sets a field of the entry `id`; only the existence of a deleted entry can be set.
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
        case (.index, .number(let position)):
            if let index {
                let entry = entries.remove(at: index)
                entries.insert(entry, at: min(max(0, position), entries.count))
            }
        case (.query, .query(let text, let sort)):
            if let index { (entries[index].text, entries[index].sort) = (text, sort) }
        default: break
        }
    }

    /// Adds the entries of `other` that are missing here.
    mutating func merge(_ other: EntryList) {
        for entry in other.entries where index(of: entry.id) == nil { entries.append(entry) }
        lastNumber = max(lastNumber, other.lastNumber)
    }

    /// Copies the unknown members of the entries that exist here from `other`.
    mutating func mergeUnknown(_ other: EntryList) {
        for entry in other.entries where !entry.unknownMembers.isEmpty {
            if let index = index(of: entry.id) { entries[index].unknownMembers = entry.unknownMembers }
        }
    }

    private mutating func see(_ id: String) {
        // A number beyond 2^31 is damage, and later ids must not continue from it.
        if let number = Int(id.dropFirst()), number < 1 << 31 { lastNumber = max(lastNumber, number) }
    }
}
