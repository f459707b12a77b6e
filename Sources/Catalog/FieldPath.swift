/// Where a value is in a JSON value: a subset of JSONPath (RFC 9535), "metadata.title", "issued['date-parts'][0]",
/// "images[?@.rel=='cover'].href".
///
/// It differs from RFC 9535 in three ways: "$." may be left out; a bare name may begin with a digit and have "-", "@", ":",
/// "/" and blanks inside; and a name applied to an array stands for that name in each of the elements. "[]" is read as
/// "[*]", "[?(...)]" as "[?...]", and a text that begins with "/" as a JSON Pointer (RFC 6901).
public struct FieldPath: Hashable, Sendable {
    /// One step down from a value.
    public enum Step: Hashable, Sendable {
        /// To the member with this key, or to those of an array's elements.
        case name(String)
        /// To an element of an array, from the end where negative; of an object to the member with the number as its key,
        /// as a JSON Pointer has it.
        case index(Int)
        /// To each element of an array, each value of an object.
        case every
        /// To those elements or values that a filter lets pass.
        case filter(Filter)
    }

    /// What lets those objects pass that have a certain value somewhere.
    public struct Filter: Hashable, Sendable {
        /// The keys that lead to the value.
        public let names: [String]
        /// What the value must be: a string, number, boolean or null.
        package let value: JSONValue

        /// Whether it lets `candidate` pass. Numbers are compared by what they are, not by how they are written.
        package func matches(_ candidate: JSONValue) -> Bool {
            var found = candidate
            for name in names {
                guard let next = found[name] else { return false }
                found = next
            }
            if case .number(let number) = found, case .number(let wanted) = value {
                return number == wanted || Double(number).map { $0.isFinite && $0 == Double(wanted) } == true
            }
            return found == value
        }
    }

    /// The steps from the value that the path is applied to; without any the path is that of the value itself, "$".
    public let steps: [Step]

    /// The path of these steps.
    init(steps: [Step]) { self.steps = steps }

    /// The path that `text` says.
    ///
    /// - Throws: `FieldPathFault`, with the first character that cannot be read.
    public init(_ text: String) throws(FieldPathFault) {
        var parser = FieldPathParser(text)
        steps = try parser.readSteps()
    }

    /// The names before the first other step: as far as a reader of bytes can walk without looking at whole values.
    public var leadingNames: [String] {
        var names: [String] = []
        for case .name(let name) in steps.prefix(while: \.isName) { names.append(name) }
        return names
    }

    /// Whether this path leads to all that `other` leads to: its steps are the beginning of the other's.
    func covers(_ other: FieldPath) -> Bool { other.steps.starts(with: steps) }
}

extension FieldPath.Step {
    fileprivate var isName: Bool {
        if case .name = self { true } else { false }
    }
}

extension JSONReader {
    /// Where the value at `path`, of names and indices alone, begins in the value that begins here; nil where there is none.
    func offset(of path: FieldPath) throws(JSONFault) -> Int? {
        var reader = self
        for step in path.steps {
            var found: Int?
            switch (step, reader.peek()) {
            case (.name(let name), UInt8(ascii: "{")):
                try reader.readObject(depth: 1) { reader, key throws(JSONFault) in
                    // Of several with one key the last counts.
                    if reader.string(of: key) == name { found = reader.offset }
                    try reader.skipValue(depth: 2)
                }
            case (.index(let index), UInt8(ascii: "[")):
                var count = 0
                try reader.readArray(depth: 1) { reader throws(JSONFault) in
                    if count == index { found = reader.offset }
                    count += 1
                    try reader.skipValue(depth: 2)
                }
            default: return nil
            }
            guard let found else { return nil }
            reader.move(to: found)
        }
        _ = reader.peek()
        return reader.offset
    }
}

// MARK: - Reading values

extension FieldPath {
    /// The values that a path leads to.
    package struct Found: Equatable {
        /// The values, in the order of the text.
        package var values: [JSONValue]
        /// Whether there may be several, as the path has "[*]" or a filter, or applies a name to an array.
        package var isMany: Bool

        /// One value: of several an array; nil where there is none.
        package var value: JSONValue? {
            if !isMany { return values.first }
            return values.isEmpty ? nil : .array(values)
        }
    }

