package import Books
internal import JSON
internal import Text

/// Parses the text of a `Profile` and reports the position of errors.
struct ProfileParser {
    private(set) var name = ""
    private(set) var label: String?
    private(set) var records: [FieldPath]?
    private(set) var rules: [BookField: FieldMapping.Rule] = [:]
    /// The catalog's own fields, and the paths of values that are not fields.
    private(set) var own: [OwnField] = []
    private(set) var hiddenFields: [FieldPath] = []
    private(set) var ignored: [FieldPath] = []
    private(set) var catalogs: [String] = []
    private(set) var joins: [Profile.Join]?

    private let bytes: [UInt8]
    private let root: Node

    /// A JSON value with its offset.
    private struct Node {
        var offset: Int
        var content: Content

        enum Content {
            case object([Member])
            case array([Node])
            case scalar(JSONValue)
        }

        struct Member {
            var key: String
            var offset: Int
            var value: Node
        }
    }

    /// Parses `bytes` as JSON, with or without a byte order mark.
    ///
    /// - Throws: `ProfileSyntaxError` if the text is not valid JSON.
    init(_ bytes: some Sequence<UInt8>) throws(ProfileSyntaxError) {
        self.bytes = Array(bytes)
        let start = self.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        var root = Node(offset: start, content: .scalar(.null))
        var syntaxError: JSONSyntaxError?
        JSONReader.reading(self.bytes[start...]) { reader in
            do throws(JSONSyntaxError) {
                root = try Self.read(&reader, depth: 0, start)
                try reader.readEnd()
            } catch {
                syntaxError = error
            }
        }
        if let syntaxError {
            throw ProfileSyntaxError(
                .json(syntaxError.reason), at: TextPosition(of: start + syntaxError.offset, in: self.bytes))
        }
        self.root = root
    }

    private static func read(_ reader: inout JSONReader, depth: Int, _ start: Int) throws(JSONSyntaxError) -> Node {
        let first = reader.peek()
        let offset = start + reader.offset
        switch first {
        case UInt8(ascii: "{"):
            var members: [Node.Member] = []
            try reader.readObject(depth: depth) { reader, key throws(JSONSyntaxError) in
                let name = reader.string(of: key)
                let value = try read(&reader, depth: depth + 1, start)
                // If a key occurs several times, the last one counts.
                members.removeAll { $0.key == name }
                members.append(Node.Member(key: name, offset: start + key.lowerBound, value: value))
            }
            return Node(offset: offset, content: .object(members))
        case UInt8(ascii: "["):
            var elements: [Node] = []
            try reader.readArray(depth: depth) { reader throws(JSONSyntaxError) in
                elements.append(try read(&reader, depth: depth + 1, start))
            }
            return Node(offset: offset, content: .array(elements))
        default: return Node(offset: offset, content: .scalar(try reader.readValue(depth: depth)))
        }
    }

    /// Interprets the text as a profile.
    ///
    /// - Throws: `ProfileSyntaxError` with the position of the first error.
    mutating func parse() throws(ProfileSyntaxError) {
        for member in try members(of: root, "an object") {
            let value = member.value
            switch member.key {
            case "name": name = try text(value)
            case "label": label = try text(value)
            case "records": records = try self.records(value)
            case "fields":
                for member in try members(of: value, "an object with the fields of a book") {
                    guard let field = BookField(id: member.key) else {
                        let names = BookField.builtIn.map(\.id)
                        throw syntaxError(
                            .unknownField(member.key, nearest: names.nearest(to: member.key)), member.offset)
                    }
                    rules[field] = try rule(member.value, for: field)
                }
            case "own": try readOwnFields(value)
            case "ignore": ignored = try paths(value)
            case "catalogs": catalogs = try texts(value)
            case "joins": joins = try joins(value)
            default:
                throw unknownKey(
                    member, of: ["name", "label", "records", "joins", "fields", "own", "ignore", "catalogs"])
            }
        }
        if name.isEmpty { throw syntaxError(.missing("name"), root.offset) }
        if rules.isEmpty { throw syntaxError(.missing("fields"), root.offset) }
    }

