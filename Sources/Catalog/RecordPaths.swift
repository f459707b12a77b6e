/// A step down to a value in a text that is read from its beginning to its end.
enum ContainerStep: Hashable, Sendable {
    /// To the member of an object with this key.
    case key(String)
    /// To the element of an array at this index.
    case element(Int)
}

/// Where in a catalog the records are: the paths that a profile gives, or those of the arrays that were found to be of
/// books.
struct RecordPaths: Hashable, Sendable {
    /// Paths to the arrays, or objects, that hold records; the record itself where a path does not end in "[*]".
    private var paths: [[FieldPath.Step]]
    /// Whether each path leads to records, and not to what holds them.
    private var leadToRecords: [Bool]
    /// The filters that the paths end in, where they do.
    private var filters: [FieldPath.Filter?]
    /// The keys of arrays that hold records wherever they are.
    private var keys: Set<String> = []

    /// The paths of a profile.
    init(_ records: [FieldPath]) {
        paths = []
        leadToRecords = []
        filters = []
        for path in records {
            let end = path.steps.lastIndex { $0.isPlural }
            guard let end else {
                paths.append(path.steps)
                leadToRecords.append(true)
                filters.append(nil)
                continue
            }
            paths.append(Array(path.steps[..<end]))
            leadToRecords.append(false)
            if case .filter(let filter) = path.steps[end] { filters.append(filter) } else { filters.append(nil) }
        }
    }

    /// The array at `path`, and the others behind the same last key, if any, wherever they are.
    init(arrayAt path: [ContainerStep]) {
        self.init([])
        add(path)
        if case .key(let key)? = path.last { keys = [key] }
    }

    private mutating func add(_ path: [ContainerStep]) {
        paths.append(
            path.map { step in
                switch step {
                case .key(let key): .name(key)
                case .element: .every
                }
            })
        leadToRecords.append(false)
        filters.append(nil)
    }

    /// What a value at `path` is to a catalog.
    enum Match {
        /// Each of its elements, or values, is a record, if it passes one of the filters, where there are any.
        case container([FieldPath.Filter])
        /// It is a record; where it is an array, its elements are.
        case record
        /// None, but there may be records within it.
        case above
        /// None, and there are no records in it.
        case none
    }

    /// What the value at `path` is.
    func match(_ path: [ContainerStep]) -> Match {
        var isAbove = !keys.isEmpty
        var passing: [FieldPath.Filter]?
        for (index, steps) in paths.enumerated() {
            switch Self.match(steps[...], path[...]) {
            case .whole where leadToRecords[index]: return .record
            case .whole:
                guard let filter = filters[index] else { return .container([]) }
                passing = (passing ?? []) + [filter]
            case .part: isAbove = true
            case .no: break
            }
        }
        if let passing { return .container(passing) }
        if case .key(let key)? = path.last, keys.contains(key) { return .container([]) }
        return isAbove ? .above : .none
    }

    private enum Extent { case whole, part, no }

    private static func match(_ steps: ArraySlice<FieldPath.Step>, _ path: ArraySlice<ContainerStep>) -> Extent {
        guard let place = path.first else { return steps.isEmpty ? .whole : .part }
        guard let step = steps.first else { return .no }
        switch (step, place) {
        case (.name(let name), .key(let key)): return name == key ? match(steps.dropFirst(), path.dropFirst()) : .no
        // A name that meets an array is that name in each of its elements.
        case (.name, .element): return match(steps, path.dropFirst())
        case (.index(let wanted), .element(let index)):
            return wanted == index ? match(steps.dropFirst(), path.dropFirst()) : .no
        case (.index, .key): return .no
        case (.every, _), (.filter, _): return match(steps.dropFirst(), path.dropFirst())
        }
    }

    /// Whether there may be records behind an array or object that is at `path`.
    func mayGoOn(behind path: [ContainerStep]) -> Bool {
        if !keys.isEmpty || paths.count > 1 { return true }
        return paths.contains { $0.contains(where: \.isPlural) } || path.contains { $0.isElement }
    }
}

extension FieldPath.Step {
    /// Whether it leads to several values.
    var isPlural: Bool {
        switch self {
        case .every, .filter: true
        case .name, .index: false
        }
    }
}

extension ContainerStep {
    /// Whether it is a step into an array.
    var isElement: Bool {
        if case .element = self { true } else { false }
    }
}
