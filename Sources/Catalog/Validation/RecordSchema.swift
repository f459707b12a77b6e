internal import Books
internal import JSON

/// The paths that there are in some records, with the values that each leads to.
struct RecordSchema {
    /// A path and what it leads to.
    struct Place {
        /// The path.
        let path: FieldPath
        /// The keys on the way, and what a filter asks for.
        let keys: [String]
        /// What the records have there; nil where that is nothing, or blank.
        let values: [JSONValue?]
        /// Whether it is one of several kinds of elements that a filter tells apart.
        let isFiltered: Bool

        /// What is there in those that have it.
        var present: [JSONValue] { values.compactMap(\.self) }
    }

    /// The paths in the order in which the records have them.
    private(set) var places: [Place] = []

    /// More paths than this are no fields, but keys that are data themselves.
    private static let pathLimit = 400
    /// Names on the way.
    private static let depthLimit = 5
    /// By what the elements of an array are told apart.
    private static let tellingKeys = ["role", "roles", "type", "kind", "scheme", "rel", "relation", "relator"]
    private static let kindLimit = 8

    /// The paths in `records`.
    init(in records: [JSONValue]) {
        var finder = Finder()
        for record in records { finder.walk(record, [], [], depth: 0) }
        places = finder.found.compactMap { found in
            let path = FieldPath(steps: found.steps)
            let values = records.map { record in path.value(in: record).flatMap { $0.isBlank ? nil : $0 } }
            let isFiltered = found.steps.contains { if case .filter = $0 { true } else { false } }
            guard values.contains(where: { $0 != nil }) else { return nil }
            return Place(path: path, keys: found.keys, values: values, isFiltered: isFiltered)
        }
    }

    private struct Finder {
        var found: [(steps: [FieldPath.Step], keys: [String])] = []
        private var seen: Set<[FieldPath.Step]> = []
        private var kinds: [[FieldPath.Step]: Int] = [:]

        mutating func walk(_ value: JSONValue, _ steps: [FieldPath.Step], _ keys: [String], depth: Int) {
            guard depth < RecordSchema.depthLimit else { return }
            switch value {
            case .object(let members):
                for member in members.prefix(100) where !member.key.isEmpty {
                    let inner = steps + [.name(member.key)]
                    guard note(inner, keys + [member.key]) else { return }
                    walk(member.value, inner, keys + [member.key], depth: depth + 1)
                }
            case .array(let elements):
                // A name that meets an array leads into its elements.
                for element in elements.prefix(20) where element.members != nil {
                    walk(element, steps, keys, depth: depth)
                    walkKinds(of: element, steps, keys)
                }
            case .null, .boolean, .number, .string: return
            }
        }

        private mutating func walkKinds(of element: JSONValue, _ steps: [FieldPath.Step], _ keys: [String]) {
            for key in RecordSchema.tellingKeys {
                guard let kind = element[key], let text = kind.string, !text.isEmpty, text.utf8.count <= 40 else {
                    continue
                }
                let filtered = steps + [.filter(.init(names: [key], value: kind))]
                if !seen.contains(filtered) {
                    guard kinds[steps, default: 0] < RecordSchema.kindLimit else { continue }
                    kinds[steps, default: 0] += 1
                    seen.insert(filtered)
                }
                for member in element.members ?? [] where member.key != key && !member.key.isEmpty {
                    guard note(filtered + [.name(member.key)], keys + [text, member.key]) else { return }
                }
            }
        }

        /// - Returns: Whether there is room for more.
        private mutating func note(_ steps: [FieldPath.Step], _ keys: [String]) -> Bool {
            if seen.contains(steps) { return true }
            guard found.count < RecordSchema.pathLimit else { return false }
            seen.insert(steps)
            found.append((steps, keys))
            return true
        }
    }
}
