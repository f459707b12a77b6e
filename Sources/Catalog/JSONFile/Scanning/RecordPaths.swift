internal import Books

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
    private var places: [Place] = []
    /// The keys of arrays that hold records wherever they are.
    private var keys: Set<String> = []

    /// Where records are.
    private struct Place: Hashable {
        /// The path to the array, or object, that holds records; the record itself where the path does not end in "[*]".
        var steps: [FieldPath.Step]
        /// Whether it leads to a record, and not to what holds some.
        var isOfRecord = false
        /// The filter that the path ends in, where it does.
        var filter: FieldPath.Filter?
    }

    /// The paths of a profile.
    init(_ records: [FieldPath]) {
        for path in records {
            guard let end = path.steps.lastIndex(where: \.isPlural) else {
                places.append(Place(steps: path.steps, isOfRecord: true))
                continue
            }
            var place = Place(steps: Array(path.steps[..<end]))
            if case .filter(let filter) = path.steps[end] { place.filter = filter }
            places.append(place)
        }
    }

    /// The array at `path`, and the others behind the same last key, if any, wherever they are.
    init(arrayAt path: [ContainerStep]) {
        let steps = path.map { step -> FieldPath.Step in
            switch step {
            case .key(let key): .name(key)
            case .element: .every
            }
        }
        places = [Place(steps: steps)]
        if case .key(let key)? = path.last { keys = [key] }
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
        for place in places {
            switch Self.match(place.steps[...], path[...]) {
            case .whole where place.isOfRecord: return .record
            case .whole:
                guard let filter = place.filter else { return .container([]) }
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
        if !keys.isEmpty || places.count > 1 { return true }
        return places.contains { $0.steps.contains(where: \.isPlural) } || path.contains { $0.isElement }
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
