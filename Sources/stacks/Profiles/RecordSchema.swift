internal import Books
internal import Catalog
internal import JSON

/// The paths that occur in a sample of records, with their values.
struct RecordSchema {
    /// A path and its values.
    struct Path {
        /// The path.
        let path: FieldPath
        /// The keys of the path, with the values of filters.
        let keys: [String]
        /// The value in each record; nil if missing or blank.
        let values: [JSONValue?]
        /// Whether the path contains a filter that selects one kind of elements.
        let isFiltered: Bool

        /// The values that are present.
        var present: [JSONValue] { values.compactMap(\.self) }
    }

    /// The paths in the order of their first occurrence.
    private(set) var paths: [Path] = []

    /// The maximum number of paths; if there are more, the keys are data rather than fields.
    private static let pathLimit = 400
    /// The maximum number of names in a path.
    private static let depthLimit = 5
    /// The keys that distinguish kinds of array elements.
    private static let tellingKeys = ["role", "roles", "type", "kind", "scheme", "rel", "relation", "relator"]
    private static let kindLimit = 8

    /// Collects the paths in `records`.
    init(in records: [JSONValue]) {
        var finder = Finder()
        for record in records { finder.walk(record, [], [], depth: 0) }
        paths = finder.found.compactMap { found in
            let path = FieldPath(steps: found.steps)
            let values = records.map { record in path.value(in: record).flatMap { $0.isBlank ? nil : $0 } }
            let isFiltered = found.steps.contains { if case .filter = $0 { true } else { false } }
            guard values.contains(where: { $0 != nil }) else { return nil }
            return Path(path: path, keys: found.keys, values: values, isFiltered: isFiltered)
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
                    if let property = member.value.property {
                        guard note(inner + property, keys + [member.key]) else { return }
                        continue
                    }
                    guard note(inner, keys + [member.key]) else { return }
                    walk(member.value, inner, keys + [member.key], depth: depth + 1)
                }
            case .array(let elements):
                // A name applied to an array selects it in each element.
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

        /// Records a path.
        ///
        /// - Returns: false if the limit of paths is reached.
        private mutating func note(_ steps: [FieldPath.Step], _ keys: [String]) -> Bool {
            if seen.contains(steps) { return true }
            guard found.count < RecordSchema.pathLimit else { return false }
            seen.insert(steps)
            found.append((steps, keys))
            return true
        }
    }
}

extension JSONValue {
    /// The steps to the value of a property as Notion's API has it: an object with a type, and with the value as the
    /// member that is called like the type. Its id names no field, and the name of the property is that of its value.
    fileprivate var property: [FieldPath.Step]? {
        guard self["id"] != nil, let type = self["type"]?.string, let value = self[type] else { return nil }
        // The parts of a text, the options of a choice, and the days of a date.
        let parts = value.elements ?? [value]
        let part = ["plain_text", "name", "start"].first { key in parts.contains { $0[key] != nil } }
        return [.name(type)] + (part.map { [.name($0)] } ?? [])
    }
}
