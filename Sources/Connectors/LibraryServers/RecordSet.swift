/// A selection of records in a query language that has no negation, only the difference of two selections.
struct RecordSet: Hashable {
    /// The selected records, or those that are not selected.
    var text: String
    /// Whether all records except those of `text` are selected.
    var isComplement = false

    /// The operators of a query language.
    struct Syntax: Sendable {
        /// Returns the intersection of at least two selections.
        var and: @Sendable ([String]) -> String
        /// Returns the union of at least two selections.
        var or: @Sendable ([String]) -> String
        /// Returns the first selection without the records of the second.
        var without: @Sendable (String, String) -> String
        /// The selection of all records.
        var everything: String
    }

    /// Returns all records that this set does not contain.
    var complement: RecordSet { RecordSet(text: text, isComplement: !isComplement) }

    /// Returns the intersection of at least one set.
    static func all(_ sets: [RecordSet], in syntax: Syntax) -> RecordSet {
        let selected = sets.filter { !$0.isComplement }.map(\.text)
        let excluded = sets.filter(\.isComplement).map(\.text)
        let union = excluded.count > 1 ? syntax.or(excluded) : excluded.first
        guard let first = selected.first else { return RecordSet(text: union ?? syntax.everything, isComplement: true) }
        let intersection = selected.count > 1 ? syntax.and(selected) : first
        return RecordSet(text: union.map { syntax.without(intersection, $0) } ?? intersection)
    }

    /// Returns the union of at least one set.
    static func any(_ sets: [RecordSet], in syntax: Syntax) -> RecordSet {
        // By De Morgan's law, the union is the complement of the intersection of the complements.
        all(sets.map(\.complement), in: syntax).complement
    }

    /// Returns this set as an expression that contains no complement.
    func expression(in syntax: Syntax) -> String {
        isComplement ? syntax.without(syntax.everything, text) : text
    }
}
