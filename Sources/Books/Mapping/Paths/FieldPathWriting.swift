public import JSON

extension FieldPath {
    /// Returns `root` with `value` at this path; missing objects and arrays are created, and everything else keeps its
    /// order.
    ///
    /// If the path can match several values, `value` is an array of them, or a single one. They are written one by one
    /// into the elements that have a match, which keep their other members; an element that already has the value is
    /// the one that keeps it. Surplus elements are dropped, and missing ones are appended with the members that a
    /// filter requires.
    ///
    /// - Returns: `root` unchanged if the value cannot be written: at an index more than one past the end, or as a new
    ///   value of an object whose keys the path does not name.
    public func setting(_ value: JSONValue, in root: JSONValue) -> JSONValue {
        Self.put(value, at: steps[...], in: root) ?? root
    }

    /// Returns `root` with `value` at this path; if the path matches several values, only the first is replaced.
    func settingFirst(_ value: JSONValue, in root: JSONValue) -> JSONValue {
        Self.putFirst(value, at: steps[...], in: root) ?? root
    }

    /// Returns `root` without the members and elements at this path.
    func removing(in root: JSONValue) -> JSONValue {
        Self.remove(steps[...], in: root) ?? .null
    }

    private static func put(_ value: JSONValue, at steps: ArraySlice<Step>, in current: JSONValue?) -> JSONValue? {
        guard let step = steps.first else { return value }
        let rest = steps.dropFirst()
        switch (step, current) {
        case (.name, .array(let elements)?): return spread(value, at: steps, over: elements, step: step)
        case (.every, .array(let elements)?), (.filter, .array(let elements)?):
            return spread(value, at: rest, over: elements, step: step)
        case (.every, .object?), (.filter, .object?): return spread(value, at: rest, overMembersOf: current, step: step)
        case (.every, _), (.filter, _): return spread(value, at: rest, over: [], step: step)
        default: return putOne(at: step, in: current) { put(value, at: rest, in: $0) }
        }
    }

    private static func putFirst(_ value: JSONValue, at steps: ArraySlice<Step>, in current: JSONValue?) -> JSONValue? {
        guard let step = steps.first else { return value }
        let rest = steps.dropFirst()
        let children = current.map(step.children)
        guard let current, let children, children.areMany, !children.all.isEmpty else {
            if children?.areMany == true || step.isEvery { return put(.array([value]), at: steps, in: current) }
            return putOne(at: step, in: current) { putFirst(value, at: rest, in: $0) }
        }
        let below = children.isProjection ? steps : rest
        let giving = children.all.first { !found(by: below, in: $0.value).values.isEmpty }
        // An existing object without the value is preferred to a new element.
        guard let child = giving ?? children.all.first(where: { $0.value.members != nil }),
            let changed = putFirst(value, at: below, in: child.value)
        else { return put(.array([value]), at: steps, in: current) }
        return current.replacing([child.step: changed])
    }

    /// Follows a step that leads to one value, creating the object or array that it needs.
    private static func putOne(
        at step: Step, in current: JSONValue?, _ change: (JSONValue?) -> JSONValue?
    ) -> JSONValue? {
        switch (step, current) {
        case (.name(let name), let current):
            let object = current?.members == nil ? JSONValue.object([]) : current
            return change(object?[name]).flatMap { object?.setting(name, to: $0) }
        case (.index(let index), .object?) where index >= 0:
            return putOne(at: .name(String(index)), in: current, change)
        case (.index(let index), let current):
            var elements: [JSONValue] = []
            if case .array(let existing)? = current { elements = existing }
            let position = index < 0 ? max(elements.count + index, index == -1 ? 0 : -1) : index
            guard position >= 0, position <= elements.count else { return nil }
            guard let changed = change(position < elements.count ? elements[position] : nil) else { return nil }
            if position < elements.count { elements[position] = changed } else { elements.append(changed) }
            return .array(elements)
        case (.every, _), (.filter, _): return nil
        }
    }

    /// Returns the values to write one by one: the elements of an array, or the value itself.
    private static func queue(of value: JSONValue) -> [JSONValue] {
        if case .array(let elements) = value { elements } else { [value] }
    }

    private static func spread(
        _ value: JSONValue, at steps: ArraySlice<Step>, over elements: [JSONValue], step: Step
    ) -> JSONValue? {
        let positions = elements.indices.filter { step.leads(to: elements[$0]) }
        let found = positions.map { Self.found(by: steps, in: elements[$0]) }
        // Only elements that have a match are replaced.
        let giving = zip(positions, found).filter { !$0.1.values.isEmpty }
        var queue = queue(of: value)[...]
        var written: [JSONValue] = []
        if giving.contains(where: { $0.1.isMany }) {
            for (offset, (position, found)) in giving.enumerated() where !queue.isEmpty {
                let count = offset == giving.count - 1 ? queue.count : found.isMany ? found.values.count : 1
                let share = queue.prefix(count)
                queue = queue.dropFirst(count)
                let part = found.isMany ? JSONValue.array(Array(share)) : share.first ?? .null
                guard let changed = put(part, at: steps, in: elements[position]) else { return nil }
                written.append(changed)
                if !found.isMany { queue = share.dropFirst() + queue }
            }
        } else {
            let sources = assignment(of: Array(queue), to: giving.compactMap { $0.1.values.first })
            for (value, source) in zip(queue, sources) {
                let element = source.map { elements[giving[$0].0] } ?? step.template
                guard let changed = put(value, at: steps, in: element) else { return nil }
                written.append(step.completing(changed))
            }
            queue = []
        }
        for value in queue {
            guard let element = put(value, at: steps, in: step.template) else { return nil }
            written.append(element)
        }
        // The written elements replace those that had a match; the remaining ones are appended.
        var result: [JSONValue] = []
        var next = written[...]
        let givingPlaces = Set(giving.map(\.0))
        for (position, element) in elements.enumerated() {
            if !givingPlaces.contains(position) {
                result.append(element)
            } else if let first = next.popFirst() {
                result.append(first)
            }
        }
        return .array(result + next)
    }

