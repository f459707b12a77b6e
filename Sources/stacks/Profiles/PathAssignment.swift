internal import Books
internal import Catalog
internal import JSON
internal import Text

/// Assigns to each field the most likely path, and no path to two fields.
struct PathAssignment {
    /// The rules by field.
    private(set) var rules: [BookField: FieldMapping.Rule] = [:]

    /// A possible path of a field.
    private struct Offer {
        let field: BookField
        let path: Int
        let candidate: FieldMapping.Candidate
        let score: Double
        let likeness: Double
        /// Whether each record yields a value.
        let gives: [Bool]
    }

    /// The minimum score of a suggestion.
    private static let leastScore = 0.18

    /// Assigns the paths of records.
    init(of paths: RecordSchema) {
        var offers: [Offer] = []
        for (index, path) in paths.paths.enumerated() {
            let values = PathValues(path.present)
            for field in BookField.builtIn {
                if let offer = Self.offer(path, index, values, for: field) { offers.append(offer) }
            }
        }
        // Ties are resolved by the order in the records.
        let ranked = offers.enumerated().sorted {
            $0.element.score != $1.element.score ? $0.element.score > $1.element.score : $0.offset < $1.offset
        }.map(\.element)
        var owners: [Int: BookField] = [:]
        var chosen: [BookField: [Offer]] = [:]
        func isFree(_ offer: Offer) -> Bool {
            let path = paths.paths[offer.path].path
            if let owner = owners[offer.path] { return Self.mayShare(owner, offer.field) }
            guard offer.field == .contributors else { return true }
            // The contributors must not include the authors again.
            return !owners.contains { index, owner in
                owner == .authors && paths.paths[index].path.steps.starts(with: path.steps)
            }
        }
        for offer in ranked where chosen[offer.field] == nil && isFree(offer) {
            chosen[offer.field] = [offer]
            owners[offer.path] = offer.field
        }
        // Further paths are added if they yield values for records without one.
        for offer in ranked where offer.likeness >= 0.8 && !offer.field.gathers {
            guard let taken = chosen[offer.field], taken.count < 3, owners[offer.path] == nil, isFree(offer) else {
                continue
            }
            let isNew = offer.gives.indices.contains { index in
                offer.gives[index] && !taken.contains { $0.gives[index] }
            }
            if isNew {
                chosen[offer.field]?.append(offer)
                owners[offer.path] = offer.field
            }
        }
        for (field, offers) in chosen { rules[field] = FieldMapping.Rule(offers.map(\.candidate)) }
    }

    /// Whether two fields may share a path: the key of a record may also be an identifier or ISBN.
    private static func mayShare(_ left: BookField, _ right: BookField) -> Bool {
        let sharing: [BookField] = [.isbn, .sourceID, .identifiers]
        return sharing.contains(left) && sharing.contains(right) && left != right
    }

    private static func offer(
        _ path: RecordSchema.Path, _ index: Int, _ values: PathValues, for field: BookField
    ) -> Offer? {
        if field == .pageCount, FieldNames.isOfDuration(path.keys) { return nil }
        let likeness = FieldNames.likeness(of: path.keys, to: field)
        let isOfAnotherTime = field == .published && FieldNames.isOfAnotherTime(path.keys)
        let alone = isOfAnotherTime ? 0 : values.score(withoutNameFor: field)
        guard likeness >= 0.3 || alone > 0 else { return nil }
        let candidate = values.candidate(at: path.path, for: field)
        let gives = path.values.map { $0.map { candidate.value(of: field, in: $0) != nil } ?? false }
        let readable = Double(gives.count { $0 }) / Double(max(1, values.count))
        guard readable > 0 else { return nil }
        let share = Double(gives.count { $0 }) / Double(max(1, gives.count))
        let named = likeness * (0.3 + 0.7 * readable) * values.plausibility(for: field)
        let depth = Double(path.keys.count - 1) * 0.004
        // A filtered path is more specific than the unfiltered one.
        let score =
            max(named >= 0.35 ? named : 0, alone * readable) * (0.7 + 0.3 * share) + (path.isFiltered ? 0.05 : 0)
            - depth
        guard score >= leastScore else { return nil }
        return Offer(
            field: field, path: index, candidate: candidate, score: score, likeness: likeness, gives: gives)
    }
}