    /// The value that this path leads to from `root`; an array of what it finds where that may be several; nil where there
    /// is nothing.
    package func value(in root: JSONValue) -> JSONValue? { value(in: root, afterNames: 0) }

    /// The same from the value that the first `count` of the leading names lead to.
    package func value(in value: JSONValue, afterNames count: Int) -> JSONValue? {
        Self.found(by: steps.dropFirst(count), in: value).value
    }

    /// All values that this path leads to from `root`.
    package func found(in root: JSONValue) -> Found { Self.found(by: steps[...], in: root) }

    static func found(by steps: ArraySlice<Step>, in root: JSONValue) -> Found {
        // Most paths are of names, and meet objects only.
        var value = root
        var rest = steps
        while case .name(let name)? = rest.first, case .object = value {
            guard let next = value[name] else { return Found(values: [], isMany: false) }
            value = next
            rest = rest.dropFirst()
        }
        var found = Found(values: [], isMany: false)
        collect(rest, in: value, into: &found)
        return found
    }

    private static func collect(_ steps: ArraySlice<Step>, in value: JSONValue, into found: inout Found) {
        guard let step = steps.first else {
            found.values.append(value)
            return
        }
        let children = step.children(of: value)
        if children.areMany { found.isMany = true }
        let rest = children.isProjection ? steps : steps.dropFirst()
        for place in children.places {
            if let child = value[place] { collect(rest, in: child, into: &found) }
        }
    }

    /// Calls `body` with the places that lead to each value, one step down each.
    func forEachPlace(in root: JSONValue, _ body: ([JSONValue.Place]) -> Void) {
        func walk(_ steps: ArraySlice<Step>, _ value: JSONValue, _ places: [JSONValue.Place]) {
            guard let step = steps.first else { return body(places) }
            let children = step.children(of: value)
            let rest = children.isProjection ? steps : steps.dropFirst()
            for place in children.places {
                if let child = value[place] { walk(rest, child, places + [place]) }
            }
        }
        walk(steps[...], root, [])
    }
}

extension FieldPath.Step {
    /// The children of a value that a step leads to.
    fileprivate struct Children {
        var places: [JSONValue.Place]
        /// Whether there may be several.
        var areMany: Bool
        /// Whether the step is a name that meets an array, and is still to be taken in each element.
        var isProjection = false
    }

    fileprivate func children(of value: JSONValue) -> Children {
        switch (self, value) {
        case (.name, .array(let elements)):
            return Children(places: elements.indices.map { .index($0) }, areMany: true, isProjection: true)
        case (.name(let name), .object): return Children(places: [.key(name)], areMany: false)
        case (.index(let index), .array(let elements)):
            let index = index < 0 ? elements.count + index : index
            return Children(places: elements.indices.contains(index) ? [.index(index)] : [], areMany: false)
        case (.index(let index), .object):
            return Children(places: index < 0 ? [] : [.key(String(index))], areMany: false)
        case (.every, _): return Children(places: value.places, areMany: true)
        case (.filter(let filter), _):
            let places = value.places.filter { place in value[place].map(filter.matches) ?? false }
            return Children(places: places, areMany: true)
        default: return Children(places: [], areMany: false)
        }
    }
}

extension JSONValue {
    /// Where a value is in the array or object that has it.
    package enum Place: Hashable {
        case key(String)
        case index(Int)
    }

    /// The places of all elements, or of the members that count: of several with one key the last.
    var places: [Place] {
        switch self {
        case .array(let elements): return elements.indices.map { .index($0) }
        case .object(let members):
            var seen: Set<String> = []
            let last = members.reversed().filter { seen.insert($0.key).inserted }
            return last.reversed().map { .key($0.key) }
        default: return []
        }
    }

    subscript(place: Place) -> JSONValue? {
        switch (place, self) {
        case (.key(let key), .object): self[key]
        case (.index(let index), .array(let elements)): elements.indices.contains(index) ? elements[index] : nil
        default: nil
        }
    }