    /// Returns, for each of `values`, the index of the existing value that it replaces: an equal one, else the one at
    /// the same index unless that equals another value.
    static func assignment(of values: [JSONValue], to existing: [JSONValue]) -> [Int?] {
        var free: [JSONValue: [Int]] = [:]
        for (index, value) in existing.enumerated().reversed() { free[value, default: []].append(index) }
        var taken: Set<Int> = []
        var result = values.map { value -> Int? in
            guard let index = free[value]?.popLast() else { return nil }
            taken.insert(index)
            return index
        }
        for index in result.indices where result[index] == nil && index < existing.count && !taken.contains(index) {
            result[index] = index
        }
        return result
    }

    /// Writes the values over the members of an object, which can lose members but not gain any.
    private static func spread(
        _ value: JSONValue, at steps: ArraySlice<Step>, overMembersOf object: JSONValue?, step: Step
    ) -> JSONValue? {
        guard let object else { return nil }
        var changes: [JSONValue.Step: JSONValue?] = [:]
        var queue = queue(of: value)[...]
        for child in object.children where step.leads(to: child.value) {
            let found = found(by: steps, in: child.value)
            guard !found.values.isEmpty else { continue }
            let share = queue.prefix(found.isMany ? found.values.count : 1)
            queue = queue.dropFirst(share.count)
            guard let first = share.first else {
                changes[child.step] = .some(nil)
                continue
            }
            let part = found.isMany ? JSONValue.array(Array(share)) : first
            guard let changed = put(part, at: steps, in: child.value) else { return nil }
            changes[child.step] = changed
        }
        return queue.isEmpty ? object.replacing(changes) : nil
    }

    /// Returns the value without its parts at `steps`, or nil if that is the whole value.
    private static func remove(_ steps: ArraySlice<Step>, in value: JSONValue) -> JSONValue? {
        guard let step = steps.first else { return nil }
        let children = step.children(of: value)
        let rest = children.isProjection ? steps : steps.dropFirst()
        var changes: [JSONValue.Step: JSONValue?] = [:]
        for child in children.all { changes[child.step] = .some(remove(rest, in: child.value)) }
        return value.replacing(changes)
    }
}

extension FieldPath.Step {
    fileprivate var isEvery: Bool {
        switch self {
        case .every, .filter: true
        case .name, .index: false
        }
    }

    /// Whether this step, applied to the parent, selects `element`.
    fileprivate func leads(to element: JSONValue) -> Bool {
        if case .filter(let filter) = self { filter.matches(element) } else { true }
    }

    /// The initial content of a new element, which satisfies the filter.
    fileprivate var template: JSONValue? {
        guard case .filter(let filter) = self else { return nil }
        return filter.names.reversed().reduce(filter.value) { value, name in
            .object([JSONValue.Member(key: name, value: value)])
        }
    }

    /// Returns an object with the member that the filter requires, if it has no such member.
    fileprivate func completing(_ element: JSONValue) -> JSONValue {
        guard case .object(let members) = element, case .object(let required)? = template,
            !required.contains(where: { element[$0.key] != nil })
        else { return element }
        return .object(required + members)
    }
}

extension JSONValue {
    /// Returns this object with the member `key` set to `value`, or removed if `value` is nil.
    public func setting(_ key: String, to value: JSONValue?) -> JSONValue {
        guard case .object(var members) = self else { return self }
        if let value {
            if let index = members.lastIndex(where: { $0.key == key }) {
                members[index].value = value
            } else {
                members.append(Member(key: key, value: value))
            }
        } else {
            members.removeAll { $0.key == key }
        }
        return .object(members)
    }

    /// Returns this array or object with the values in `changes` replaced, or removed if nil.
    fileprivate func replacing(_ changes: [Step: JSONValue?]) -> JSONValue {
        switch self {
        case .array(let elements):
            return .array(elements.enumerated().compactMap { changes[.index($0), default: $1] })
        case .object(let members):
            var result: [Member] = []
            var seen: Set<String> = []
            for member in members.reversed() {
                let isLast = seen.insert(member.key).inserted
                switch changes[.key(member.key)] {
                case .some(nil): continue
                case .some(let value?) where isLast: result.append(Member(key: member.key, value: value))
                default: result.append(member)
                }
            }
            return .object(result.reversed())
        case .null, .boolean, .number, .string: return self
        }
    }
}
