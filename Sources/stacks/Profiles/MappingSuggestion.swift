internal import Books
internal import Catalog
internal import JSON
internal import Text

/// Suggests a field mapping for records of any shape, by the names of keys and the contents of values.
struct MappingSuggestion {
    /// The result of applying a rule to the sampled records.
    struct Look: Hashable, Sendable {
        /// The number of records with a value.
        var count: Int
        /// The number of records.
        var recordCount: Int
        /// The first few distinct values as text on one line.
        var samples: [String]

        /// The fraction of records with a value, from 0 to 1.
        var share: Double { recordCount == 0 ? 0 : Double(count) / Double(recordCount) }
    }

    /// The suggested rules by field.
    private(set) var rules: [BookField: FieldMapping.Rule] = [:]
    private let records: [JSONValue]
    private let paths: RecordSchema

    /// The maximum number of sample values per field.
    static let sampleCount = 3

    /// Suggests rules for a sample of some hundred records; the paths of a known `mapping` take precedence over equally
    /// good ones.
    init(for records: [JSONValue], knownAs mapping: FieldMapping? = nil) {
        self.records = records
        paths = RecordSchema(in: records)
        var proposals = PathAssignment(of: paths).rules
        for field in BookField.builtIn {
            guard let known = mapping?.rules[field].flatMap({ Self.worthwhile($0, of: field, in: records) }) else {
                continue
            }
            let proposed = proposals[field].map { Self.look(at: $0, of: field, in: records).count } ?? 0
            let count = Self.look(at: known, of: field, in: records).count
            if count > 0, Double(count) >= 0.9 * Double(proposed) { proposals[field] = known }
        }
        rules = proposals
    }

    /// Returns the fields that the records have beside those that `rules` read.
    func ownFields(besides rules: [BookField: FieldMapping.Rule]) -> [BookField] {
        FieldMapping(rules: rules).ownFields(in: records)
    }

    /// Returns the result of reading a field that only the catalog has, as values of this kind.
    func look(at path: FieldPath, as kind: OwnField.Kind) -> Look {
        let field = BookField(OwnField("own", label: "", kind, at: path))
        return Self.look(at: FieldMapping.Rule([.init(path)]), of: field, in: records)
    }

    /// Returns the rule with only the candidates that contribute values, or nil if none does.
    private static func worthwhile(
        _ rule: FieldMapping.Rule, of field: BookField, in records: [JSONValue]
    ) -> FieldMapping.Rule? {
        var candidates: [FieldMapping.Candidate] = []
        var count = 0
        for candidate in rule.candidates {
            let more = look(at: FieldMapping.Rule(candidates + [candidate]), of: field, in: records).count
            let isNeeded =
                field.gathers
                ? look(at: FieldMapping.Rule([candidate]), of: field, in: records).count > 0 : more > count
            if isNeeded { candidates.append(candidate) }
            count = max(count, more)
        }
        return candidates.isEmpty ? nil : FieldMapping.Rule(candidates)
    }

    /// Returns the result of applying `rule`.
    func look(at rule: FieldMapping.Rule, of field: BookField) -> Look {
        Self.look(at: rule, of: field, in: records)
    }

    private static func look(at rule: FieldMapping.Rule, of field: BookField, in records: [JSONValue]) -> Look {
        let mapping = FieldMapping(rules: [field: rule])
        var look = Look(count: 0, recordCount: records.count, samples: [])
        for record in records {
            guard let value = mapping.value(of: field, in: record) else { continue }
            look.count += 1
            if look.samples.count < sampleCount, !look.samples.contains(value.sample) {
                look.samples.append(value.sample)
            }
        }
        return look
    }

    /// All paths in the records, with the fraction of records that have a value, and a sample value.
    var allPaths: [(path: FieldPath, share: Double, sample: String)] {
        paths.paths.filter { !$0.isFiltered }.map { path in
            let present = path.present
            return (path.path, Double(present.count) / Double(max(1, records.count)), present.first?.json ?? "")
        }
    }
}

extension FieldValue {
    /// The value as text on one line.
    fileprivate var sample: String {
        switch self {
        case .text(let text): text.onOneLine
        case .number(let number): number == number.rounded() && number.magnitude < 1e9 ? "\(Int(number))" : "\(number)"
        case .integer(let number): "\(number)"
        case .boolean(let boolean): boolean ? "yes" : "no"
        case .isbn(let isbn): isbn.isValid ? isbn.formatted : isbn.text + " (not a valid ISBN)"
        case .date(let date): date.description
        case .status(let status): status.rawValue
        case .list(let items):
            items.map { item in item.tag.map { "\(item.text) (\($0))" } ?? item.text }.joined(separator: ", ")
        }
    }
}
