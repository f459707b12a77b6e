internal import Books

/// The fields of an index or core of a search engine, by the fields of books that they hold.
struct EngineNames {
    /// The fields of the index by their names as the table of fields compares them, without an ending.
    private var names: [String: [(name: String, ending: Int)]] = [:]
    private let all: Set<String>
    private let endings: [String]

    /// Creates the table of these fields.
    ///
    /// - Parameter endings: What may follow the name of a field and tells how it is indexed, the best first.
    init(of fields: some Collection<String>, endings: [String] = [""]) {
        (all, self.endings) = (Set(fields), endings)
        // A name with a dot is a member of another field, which only a profile knows.
        for field in fields where !field.contains(".") {
            for (number, ending) in endings.enumerated() where field.hasSuffix(ending) && field.count > ending.count {
                names[FieldNames.key(of: String(field.dropLast(ending.count))), default: []].append((field, number))
            }
        }
    }

    /// Returns the names of the fields of the index for a field of a book, the best first: those of a profile, or else
    /// those that the table of fields knows.
    ///
    /// - Parameter paths: The paths of a profile by the id of the field.
    func fields(for field: BookField, in paths: [String: [String]]?) -> [String] {
        var found: [String] = []
        func add(_ name: String) { if all.contains(name), !found.contains(name) { found.append(name) } }
        if let paths = paths?[field.id] {
            for path in paths { for ending in endings { add(Self.name(of: path) + ending) } }
            return found
        }
        // Indexes that stacks published have the year as a number.
        if field == .published { add("stacks.year") }
        let known = field.names
        let telling = known.all.filter { names[$0] != nil && known.telling.contains($0) }
        for name in telling.isEmpty ? Array(known.all.filter { names[$0] != nil }.prefix(1)) : telling {
            for match in (names[name] ?? []).sorted(by: { $0.ending < $1.ending }) { add(match.name) }
        }
        return found
    }

    /// Returns the name of a field in an index for a path of a profile: `authors[*].name` is `authors.name`.
    private static func name(of path: String) -> String {
        var name = ""
        var depth = 0
        for character in path {
            switch character {
            case "[": depth += 1
            case "]": depth -= 1
            default: if depth == 0, character != "$" { name.append(character) }
            }
        }
        return name.hasPrefix(".") ? String(name.dropFirst()) : name
    }
}

/// The orders of search engines.
enum EngineOrder {
    /// The keys that stacks sorts by and search engines can, too.
    static let keys = ["title", "author", "series", "year", "pages", "added"]

    /// The fields that are sorted by for a key of stacks, the best first.
    static func fields(for key: String) -> [BookField] {
        guard keys.contains(key), let field = BookField(queryName: key) else { return [] }
        return field == .title ? [.sortTitle, .title] : [field]
    }
}

extension BookField {
    /// The fields in which words without a field are searched for by search engines.
    static let searchedByEngines: [BookField] = [.title, .subtitle, .authors, .series, .subjects]
}
