public import Books
internal import CText
internal import JSON
internal import Storage

/// How the catalogs of one kind are read: where their records are, and where the fields in these.
public struct Profile: Hashable, Sendable {
    /// The name by which it is chosen.
    public let name: String
    /// The name for people.
    public let label: String
    /// Where the records are; a path may lead to several.
    public let records: [FieldPath]
    /// Where the fields are in a record.
    public let mapping: FieldMapping
    /// Patterns of the paths or names of the files that it is for: "*" stands for anything, "?" for one character.
    public let catalogs: [String]

    /// A profile for no catalogs of its own.
    init(name: String, label: String, records: [FieldPath], mapping: FieldMapping) {
        self.name = name
        self.label = label
        self.records = records
        self.mapping = mapping
        catalogs = []
    }

    /// The profile that `bytes`, JSON in UTF-8, describe.
    ///
    /// - Throws: `ProfileSyntaxError`, with the place in the text.
    public init(parsing bytes: some Sequence<UInt8>) throws(ProfileSyntaxError) {
        var parser = try ProfileParser(bytes)
        try parser.parse()
        name = parser.name
        label = parser.label ?? parser.name
        records = parser.records ?? [FieldPath(steps: [.every])]
        mapping = FieldMapping(rules: parser.rules, ignored: parser.ignored)
        catalogs = parser.catalogs
    }

    /// What tells this profile from one that reads differently, and is the same on every machine. Takes as long as reading
    /// the profile.
    public var fingerprint: UInt64 {
        var text = Self.canonical(records, mapping).json
        return text.withUTF8 { cs_hash($0.baseAddress, $0.count) }
    }

    /// Whether a pattern of `catalogs` fits the path of a file, or its name.
    public func isFor(file path: String) -> Bool { closeness(toFile: path) != nil }

    /// How closely the patterns of `catalogs` describe a file, by its path or its name: how many characters the longest one
    /// that fits has, but for its "*" and "?". Nil where none fits.
    func closeness(toFile path: String) -> Int? {
        if catalogs.isEmpty { return nil }
        let name = Array(fileName(of: path))
        let path = Array(path)
        let fitting = catalogs.lazy.map { Array($0) }.filter { $0.fits(path) || $0.fits(name) }
        return fitting.map { pattern in pattern.count { $0 != "*" && $0 != "?" } }.max()
    }

    /// All that reading depends on, in one order.
    private static func canonical(_ records: [FieldPath], _ mapping: FieldMapping) -> JSONValue {
        func texts(_ paths: [FieldPath]) -> JSONValue { .array(paths.map { .string($0.description) }) }
        func members(_ pairs: [(String, JSONValue?)]) -> JSONValue {
            .object(pairs.compactMap { key, value in value.map { JSONValue.Member(key: key, value: $0) } })
        }
        let fields = BookField.allCases.map { field -> (String, JSONValue?) in
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
            return (field.rawValue, rule)
        }
        return members([("records", texts(records)), ("fields", members(fields)), ("ignore", texts(mapping.ignored))])
    }
}

extension [Character] {
    /// Whether `text` is what this pattern says. Takes no more than the product of their lengths.
    fileprivate func fits(_ text: [Character]) -> Bool {
        var (here, there) = (0, 0)
        // Where the last star was, and how much of the text it stands for.
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
