/// Brings two changes of one value together (a three-way merge): what only one side changed is taken from it; what both
/// changed differently is a conflict.
public struct JSONMerge {
    /// One of two sides.
    public enum Side: Hashable, Sendable {
        case mine, theirs
    }

    /// A value that both sides changed differently.
    public struct Conflict: Hashable, Sendable {
        /// The keys that lead to it from the outermost object; none for the whole value.
        public var keys: [String]
        /// What it was before; nil if it was not there.
        public var base: JSONValue?
        /// What one side made of it; nil if it was taken away.
        public var mine: JSONValue?
        /// What the other side made of it; nil if it was taken away.
        public var theirs: JSONValue?
    }

    /// The value with both changes. Members stand in the order that they have in `theirs`.
    public private(set) var value: JSONValue
    /// The conflicts.
    public private(set) var conflicts: [Conflict] = []
    private let choose: ([String]) -> Side

    /// Merges two changes of `base`.
    ///
    /// - Parameter choose: Returns whose value is taken at these keys, where both sides changed it.
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
            // Of several members with one key, the last is in effect.
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
