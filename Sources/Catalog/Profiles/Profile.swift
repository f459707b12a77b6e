public import Books
internal import CText
internal import JSON
internal import Storage

/// A description of one kind of catalog: the paths of its records, and of the fields within them.
public struct Profile: Hashable, Sendable {
    /// The unique name, used in commands and configuration.
    public let name: String
    /// The display name.
    public let label: String
    /// The paths of the records; each may select several.
    public let records: [FieldPath]
    /// The paths and encodings of the fields in a record.
    public internal(set) var mapping: FieldMapping
    /// The paths of values that are not fields, although they look like them.
    public let hiddenFields: [FieldPath]
    /// The tables that are joined to the records of a database, whose table `records` names; nil for a file.
    public let joins: [Join]?
    /// Patterns of file paths or names that the profile applies to: "*" matches any text, "?" one character.
    public let catalogs: [String]

    /// Creates a profile without file patterns.
    init(
        name: String, label: String, records: [FieldPath], mapping: FieldMapping, hiddenFields: [FieldPath] = []
    ) {
        self.hiddenFields = hiddenFields
        self.name = name
        self.label = label
        self.records = records
        self.mapping = mapping
        catalogs = []
        joins = nil
    }

    /// A database table whose values become a member of the records.
    public struct Join: Hashable, Sendable {
        /// The key of the member.
        public var key: String
        /// The table.
        public var table: String
        /// The column with the values; nil to choose one.
        public var column: String?
        /// The table that links it with the records; nil to find it.
        public var through: String?
    }

    /// Whether the profile applies only to databases.
    public var isOfDatabase: Bool { joins != nil }

    /// This profile for the rows of a database, in which the records are not nested.
    public var ofRows: Profile {
        joins == nil
            ? self
            : Profile(
                name: name, label: label, records: [FieldPath(steps: [.every])], mapping: mapping,
                hiddenFields: hiddenFields)
    }

    /// The table and joins as a suffix for the path of a database: "?table=NAME&joins=JSON". Nil if the records are not
    /// those of a table.
    public var databaseSuffix: String? {
        guard let joins else {
            guard records.count == 1, case .name(let table)? = records[0].steps.first, records[0].steps.count <= 2
            else {
                return nil
            }
            return records[0].steps.count == 1 || records[0].steps[1] == .every ? "?table=\(table.percentEncoded)" : nil
        }
        guard let table = records.first?.leadingNames.first else { return nil }
        let items = joins.map { join in
            var writer = ObjectWriter()
            writer.add("key", join.key)
            writer.add("table", join.table)
            writer.add("column", join.column)
            writer.add("through", join.through)
            return String(decoding: writer.ended(), as: UTF8.self)
        }
        return "?table=\(table.percentEncoded)&joins=\("[\(items.joined(separator: ","))]".percentEncoded)"
    }

    /// Parses a profile from JSON in UTF-8.
    ///
    /// - Throws: `ProfileSyntaxError` with the position in the text.
    public init(parsing bytes: some Sequence<UInt8>) throws(ProfileSyntaxError) {
        var parser = try ProfileParser(bytes)
        try parser.parse()
        name = parser.name
        label = parser.label ?? parser.name
        records = parser.records ?? [FieldPath(steps: [.every])]
        mapping = FieldMapping(rules: parser.rules, own: parser.own.map { BookField($0) }, ignored: parser.ignored)
        hiddenFields = parser.hiddenFields
        catalogs = parser.catalogs
        joins = parser.joins
    }

    /// A hash of everything that affects reading, equal on all machines. Takes as long as parsing the profile.
    public var fingerprint: UInt64 {
        var text = canonical.json
        return text.withUTF8 { cs_hash($0.baseAddress, $0.count) }
    }

    /// Returns the specificity of the best pattern of `catalogs` that matches a file: the number of characters other
    /// than "*" and "?". Nil if none matches.
    func closeness(toFile path: String) -> Int? {
        if catalogs.isEmpty { return nil }
        let name = Array(fileName(of: path))
        let path = Array(path)
        let fitting = catalogs.lazy.map { Array($0) }.filter { $0.fits(path) || $0.fits(name) }
        return fitting.map { pattern in pattern.count { $0 != "*" && $0 != "?" } }.max()
    }

    /// Returns everything that affects reading in a canonical order.
    private var canonical: JSONValue {
        func texts(_ paths: [FieldPath]) -> JSONValue { .array(paths.map { .string($0.description) }) }
        func members(_ pairs: [(String, JSONValue?)]) -> JSONValue {
            .object(pairs.compactMap { key, value in value.map { JSONValue.Member(key: key, value: $0) } })
        }
        let fields = BookField.builtIn.map { field -> (String, JSONValue?) in
            let rule = mapping.rules[field].map { rule in
                members([
                    (
                        "path",
                        .array(
                            rule.candidates.map { candidate in
                                members([
                                    ("path", .string(candidate.path.description)),
                                    ("split", candidate.split.map { .string($0) }),
                                    ("scale", candidate.scale.map { .number(String($0)) }),
                                    ("tag", candidate.tag.map { .string($0) }),
                                    (
                                        "values",
                                        members(
                                            candidate.values.sorted { $0.key < $1.key }.map {
                                                ($0.key, .string($0.value))
                                            })
                                    ),
                                ])
                            })
                    ),
                    ("default", rule.defaultValue),
                ])
            }
            return (field.id, rule)
        }
        let own = mapping.own.compactMap(\.info.own).map { field in
            (field.name, JSONValue.string("\(field.kind) \(field.path) \(field.label)"))
        }
        return members([
            ("records", texts(records)), ("fields", members(fields)), ("ignore", texts(mapping.ignored)),
            ("own", own.isEmpty ? nil : members(own)), ("hidden", hiddenFields.isEmpty ? nil : texts(hiddenFields)),
        ])
    }
}

extension String {
    /// This text with every byte percent-encoded except those of letters and digits.
    fileprivate var percentEncoded: String {
        utf8.map { byte in
            let isPlain = (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
            return isPlain ? String(Unicode.Scalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}

extension [Character] {
    /// Whether this pattern matches `text`. Takes at most the product of their lengths.
    fileprivate func fits(_ text: [Character]) -> Bool {
        var (here, there) = (0, 0)
        // The position of the last star, and the position in the text where its match ends.
        var star: (here: Int, there: Int)?
        while there < text.count {
            if here < count, self[here] == "*" {
                star = (here, there)
                here += 1
            } else if here < count, self[here] == "?" || self[here] == text[there] {
                here += 1
                there += 1
            } else if let last = star {
                star = (last.here, last.there + 1)
                (here, there) = (last.here + 1, last.there + 1)
            } else {
                return false
            }
        }
        return self[here...].allSatisfy { $0 == "*" }
    }
}