    // MARK: Parts

    private func rule(_ node: Node, for field: BookField) throws(ProfileSyntaxError) -> FieldMapping.Rule {
        switch node.content {
        case .array(let elements):
            var candidates: [FieldMapping.Candidate] = []
            for element in elements { candidates += try self.candidates(element, for: field) }
            if candidates.isEmpty { throw syntaxError(.wrongType(expected: "a path"), node.offset) }
            return FieldMapping.Rule(candidates)
        case .object(let members):
            let candidates = try self.candidates(node, for: field, alsoKnown: ["default"])
            let value = members.last { $0.key == "default" }.map { Self.value(of: $0.value) }
            return FieldMapping.Rule(candidates, default: value.flatMap { $0.isBlank ? nil : $0 })
        case .scalar: return FieldMapping.Rule(try candidates(node, for: field))
        }
    }

    /// Parses the catalog's own fields: each a path, an object with more, or false for a value that is not a field.
    private mutating func readOwnFields(_ node: Node) throws(ProfileSyntaxError) {
        for member in try members(of: node, "an object with the catalog's own fields") {
            let name = member.key.split(separator: ".").map { OwnField.name(of: String($0)) }.joined(separator: ".")
            if name.isEmpty || OwnField.reservedKeys.contains(OwnField.key(of: name)) {
                throw syntaxError(.nameOfEveryBook(member.key), member.offset)
            }
            let path = (try? FieldPath(member.key)) ?? FieldPath(steps: [.name(member.key)])
            switch member.value.content {
            case .scalar(.boolean(false)): hiddenFields.append(path)
            case .object(let parts):
                var (place, kind, label) = (path, OwnField.Kind.text, OwnField.label(of: member.key))
                for part in parts {
                    switch part.key {
                    case "path": place = try self.path(part.value)
                    case "kind":
                        let word = try text(part.value)
                        guard let known = OwnField.Kind(rawValue: word) else {
                            let kinds = OwnField.Kind.allCases.map(\.rawValue).joined(separator: ", ")
                            throw syntaxError(.wrongType(expected: "one of \(kinds)"), part.value.offset)
                        }
                        kind = known
                    case "label": label = try text(part.value).onOneLine
                    default: throw unknownKey(part, of: ["path", "kind", "label"])
                    }
                }
                own.append(OwnField(name, label: label, kind, at: place))
            default:
                let place = try self.path(member.value)
                own.append(OwnField(name, label: OwnField.label(of: member.key), .text, at: place))
            }
        }
    }

    /// Parses the tables that are joined: each a name, or an object with more.
    private func joins(_ node: Node) throws(ProfileSyntaxError) -> [Profile.Join] {
        var joins: [Profile.Join] = []
        for member in try members(of: node, "an object with the tables that are joined") {
            guard case .object(let parts) = member.value.content else {
                joins.append(Profile.Join(key: member.key, table: try text(member.value)))
                continue
            }
            var join = Profile.Join(key: member.key, table: "")
            for part in parts {
                switch part.key {
                case "table": join.table = try text(part.value)
                case "column": join.column = try text(part.value)
                case "through": join.through = try text(part.value)
                default: throw unknownKey(part, of: ["table", "column", "through"])
                }
            }
            if join.table.isEmpty { throw syntaxError(.missing("table"), member.value.offset) }
            joins.append(join)
        }
        return joins
    }

