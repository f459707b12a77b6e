package import Books

/// A step down to a value in a text that is read sequentially.
enum ContainerStep: Hashable, Sendable {
    /// To the member with this key.
    case key(String)
    /// To the element at this index.
    case element(Int)
}

/// The paths of the records in a catalog, from a profile or from the arrays that were detected.
struct RecordPaths: Hashable, Sendable {
    private var locations: [Location] = []
    /// The keys of arrays that contain records at any depth.
    private var keys: Set<String> = []

    /// A path to records.
    private struct Location: Hashable {
        /// The path to the array or object that contains the records; to the record itself if the path does not end in
        /// "[*]".
        var steps: [FieldPath.Step]
        /// Whether the path leads to a single record rather than a container.
        var isOfRecord = false
        /// The filter at the end of the path, if any.
        var filter: FieldPath.Filter?
    }

    /// Creates the paths of a profile.
    init(_ records: [FieldPath]) {
        for path in records {
            guard let end = path.steps.lastIndex(where: \.isPlural) else {
                locations.append(Location(steps: path.steps, isOfRecord: true))
                continue
            }
            var location = Location(steps: Array(path.steps[..<end]))
            if case .filter(let filter) = path.steps[end] { location.filter = filter }
            locations.append(location)
        }
    }

    /// Creates the path of the detected array at `path`, and of others with the same last key at any depth.
    init(arrayAt path: [ContainerStep]) {
        let steps = path.map { step -> FieldPath.Step in
            switch step {
            case .key(let key): .name(key)
            case .element: .every
            }
        }
        locations = [Location(steps: steps)]
        if case .key(let key)? = path.last { keys = [key] }
    }

    /// The role of a value in a catalog.
    enum Match {
        /// Each element or value is a record, if it matches one of the filters or there are none.
        case container([FieldPath.Filter])
        /// The value is a record; if it is an array, its elements are.
        case record
        /// The value may contain records at a deeper level.
        case above
        /// The value contains no records.
        case none
    }

    /// Returns the role of the value at `path`.
    func match(_ path: [ContainerStep]) -> Match {
        var isAbove = !keys.isEmpty
        var passing: [FieldPath.Filter]?
        for location in locations {
            switch Self.match(location.steps[...], path[...]) {
            case .whole where location.isOfRecord: return .record
            case .whole:
                guard let filter = location.filter else { return .container([]) }
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
        guard let location = path.first else { return steps.isEmpty ? .whole : .part }
        guard let step = steps.first else { return .no }
        switch (step, location) {
        case (.name(let name), .key(let key)): return name == key ? match(steps.dropFirst(), path.dropFirst()) : .no
        // A name applied to an array selects that name in each element.
        case (.name, .element): return match(steps, path.dropFirst())
        case (.index(let wanted), .element(let index)):
            return wanted == index ? match(steps.dropFirst(), path.dropFirst()) : .no
        case (.index, .key): return .no
        case (.every, _), (.filter, _): return match(steps.dropFirst(), path.dropFirst())
        }
    }

    /// Whether records may follow the array or object at `path`.
    func mayGoOn(behind path: [ContainerStep]) -> Bool {
        if !keys.isEmpty || locations.count > 1 { return true }
        return locations.contains { $0.steps.contains(where: \.isPlural) } || path.contains { $0.isElement }
    }
}

extension FieldPath.Step {
    /// Whether the step can select several values.
    package var isPlural: Bool {
        switch self {
        case .every, .filter: true
        case .name, .index: false
        }
    }
}

extension ContainerStep {
    /// Whether the step leads into an array.
    var isElement: Bool {
        if case .element = self { true } else { false }
    }
}