    /// This object with the value of `key` replaced, or with a member appended; without the member where `value` is nil.
    func setting(_ key: String, to value: JSONValue?) -> JSONValue {
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
}

// MARK: - Writing values

extension FieldPath {
    /// `root` with `value` where this path leads: missing objects and arrays are made, all else stays as and where it is.
    ///
    /// Where the path may lead to several values, `value` is an array of them, or one: they are written into the elements
    /// that have one, one by one, and the elements keep their other members. An element that has the value already is the
    /// one that keeps it. Elements for which none is left are dropped; new ones are appended for those that are left over,
    /// with what a filter asks for.
    ///
    /// - Returns: `root` unchanged, where the value cannot be written: an index that is more than one behind the end, a new
    ///   value of an object whose keys the path does not say.
    package func setting(_ value: JSONValue, in root: JSONValue) -> JSONValue {
        Self.put(value, at: steps[...], in: root) ?? root
    }

    /// The same for one value: where the path leads to several, the first of them is replaced.
    func settingFirst(_ value: JSONValue, in root: JSONValue) -> JSONValue {
        Self.putFirst(value, at: steps[...], in: root) ?? root
    }

    /// `root` without the members and elements that this path leads to.
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
        guard let current, let children, children.areMany, !children.places.isEmpty else {
            if children?.areMany == true || step.isEvery { return put(.array([value]), at: steps, in: current) }
            return putOne(at: step, in: current) { putFirst(value, at: rest, in: $0) }
        }
        let below = children.isProjection ? steps : rest
        let giving = children.places.first { place in
            current[place].map { !found(by: below, in: $0).values.isEmpty } ?? false
        }
        // An object that has not got it is a better place for it than one more element.
        let place = giving ?? children.places.first { current[$0]?.members != nil }
        guard let place, let child = current[place], let changed = putFirst(value, at: below, in: child) else {
            return put(.array([value]), at: steps, in: current)
        }
        return current.replacing(place, with: changed)
    }

    /// Takes a step that leads to one value, and makes the object or array that it needs.
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
            let place = index < 0 ? max(elements.count + index, index == -1 ? 0 : -1) : index
            guard place >= 0, place <= elements.count else { return nil }
            guard let changed = change(place < elements.count ? elements[place] : nil) else { return nil }
            if place < elements.count { elements[place] = changed } else { elements.append(changed) }
            return .array(elements)
        case (.every, _), (.filter, _): return nil
        }
    }

    /// The values that are written one by one: of an array its elements.
    private static func queue(of value: JSONValue) -> [JSONValue] {
        if case .array(let elements) = value { elements } else { [value] }
    }

    private static func spread(
        _ value: JSONValue, at steps: ArraySlice<Step>, over elements: [JSONValue], step: Step
    ) -> JSONValue? {
        let places = elements.indices.filter { step.leads(to: elements[$0]) }
        let found = places.map { Self.found(by: steps, in: elements[$0]) }
        // The elements that have a value; the others are passed over.
        let giving = zip(places, found).filter { !$0.1.values.isEmpty }
        var queue = queue(of: value)[...]
        var written: [JSONValue] = []
        if giving.contains(where: { $0.1.isMany }) {
            for (offset, (place, found)) in giving.enumerated() where !queue.isEmpty {
                let count = offset == giving.count - 1 ? queue.count : found.isMany ? found.values.count : 1
                let share = queue.prefix(count)
                queue = queue.dropFirst(count)
                let part = found.isMany ? JSONValue.array(Array(share)) : share.first ?? .null
                guard let changed = put(part, at: steps, in: elements[place]) else { return nil }
                written.append(changed)
                if !found.isMany { queue = share.dropFirst() + queue }
            }
        } else {
            let sources = assignment(of: Array(queue), to: giving.compactMap { $0.1.values.first })
            for (value, source) in zip(queue, sources) {
                let element = source.map { elements[giving[$0].0] } ?? step.template
                guard let changed = put(value, at: steps, in: element) else { return nil }
                written.append(changed)
            }
            queue = []
        }
        for value in queue {
            guard let element = put(value, at: steps, in: step.template) else { return nil }
            written.append(element)
        }
        // What was written takes the places of what gave a value; what is left over follows.
        var result: [JSONValue] = []
        var next = written[...]
        let givingPlaces = Set(giving.map(\.0))
        for (place, element) in elements.enumerated() {
            if !givingPlaces.contains(place) {
                result.append(element)
            } else if let first = next.popFirst() {
                result.append(first)
            }
        }
        return .array(result + next)
    }

    /// For each of `values` which of the `existing` ones it takes the place of: its equal, else the one in its own place
    /// where no other is the equal of that.
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

    /// The same over the values of an object, which can become fewer but not more.
    private static func spread(
        _ value: JSONValue, at steps: ArraySlice<Step>, overMembersOf object: JSONValue?, step: Step
    ) -> JSONValue? {
        guard var result = object else { return nil }
        var queue = queue(of: value)[...]
        for place in result.places {
            guard case .key(let key) = place, let child = result[key], step.leads(to: child) else { continue }
            let found = found(by: steps, in: child)
            guard !found.values.isEmpty else { continue }
            let share = queue.prefix(found.isMany ? found.values.count : 1)
            queue = queue.dropFirst(share.count)
            guard let first = share.first else {
                result = result.setting(key, to: nil)
                continue
            }
            guard let changed = put(found.isMany ? .array(Array(share)) : first, at: steps, in: child) else {
                return nil
            }
            result = result.setting(key, to: changed)
        }
        return queue.isEmpty ? result : nil
    }

    /// The value without what the steps lead to; nil where that is the value itself.
    private static func remove(_ steps: ArraySlice<Step>, in value: JSONValue) -> JSONValue? {
        guard let step = steps.first else { return nil }
        let children = step.children(of: value)
        let rest = children.isProjection ? steps : steps.dropFirst()
        var result = value
        // From the end, so that the places of those before stay what they are.
        for place in children.places.reversed() {
            guard let child = value[place] else { continue }
            result = result.replacing(place, with: remove(rest, in: child))
        }
        return result
    }
}

