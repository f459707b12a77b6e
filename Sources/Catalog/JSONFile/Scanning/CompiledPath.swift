internal import Books
internal import Glibc
internal import JSON

// Unchecked, as the compiler cannot know that nobody writes to the memory after it was made.
/// A text that is compared with bytes. Who made it gives it back.
struct PlainText: @unchecked Sendable {
    let start: UnsafePointer<UInt8>
    let count: Int

    /// This text.
    init(_ text: String) {
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, text.utf8.count))
        for (index, byte) in text.utf8.enumerated() { copy[index] = byte }
        start = UnsafePointer(copy)
        count = text.utf8.count
    }

    /// Gives the memory back: no copy may be used any more.
    func deallocate() { start.deallocate() }
}

// Unchecked, as the compiler cannot know that nobody writes to the memory after it was made.
/// The steps of a path in a form in which they are taken over bytes. Immutable. Who made it gives it back, as to
/// count who has it would take as long as to walk it.
///
/// What most catalogs have needs no more: names, elements, and a filter by one text.
struct CompiledPath: @unchecked Sendable {
    /// A step.
    enum Step {
        case name(PlainText)
        case index(Int)
        case every
        case filter(name: PlainText, text: PlainText)
    }

    private let start: UnsafeMutablePointer<Step>
    /// How many steps there are.
    let count: Int

    /// The steps of `path`; nil where there is one that cannot be taken so.
    init?(_ path: FieldPath) {
        count = path.steps.count
        start = .allocate(capacity: max(1, count))
        for (place, step) in path.steps.enumerated() {
            guard let step = Step(step) else {
                Self.deallocate(start, count: place)
                return nil
            }
            (start + place).initialize(to: step)
        }
    }

    /// Gives the memory back: no copy may be used any more.
    func deallocate() { Self.deallocate(start, count: count) }

    private static func deallocate(_ steps: UnsafeMutablePointer<Step>, count: Int) {
        for index in 0..<count {
            switch steps[index] {
            case .name(let name): name.deallocate()
            case .filter(let name, let text):
                name.deallocate()
                text.deallocate()
            case .index, .every: break
            }
        }
        steps.deallocate()
    }

    /// The step at `index`, from zero to below the count.
    subscript(index: Int) -> Step { start[index] }
}

extension CompiledPath.Step {
    fileprivate init?(_ step: FieldPath.Step) {
        switch step {
        case .name(let name): self = .name(PlainText(name))
        case .index(let index) where index >= 0: self = .index(index)
        case .every: self = .every
        case .filter(let filter):
            guard filter.names.count == 1, case .string(let text) = filter.value else { return nil }
            self = .filter(name: PlainText(filter.names[0]), text: PlainText(text))
        case .index: return nil
        }
    }
}

extension JSONReader {
    /// Takes the steps from `first` on, from the value that begins here, and calls `leaf` where each value begins that they
    /// lead to, and each element where that is an array; it must read it. The text was checked before.
    ///
    /// - Returns: False where something is not so plain, or `leaf` says so: then all that was found is void.
    mutating func walk(
        _ path: CompiledPath, from first: Int, _ leaf: (inout JSONReader) -> Bool
    ) -> Bool {
        guard first < path.count else { return walkLeaves(leaf) }
        switch (path[first], byte) {
        case (.name, UInt8(ascii: "[")): return walkElements { $0.walk(path, from: first, leaf) }
        case (.name(let name), UInt8(ascii: "{")):
            guard let place = member(name) else { return false }
            if place == 0 { return true }
            let end = offset
            move(to: place)
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
                guard let place = reader.member(name) else { return false }
                if place == 0 { return true }
                let end = reader.offset
                reader.move(to: place)
                guard let matches = reader.isString(text) else { return false }
                if !matches {
                    reader.move(to: end)
                    return true
                }
                reader.move(to: start)
                return reader.walk(path, from: first + 1, leaf)
            }
        // Values of an object are in question.
        case (.every, UInt8(ascii: "{")), (.filter, UInt8(ascii: "{")), (.index, UInt8(ascii: "{")): return false
        default: return pass()
        }
    }

    private mutating func walkLeaves(_ leaf: (inout JSONReader) -> Bool) -> Bool {
        byte == UInt8(ascii: "[") ? walkElements { $0.walkLeaves(leaf) } : leaf(&self)
    }

    /// Calls `element` where each element of the array that begins here does.
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

    /// Passes over the value that begins here.
    mutating func pass() -> Bool { (try? skipValue(depth: 2)) != nil }

    /// Passes over the object that begins here.
    ///
    /// - Returns: Where the value of `name` begins, zero where there is none; nil where a key is written with escapes.
    mutating func member(_ name: PlainText) -> Int? {
        var value = 0
        move(to: offset + 1)
        if peek() == UInt8(ascii: "}") {
            move(to: offset + 1)
            return 0
        }
        repeat {
            guard let key = try? readKey(), !isKeyEscaped else { return nil }
            if key.count - 2 == name.count, memcmp(pointer(to: key.lowerBound + 1), name.start, name.count) == 0 {
                value = offset
            }
            guard pass() else { return nil }
        } while (try? hasMore(before: UInt8(ascii: "}"))) == true
        return value
    }

    /// Reads the value that begins here.
    ///
    /// - Returns: Whether it is the string `text`; nil where it is a string with escapes.
    private mutating func isString(_ text: PlainText) -> Bool? {
        guard byte == UInt8(ascii: "\"") else { return pass() ? false : nil }
        let start = offset + 1
        guard (try? skipString()) == true else { return nil }
        return offset - 1 - start == text.count && memcmp(pointer(to: start), text.start, text.count) == 0
    }
}
