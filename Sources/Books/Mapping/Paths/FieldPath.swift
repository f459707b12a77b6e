public import JSON

/// The location of a value within a JSON value, in a subset of JSONPath (RFC 9535): "metadata.title",
/// "issued['date-parts'][0]", "images[?@.rel=='cover'].href".
///
/// It differs from RFC 9535 in three ways: "$." may be omitted; a bare name may start with a digit and contain "-",
/// "@", ":", "/" and inner spaces; and a name applied to an array selects that name in each element. "[]" is read as
/// "[*]", "[?(...)]" as "[?...]", and a text that starts with "/" as a JSON Pointer (RFC 6901).
public struct FieldPath: Hashable, Sendable {
    /// One step down from a value.
    public enum Step: Hashable, Sendable {
        /// Selects the member with this key; in an array, that member of each element.
        case name(String)
        /// Selects an element of an array, counting from the end if negative; in an object, the member with the number
        /// as its key, as in JSON Pointer.
        case index(Int)
        /// Selects every element of an array or every value of an object.
        case every
        /// Selects the elements or values that match a filter.
        case filter(Filter)
    }

    /// A filter that matches objects with a given value at a given path of names.
    public struct Filter: Hashable, Sendable {
        /// The keys that lead to the value.
        public let names: [String]
        /// The required value: a string, number, boolean or null.
        public let value: JSONValue

        /// Creates a filter for `value` at the path `names`.
        public init(names: [String], value: JSONValue) {
            self.names = names
            self.value = value
        }

        /// Whether `candidate` matches; numbers are compared by value, not by spelling.
        public func matches(_ candidate: JSONValue) -> Bool {
            var found = candidate
            for name in names {
                guard let next = found[name] else { return false }
                found = next
            }
            if case .number(let number) = found, case .number(let wanted) = value {
                return number == wanted || Double(number).map { $0.isFinite && $0 == Double(wanted) } == true
            }
            // An array matches if one of its elements does, such as the types of a resource.
            if case .array(let elements) = found { return elements.contains(value) }
            return found == value
        }
    }

    /// The steps from the root value; empty for the root itself, "$".
    public let steps: [Step]

    /// The path of the root value, "$".
    public static let wholeText = FieldPath(steps: [])

    /// Creates a path from `steps`.
    public init(steps: [Step]) { self.steps = steps }

    /// Parses a path.
    ///
    /// - Throws: `FieldPathSyntaxError` with the offset of the first invalid character.
    public init(_ text: String) throws(FieldPathSyntaxError) {
        if let plain = FieldPathParser.plainSteps(of: text) {
            steps = plain
        } else {
            var parser = FieldPathParser(text)
            steps = try parser.readSteps()
        }
    }

    /// The name, if the path is a single name.
    var soleName: String? {
        if steps.count == 1, case .name(let name) = steps[0] { name } else { nil }
    }

    /// The names before the first step of another kind, which a byte-level reader can follow without parsing whole
    /// values.
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
    /// Returns the offset of the value at `path`, relative to the value that starts here; the path must consist of
    /// names and indices only.
    public func offset(of path: FieldPath) throws(JSONSyntaxError) -> Int? {
        var reader = self
        for step in path.steps {
            var found: Int?
            switch (step, reader.peek()) {
            case (.name(let name), UInt8(ascii: "{")):
                try reader.readObject(depth: 1) { reader, key throws(JSONSyntaxError) in
                    // If a key occurs several times, the last one counts.
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
    /// The values at a path.
    public struct Found: Equatable {
        /// The values in document order.
        public var values: [JSONValue]
        /// Whether the path can match several values, because it contains "[*]" or a filter or applies a name to an
        /// array.
        public var isMany: Bool

        /// The only value, or an array if the path can match several.
        public var value: JSONValue? {
            if !isMany { return values.first }
            return values.isEmpty ? nil : .array(values)
        }
    }

    /// Returns the value at this path in `root`, or an array of the matches if the path can match several.
    public func value(in root: JSONValue) -> JSONValue? { value(in: root, afterNames: 0) }

    /// Returns the same starting at `value`, which the first `count` leading names lead to.
    public func value(in value: JSONValue, afterNames count: Int) -> JSONValue? {
        Self.found(by: steps.dropFirst(count), in: value).value
    }

    /// Returns all values at this path in `root`.
    public func found(in root: JSONValue) -> Found { Self.found(by: steps[...], in: root) }

    /// Returns all values that some of the steps lead to.
    static func found(by steps: ArraySlice<Step>, in root: JSONValue) -> Found {
        // Fast path: most paths consist of names and meet only objects.
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

    /// Calls `body` with the keys and indices that lead to each matching value.
    public func forEachLocation(in root: JSONValue, _ body: ([JSONValue.Step]) -> Void) {
        func walk(_ steps: ArraySlice<Step>, _ value: JSONValue, _ path: [JSONValue.Step]) {
            guard let step = steps.first else { return body(path) }
            let children = step.children(of: value)
            let rest = children.isProjection ? steps : steps.dropFirst()
            for child in children.all { walk(rest, child.value, path + [child.step]) }
        }
        walk(steps[...], root, [])
    }
}

extension FieldPath.Step {
    /// The children of a value that a step selects.
    struct Children {
        /// The children with their keys or indices.
        var all: [JSONValue.Child]
        /// Whether the step can select several children.
        var areMany: Bool
        /// Whether the step is a name applied to an array, and must still be applied to each element.
        var isProjection = false
    }

    /// Returns the children of `value` that this step selects.
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
    /// The key or index of a value in its object or array.
    public enum Step: Hashable, Sendable {
        /// The key of a member.
        case key(String)
        /// The index of an element.
        case index(Int)
    }

    /// A value in an array or object.
    public struct Child {
        /// The key or index of the value.
        var step: Step
        /// The value itself.
        public var value: JSONValue
    }

    /// All elements of an array, or all members of an object; if a key occurs several times, only the last one.
    var children: [Child] {
        switch self {
        case .array(let elements): return elements.enumerated().map { Child(step: .index($0), value: $1) }
        case .object(let members):
            var seen: Set<String> = []
            let last = members.reversed().filter { seen.insert($0.key).inserted }
            return last.reversed().map { Child(step: .key($0.key), value: $0.value) }
        default: return []
        }
    }

    /// Returns the child at `step` in an array of at most one element.
    public func child(_ step: Step) -> [Child] {
        switch (step, self) {
        case (.key(let key), _): self[key].map { [Child(step: step, value: $0)] } ?? []
        case (.index(let index), .array(let elements)) where elements.indices.contains(index):
            [Child(step: step, value: elements[index])]
        default: []
        }
    }
}

// MARK: - Text

extension FieldPath: CustomStringConvertible {
    /// The path in its shortest spelling, which parses to the same path.
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
