public import Books

/// The ticked values by which a list is filtered: books must have one of the ticked values of each facet that has any.
public struct FacetFilter: Hashable, Sendable {
    /// A ticked value.
    public struct Tick: Hashable, Sendable {
        /// The facet.
        public let facet: Facet
        /// The value; nil for the books without one.
        public let value: FacetValue?
        /// The query for the books that have the value.
        public let query: String

        /// Creates the tick of a value, or of the books without one.
        public init(_ facet: Facet, _ value: FacetValue?, query: String) {
            (self.facet, self.value, self.query) = (facet, value, query)
        }

        fileprivate func isOf(_ facet: Facet, _ value: FacetValue?) -> Bool {
            self.facet == facet && self.value?.value == value?.value
        }
    }

    /// The ticks in the order in which they were set.
    public private(set) var ticks: [Tick] = []

    /// Creates a filter without ticks, which all books pass.
    public init() {}

    /// Whether no value is ticked.
    public var isEmpty: Bool { ticks.isEmpty }

    /// The facets with ticks, in the order of their first ticks.
    public var facets: [Facet] {
        ticks.reduce(into: []) { facets, tick in if !facets.contains(tick.facet) { facets.append(tick.facet) } }
    }

    /// Whether a value of `facet` is ticked, or for nil the books without one.
    public func contains(_ facet: Facet, _ value: FacetValue?) -> Bool {
        ticks.contains { $0.isOf(facet, value) }
    }

    /// Ticks a value, or unticks it.
    public mutating func toggle(_ tick: Tick) {
        if contains(tick.facet, tick.value) {
            ticks.removeAll { $0.isOf(tick.facet, tick.value) }
        } else {
            ticks.append(tick)
        }
    }

    /// Returns the query for the books that match `base` and pass this filter: `author:="A" (language:en | language:fr)`.
    ///
    /// - Parameters:
    ///   - ignored: The facet whose ticks do not count, if any.
    ///   - schema: The fields of the catalog.
    public func query(
        narrowing base: Query, without ignored: Facet? = nil, of schema: Schema = .ofEveryBook
    ) -> Query {
        let parts = facets.filter { $0 != ignored }.map { facet in
            Query.text(ofAny: ticks.filter { $0.facet == facet }.map(\.query))
        }
        return parts.isEmpty ? base : Query(base.text(narrowedBy: parts.joined(separator: " ")), of: schema)
    }
}

extension FacetValue {
    /// Returns the value with another count.
    public func counted(_ count: Int) -> FacetValue {
        FacetValue(facet: facet, value: value, count: count, book: book)
    }
}