extension FieldPath.Step {
    fileprivate var isEvery: Bool {
        switch self {
        case .every, .filter: true
        case .name, .index: false
        }
    }

    /// Whether this step, taken from the array or object that has it, leads to `element`.
    fileprivate func leads(to element: JSONValue) -> Bool {
        if case .filter(let filter) = self { filter.matches(element) } else { true }
    }

    /// What a new element has before anything is written into it.
    fileprivate var template: JSONValue? {
        guard case .filter(let filter) = self else { return nil }
        return filter.names.reversed().reduce(filter.value) { value, name in
            .object([JSONValue.Member(key: name, value: value)])
        }
    }
}

extension JSONValue {
    /// This array or object with the value at `place` replaced, or taken out where `value` is nil.
    fileprivate func replacing(_ place: Place, with value: JSONValue?) -> JSONValue {
        switch (place, self) {
        case (.key(let key), _): return setting(key, to: value)
        case (.index(let index), .array(var elements)) where elements.indices.contains(index):
            if let value { elements[index] = value } else { elements.remove(at: index) }
            return .array(elements)
        default: return self
        }
    }
}

// MARK: - Text

extension FieldPath: CustomStringConvertible {
    /// The path as it is written shortest; reading that gives the same path.
    public var description: String {
        var text = ""
        for step in steps {
            switch step {
            case .name(let name):
                if Self.isBare(name) {
                    text += text.isEmpty ? name : "." + name
                } else {
                    text += "[\(Self.quoted(name))]"
                }
            case .index(let index): text += "[\(index)]"
            case .every: text += "[*]"
            case .filter(let filter): text += "[?@\(Self.inFilter(filter.names))==\(Self.literal(filter.value))]"
            }
        }
        return text.isEmpty ? "$" : text
    }

    private static func inFilter(_ names: [String]) -> String {
        names.map { isBare($0) ? "." + $0 : "[\(quoted($0))]" }.joined()
    }

    private static func literal(_ value: JSONValue) -> String {
        switch value {
        case .string(let string): quoted(string)
        case let other: other.json
        }
    }

    private static func isBare(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, first != "/", first != " ", name.unicodeScalars.last != " " else {
            return false
        }
        return name.unicodeScalars.allSatisfy { FieldPathParser.isInName($0) || $0 == " " }
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "'"
        for scalar in text.unicodeScalars {
            switch scalar {
            case "'", "\\": quoted += "\\\(scalar)"
            case "\u{00}"..."\u{1F}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "'"
    }
}
