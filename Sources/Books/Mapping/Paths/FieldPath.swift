public import JSON

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

        /// A filter for a value behind these keys.
        package init(names: [String], value: JSONValue) {
            self.names = names
            self.value = value
        }

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
            // Of several values one is enough, as of the types of a thing.
            if case .array(let elements) = found { return elements.contains(value) }
            return found == value
        }
    }

    /// The steps from the value that the path is applied to; without any the path is that of the value itself, "$".
    public let steps: [Step]

    /// The path of the value itself, "$".
    public static let wholeText = FieldPath(steps: [])

    /// The path of these steps.
    package init(steps: [Step]) { self.steps = steps }

    /// The path that `text` says.
    ///
    /// - Throws: `FieldPathSyntaxError`, with the first character that cannot be read.
    public init(_ text: String) throws(FieldPathSyntaxError) {
        if let plain = FieldPathParser.plainSteps(of: text) {
            steps = plain
        } else {
            var parser = FieldPathParser(text)
            steps = try parser.readSteps()
        }
    }

    /// The name, where it is nothing else.
    var soleName: String? {
        if steps.count == 1, case .name(let name) = steps[0] { name } else { nil }
    }

    /// The names before the first other step: as far as a reader of bytes can walk without looking at whole values.
    public var leadingNames: [String] {
        var names: [String] = []
        for case .name(let name) in steps.prefix(while: \.isName) { names.append(name) }
        return names
    }
}

extension FieldPath.Step {
    fileprivate var isName: Bool {
        if case .name = self { true } else { false }
    }
}

extension JSONReader {
    /// Where the value at `path`, of names and indices alone, begins in the value that begins here; nil where there is none.
    package func offset(of path: FieldPath) throws(JSONSyntaxError) -> Int? {
        var reader = self
        for step in path.steps {
            var found: Int?
            switch (step, reader.peek()) {
            case (.name(let name), UInt8(ascii: "{")):
                try reader.readObject(depth: 1) { reader, key throws(JSONSyntaxError) in
                    // Of several with one key the last counts.
                    if reader.string(of: key) == name { found = reader.offset }
                    try reader.skipValue(depth: 2)
                }
            case (.index(let index), UInt8(ascii: "[")):
                var count = 0
                try reader.readArray(depth: 1) { reader throws(JSONSyntaxError) in
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
    public func value(in root: JSONValue) -> JSONValue? { value(in: root, afterNames: 0) }

    /// The same from the value that the first `count` of the leading names lead to.
    package func value(in value: JSONValue, afterNames count: Int) -> JSONValue? {
        Self.found(by: steps.dropFirst(count), in: value).value
    }

    /// All values that this path leads to from `root`.
    package func found(in root: JSONValue) -> Found { Self.found(by: steps[...], in: root) }

    /// The same of some of the steps.
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
        for child in children.all { collect(rest, in: child.value, into: &found) }
    }

    /// Calls `body` with the places that lead to each value, one step down each.
    package func forEachPlace(in root: JSONValue, _ body: ([JSONValue.Place]) -> Void) {
        func walk(_ steps: ArraySlice<Step>, _ value: JSONValue, _ places: [JSONValue.Place]) {
            guard let step = steps.first else { return body(places) }
            let children = step.children(of: value)
            let rest = children.isProjection ? steps : steps.dropFirst()
            for child in children.all { walk(rest, child.value, places + [child.place]) }
        }
        walk(steps[...], root, [])
    }
}

extension FieldPath.Step {
    /// The children of a value that a step leads to.
    struct Children {
        /// Each with its place.
        var all: [JSONValue.Child]
        /// Whether there may be several.
        var areMany: Bool
        /// Whether the step is a name that meets an array, and is still to be taken in each element.
        var isProjection = false
    }

    /// The children of `value` that this step leads to.
    func children(of value: JSONValue) -> Children {
        switch (self, value) {
        case (.name, .array): return Children(all: value.children, areMany: true, isProjection: true)
        case (.name(let name), .object): return Children(all: value.child(.key(name)), areMany: false)
        case (.index(let index), .array(let elements)):
            return Children(all: value.child(.index(index < 0 ? elements.count + index : index)), areMany: false)
        case (.index(let index), .object):
            return Children(all: index < 0 ? [] : value.child(.key(String(index))), areMany: false)
        case (.every, _): return Children(all: value.children, areMany: true)
        case (.filter(let filter), _):
            return Children(all: value.children.filter { filter.matches($0.value) }, areMany: true)
        default: return Children(all: [], areMany: false)
        }
    }
}

extension JSONValue {
    /// Where a value is in the array or object that has it.
    public enum Place: Hashable, Sendable {
        /// Of a member.
        case key(String)
        /// Of an element.
        case index(Int)
    }

    /// A value in an array or object.
    package struct Child {
        /// Where it is.
        var place: Place
        /// The value.
        package var value: JSONValue
    }

    /// All elements, or the members that count: of several with one key the last.
    var children: [Child] {
        switch self {
        case .array(let elements): return elements.enumerated().map { Child(place: .index($0), value: $1) }
        case .object(let members):
            var seen: Set<String> = []
            let last = members.reversed().filter { seen.insert($0.key).inserted }
            return last.reversed().map { Child(place: .key($0.key), value: $0.value) }
        default: return []
        }
    }

    /// The child at `place` alone; none where there is none.
    package func child(_ place: Place) -> [Child] {
        switch (place, self) {
        case (.key(let key), _): self[key].map { [Child(place: place, value: $0)] } ?? []
        case (.index(let index), .array(let elements)) where elements.indices.contains(index):
            [Child(place: place, value: elements[index])]
        default: []
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
