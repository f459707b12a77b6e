/// Merges two versions of a value with their common ancestor (three-way merge): a change on one side is adopted;
/// different changes on both sides are a conflict.
public struct JSONMerge {
    /// One of the two sides.
    public enum Side: Hashable, Sendable {
        case mine, theirs
    }

    /// A value that both sides changed differently.
    public struct Conflict: Hashable, Sendable {
        /// The keys that lead to the value from the outermost object; empty for the whole value.
        public var keys: [String]
        /// The value before the changes; nil if it did not exist.
        public var base: JSONValue?
        /// The value on one side; nil if it was removed.
        public var mine: JSONValue?
        /// The value on the other side; nil if it was removed.
        public var theirs: JSONValue?
    }

    /// The value with both changes. Members are in the order of `theirs`.
    public private(set) var value: JSONValue
    /// The conflicts.
    public private(set) var conflicts: [Conflict] = []
    private let choose: ([String]) -> Side

    /// Merges two versions of `base`.
    ///
    /// - Parameter choose: Returns the side that wins a conflict at these keys.
    public init(
        base: JSONValue, mine: JSONValue, theirs: JSONValue,
        choosing choose: @escaping ([String]) -> Side = { _ in .theirs }
    ) {
        self.choose = choose
        value = theirs
        value = merged(base, mine, theirs, at: []) ?? theirs
    }

    private mutating func merged(
        _ base: JSONValue?, _ mine: JSONValue?, _ theirs: JSONValue?, at keys: [String]
    ) -> JSONValue? {
        if Self.areSame(mine, base) || Self.areSame(mine, theirs) { return theirs }
        if Self.areSame(theirs, base) { return mine }
        if case .object(let old)? = base, case .object(let one)? = mine, case .object(let other)? = theirs {
            return merged(old, one, other, at: keys)
        }
        conflicts.append(Conflict(keys: keys, base: base, mine: mine, theirs: theirs))
        return choose(keys) == .mine ? mine : theirs
    }

    private mutating func merged(
        _ base: [JSONValue.Member], _ mine: [JSONValue.Member], _ theirs: [JSONValue.Member], at keys: [String]
    ) -> JSONValue {
        var result: [JSONValue.Member] = []
        for (index, member) in theirs.enumerated() {
            // If a key occurs more than once, its last member counts.
            if theirs[(index + 1)...].contains(where: { $0.key == member.key }) {
                result.append(member)
                continue
            }
            let key = member.key
            if let value = merged(base.last(key), mine.last(key), member.value, at: keys + [key]) {
                result.append(JSONValue.Member(key: key, value: value))
            }
        }
        var known = Set(theirs.map(\.key))
        for member in mine where known.insert(member.key).inserted {
            if let value = merged(base.last(member.key), mine.last(member.key), nil, at: keys + [member.key]) {
                result.append(JSONValue.Member(key: member.key, value: value))
            }
        }
        return .object(result)
    }

    private static func areSame(_ one: JSONValue?, _ other: JSONValue?) -> Bool {
        switch (one, other) {
        case (nil, nil): true
        case (let one?, let other?): one.isIdentical(to: other)
        default: false
        }
    }
}

extension [JSONValue.Member] {
    /// The value of the last member with this key.
    fileprivate func last(_ key: String) -> JSONValue? { last { $0.key == key }?.value }
}