    /// Returns the candidates of a path, or of an object with one or several paths and their options.
    private func candidates(
        _ node: Node, for field: BookField, alsoKnown: [String] = []
    ) throws(ProfileSyntaxError) -> [FieldMapping.Candidate] {
        guard case .object(let members) = node.content else { return [FieldMapping.Candidate(try path(node))] }
        // Some options are allowed only for certain fields.
        var known = ["path", "split", "values"]
        if field == .rating { known.append("scale") }
        if field == .contributors { known.append("role") }
        if field == .identifiers { known.append("scheme") }
        known += alsoKnown
        var found: [FieldPath] = []
        var candidate = FieldMapping.Candidate(FieldPath(steps: []))
        for member in members {
            let value = member.value
            switch member.key {
            case _ where !known.contains(member.key): throw unknownKey(member, of: known)
            case "path": found = try paths(value)
            case "split": candidate.split = try text(value)
            case "scale": candidate.scale = try scale(value)
            case "values":
                for member in try self.members(of: value, "an object with the words of the catalog") {
                    candidate.values[member.key.onOneLine] = try text(member.value)
                }
            case "role", "scheme": candidate.tag = try text(value)
            default: continue
            }
        }
        if found.isEmpty { throw syntaxError(.missing("path"), node.offset) }
        return found.map { path in
            var candidate = candidate
            candidate.path = path
            return candidate
        }
    }

    private func scale(_ node: Node) throws(ProfileSyntaxError) -> Double {
        guard case .scalar(.number(let number)) = node.content, let scale = Double(number), scale.isFinite,
            scale >= 1e-3, scale <= 1e9
        else { throw syntaxError(.wrongType(expected: "the highest mark, a number above zero"), node.offset) }
        return scale
    }

    /// Parses the record paths; the steps after the last "[*]", within an element, must be equal in all of them.
    private func records(_ node: Node) throws(ProfileSyntaxError) -> [FieldPath] {
        let paths = try paths(node)
        guard let first = paths.first else { throw syntaxError(.wrongType(expected: "a path"), node.offset) }
        for path in paths where path.stepsWithinElement != first.stepsWithinElement {
            throw syntaxError(.differentRecords(first.description, path.description), node.offset)
        }
        return paths
    }

    /// Parses a single path or an array of paths.
    private func paths(_ node: Node) throws(ProfileSyntaxError) -> [FieldPath] {
        guard case .array(let elements) = node.content else { return [try path(node)] }
        var paths: [FieldPath] = []
        for element in elements { paths.append(try path(element)) }
        return paths
    }

    private func path(_ node: Node) throws(ProfileSyntaxError) -> FieldPath {
        guard case .scalar(.string(let string)) = node.content else {
            throw syntaxError(.wrongType(expected: "a path"), node.offset)
        }
        do throws(FieldPathSyntaxError) {
            return try FieldPath(string)
        } catch {
            throw syntaxError(.path(string, error), node.offset)
        }
    }

    private func texts(_ node: Node) throws(ProfileSyntaxError) -> [String] {
        guard case .array(let elements) = node.content else { return [try text(node)] }
        var texts: [String] = []
        for element in elements { texts.append(try text(element)) }
        return texts
    }

    private func text(_ node: Node) throws(ProfileSyntaxError) -> String {
        guard case .scalar(.string(let string)) = node.content, !string.isEmpty else {
            throw syntaxError(.wrongType(expected: "a text"), node.offset)
        }
        return string
    }

    private func members(of node: Node, _ expected: String) throws(ProfileSyntaxError) -> [Node.Member] {
        guard case .object(let members) = node.content else {
            throw syntaxError(.wrongType(expected: expected), node.offset)
        }
        return members
    }

    private static func value(of node: Node) -> JSONValue {
        switch node.content {
        case .object(let members): .object(members.map { .init(key: $0.key, value: value(of: $0.value)) })
        case .array(let elements): .array(elements.map(value))
        case .scalar(let value): value
        }
    }

    // MARK: Errors

    private func syntaxError(_ reason: ProfileSyntaxError.Reason, _ offset: Int) -> ProfileSyntaxError {
        ProfileSyntaxError(reason, at: TextPosition(of: offset, in: bytes))
    }

    private func unknownKey(_ member: Node.Member, of known: [String]) -> ProfileSyntaxError {
        syntaxError(.unknownKey(member.key, nearest: known.nearest(to: member.key)), member.offset)
    }
}

extension FieldPath {
    /// The steps after the last "[*]"; empty without one, because then the path itself leads to the record.
    package var stepsWithinElement: [Step] {
        steps.lastIndex(where: \.isPlural).map { Array(steps[($0 + 1)...]) } ?? []
    }
}
