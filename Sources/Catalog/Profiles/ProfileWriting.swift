public import Books
internal import JSON

extension Profile {
    /// Returns the text of a profile in a readable layout, with one line per field.
    public static func text(
        name: String, label: String? = nil, records: [FieldPath], rules: [BookField: FieldMapping.Rule],
        own: [OwnField] = [], hidden: [FieldPath] = [], catalogs: [String] = []
    ) -> String {
        func quoted(_ text: String) -> String { JSONValue.string(text).json }
        func list(_ texts: [String]) -> String {
            texts.count == 1 ? quoted(texts[0]) : "[" + texts.map(quoted).joined(separator: ", ") + "]"
        }
        var lines = ["    \"name\": \(quoted(name))"]
        if let label { lines.append("    \"label\": \(quoted(label))") }
        lines.append("    \"records\": \(list(records.map(\.description)))")
        let fields = BookField.builtIn.compactMap { field in
            rules[field].map { "        \(quoted(field.id)): \($0.text(for: field))" }
        }
        lines.append("    \"fields\": {\n\(fields.joined(separator: ",\n"))\n    }")
        let ownFields =
            own.map { field in
                let members: [JSONValue.Member] = [
                    .init(key: "path", value: .string(field.path.description)),
                    .init(key: "kind", value: .string(field.kind.rawValue)),
                    .init(key: "label", value: .string(field.label)),
                ]
                return "        \(quoted(field.name)): \(JSONValue.object(members).spacedJSON)"
            } + hidden.map { "        \(quoted($0.description)): false" }
        if !ownFields.isEmpty { lines.append("    \"own\": {\n\(ownFields.joined(separator: ",\n"))\n    }") }
        if !catalogs.isEmpty { lines.append("    \"catalogs\": [\(catalogs.map(quoted).joined(separator: ", "))]") }
        return "{\n" + lines.joined(separator: ",\n") + "\n}\n"
    }
}

extension FieldMapping.Rule {
    /// Returns the rule in the syntax of a profile, on one line.
    fileprivate func text(for field: BookField) -> String {
        let positions = candidates.map { $0.json(for: field) }
        let path = positions.count == 1 ? positions[0] : JSONValue.array(positions)
        guard let defaultValue else { return path.spacedJSON }
        // A rule with a default is a single object.
        var members: [JSONValue.Member] = []
        if positions.count == 1, let ruleMembers = positions[0].members {
            members = ruleMembers
        } else {
            members = [.init(key: "path", value: .array(candidates.map { .string($0.path.description) }))]
        }
        return JSONValue.object(members + [.init(key: "default", value: defaultValue)]).spacedJSON
    }
}

extension FieldMapping.Candidate {
    fileprivate func json(for field: BookField) -> JSONValue {
        var members: [JSONValue.Member] = []
        if let split { members.append(.init(key: "split", value: .string(split))) }
        if let scale {
            members.append(.init(key: "scale", value: .number(scale == scale.rounded() ? "\(Int(scale))" : "\(scale)")))
        }
        if !values.isEmpty {
            let pairs = values.sorted { $0.key < $1.key }
            members.append(
                .init(key: "values", value: .object(pairs.map { .init(key: $0.key, value: .string($0.value)) })))
        }
        if let tag { members.append(.init(key: field == .contributors ? "role" : "scheme", value: .string(tag))) }
        let path = JSONValue.string(path.description)
        return members.isEmpty ? path : .object([.init(key: "path", value: path)] + members)
    }
}

extension JSONValue {
    /// The value as JSON on one line, with a space after commas and colons.
    fileprivate var spacedJSON: String {
        switch self {
        case .array(let elements): "[" + elements.map(\.spacedJSON).joined(separator: ", ") + "]"
        case .object(let members):
            "{" + members.map { JSONValue.string($0.key).json + ": " + $0.value.spacedJSON }.joined(separator: ", ")
                + "}"
        case .null, .boolean, .number, .string: json
        }
    }
}
