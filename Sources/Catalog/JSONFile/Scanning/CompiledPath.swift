internal import Books
internal import Glibc
internal import JSON

/// The steps of a path, compiled for matching against the bytes of a text.
///
/// It supports the steps in the paths of most catalogs: names, elements, and a filter by one text.
struct CompiledPath: Sendable {
    /// A step; names and texts are UTF-8.
    enum Step {
        case name([UInt8])
        case index(Int)
        case every
        case filter(name: [UInt8], text: [UInt8])
    }

    /// The steps, from the record down.
    let steps: [Step]

    /// Compiles `path`; fails if it contains an unsupported step.
    init?(_ path: FieldPath) {
        var steps: [Step] = []
        for step in path.steps {
            guard let step = Step(step) else { return nil }
            steps.append(step)
        }
        self.steps = steps
    }
}

extension CompiledPath.Step {
    fileprivate init?(_ step: FieldPath.Step) {
        switch step {
        case .name(let name): self = .name(Array(name.utf8))
        case .index(let index) where index >= 0: self = .index(index)
        case .every: self = .every
        case .filter(let filter):
            guard filter.names.count == 1, case .string(let text) = filter.value else { return nil }
            self = .filter(name: Array(filter.names[0].utf8), text: Array(text.utf8))
        case .index: return nil
        }
    }
}

extension JSONReader {
    /// Follows the path of `target` like `walk(_:from:_:)` below. Does not access the path if all steps have been
    /// taken, as in most records, because retaining it would slow down the threads that share it.
    @inline(__always)
    mutating func walk(
        _ target: KeyTrie.Target, of plan: KeyTrie, from first: Int, _ leaf: (inout JSONReader) -> Bool
    ) -> Bool {
        guard let stepCount = target.stepCount else { return false }
        if first >= stepCount { return walkLeaves(leaf) }
        return plan.path(of: target).map { walk($0, from: first, leaf) } ?? false
    }

    /// Follows `path` from its step `first` on, from the value that begins here. Calls `leaf` at the start of each
    /// value at its end, or of each element if that value is an array; `leaf` must read it. The text must be valid
    /// JSON.
    ///
    /// - Returns: False if the text needs the general parser or `leaf` returns false; all results are void then.
    mutating func walk(
        _ path: CompiledPath, from first: Int, _ leaf: (inout JSONReader) -> Bool
    ) -> Bool {
        guard first < path.steps.count else { return walkLeaves(leaf) }
        switch (path.steps[first], byte) {
        case (.name, UInt8(ascii: "[")): return walkElements { $0.walk(path, from: first, leaf) }
        case (.name(let name), UInt8(ascii: "{")):
            guard let target = member(name) else { return false }
            if target == 0 { return true }
            let end = offset
            move(to: target)
            let isPlain = walk(path, from: first + 1, leaf)
            move(to: end)
            return isPlain
        case (.every, UInt8(ascii: "[")): return walkElements { $0.walk(path, from: first + 1, leaf) }
        case (.index(let wanted), UInt8(ascii: "[")):
            var index = 0
            return walkElements { reader in
                index += 1
                return index == wanted + 1 ? reader.walk(path, from: first + 1, leaf) : reader.pass()
            }
        case (.filter(let name, let text), UInt8(ascii: "[")):
            return walkElements { reader in
                guard reader.byte == UInt8(ascii: "{") else { return reader.pass() }
                let start = reader.offset
                guard let target = reader.member(name) else { return false }
                if target == 0 { return true }
                let end = reader.offset
                reader.move(to: target)
                guard let matches = reader.isString(text) else { return false }
                if !matches {
                    reader.move(to: end)
                    return true
                }
                reader.move(to: start)
                return reader.walk(path, from: first + 1, leaf)
            }
        // Whether the values of an object match is left to the general parser.
        case (.every, UInt8(ascii: "{")), (.filter, UInt8(ascii: "{")), (.index, UInt8(ascii: "{")): return false
        default: return pass()
        }
    }

    private mutating func walkLeaves(_ leaf: (inout JSONReader) -> Bool) -> Bool {
        byte == UInt8(ascii: "[") ? walkElements { $0.walkLeaves(leaf) } : leaf(&self)
    }

    /// Calls `element` at the start of each element of the array that begins here.
    private mutating func walkElements(_ element: (inout JSONReader) -> Bool) -> Bool {
        move(to: offset + 1)
        if peek() == UInt8(ascii: "]") {
            move(to: offset + 1)
            return true
        }
        repeat {
            _ = peek()
            if !element(&self) { return false }
        } while (try? hasMore(before: UInt8(ascii: "]"))) == true
        return true
    }

    /// Skips the value that begins here.
    mutating func pass() -> Bool { (try? skipValue(depth: 2)) != nil }

    /// Skips the object that begins here.
    ///
    /// - Returns: The offset of the value of `name`, or zero if there is none; nil if a key contains escapes.
    mutating func member(_ name: [UInt8]) -> Int? {
        var value = 0
        move(to: offset + 1)
        if peek() == UInt8(ascii: "}") {
            move(to: offset + 1)
            return 0
        }
        repeat {
            guard let key = try? readKey(), !isKeyEscaped else { return nil }
            if key.count - 2 == name.count, memcmp(pointer(to: key.lowerBound + 1), name, name.count) == 0 {
                value = offset
            }
            guard pass() else { return nil }
        } while (try? hasMore(before: UInt8(ascii: "}"))) == true
        return value
    }

    /// Reads the value that begins here.
    ///
    /// - Returns: Whether it is the string `text`; nil if it is a string with escapes.
    private mutating func isString(_ text: [UInt8]) -> Bool? {
        guard byte == UInt8(ascii: "\"") else { return pass() ? false : nil }
        let start = offset + 1
        guard (try? skipString()) == true else { return nil }
        return offset - 1 - start == text.count && memcmp(pointer(to: start), text, text.count) == 0
    }
}
