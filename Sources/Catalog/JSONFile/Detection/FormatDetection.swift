package import Books
internal import JSON

/// The detection of the format of a text by its first token.
struct FormatDetection {
    /// A reader at the first token.
    let reader: JSONReader
    /// Whether this is the whole text.
    let isWhole: Bool
    /// The profiles, whose records may be at specific paths.
    let library: ProfileLibrary

    /// The offset of the first token.
    var start: Int {
        var reader = reader
        _ = reader.peek()
        return reader.offset
    }

    /// The number of bytes after which the findings so far decide.
    static let searchLimit = 1 << 20
    /// The number of records that are sampled.
    static let sampleCount = 8
    /// The paths of the elements of the top-level value.
    static let everyElement = RecordPaths(arrayAt: [])

    /// The format of a top-level text, number or word.
    var openingOfScalar: FormatDetector {
        var reader = reader
        do throws(JSONSyntaxError) {
            try reader.skipValue()
            try reader.readEnd()
            return isWhole ? .nothing(.scalar) : .undecided
        } catch {
            return error.offset >= reader.count && !isWhole ? .undecided : .syntaxError(error)
        }
    }

    // MARK: Arrays

    /// The format of a top-level array.
    var openingOfArray: FormatDetector {
        let sample = records(inArrayAt: start)
        let whole = FormatDetector.Found(
            shape: .array(path: []), offset: start, records: Self.everyElement, recordPaths: [.everyElement],
            sample: sample)
        if sample.isEmpty {
            // The first record may be longer than the available text.
            var rest = reader
            let first = (try? rest.enter(depth: 0)).flatMap { rest.peek() }
            if first == UInt8(ascii: "{"), !isWhole, reader.count < Self.searchLimit { return .undecided }
            let inner = first == UInt8(ascii: "[") ? innerRecords : nil
            return .records(inner ?? whole)
        }
        if whole.profile != ProfileRecognition.native || sample.contains(where: \.bookTraits.mayBeTitled) {
            return .records(whole)
        }
        if let inner = innerRecords { return .records(inner) }
        return Self.areEvents(sample.map(\.bookTraits)) ? .nothing(.array) : .records(whole)
    }

    /// The records in the elements of a top-level array that has none itself.
    private var innerRecords: FormatDetector.Found? {
        let search = self.search
        return search.group.map { found(at: $0, among: search.groups) }
    }

    /// Whether records have names, but only those of events or links.
    static func areEvents(_ records: [BookTraits]) -> Bool {
        records.contains { $0.contains(.name) } && !records.contains(where: \.mayBeTitled)
    }

    // MARK: Any array of books

    /// Returns the first available records of the array at `offset`, with the telling keys only.
    func records(inArrayAt offset: Int) -> [JSONValue] {
        var reader = reader
        reader.move(to: offset)
        let elements = reader.readElements(count: Self.sampleCount, keys: ProfileRecognition.isTelling)
        return elements.filter { $0.members != nil }
    }

    /// Returns the objects with a title in the text: the arrays at one path, ignoring indices, that most likely contain
    /// the books; all arrays that may; and the path of the first book that is in no array.
    var search: (group: RecordArraySearch.Group?, groups: [RecordArraySearch.Group], book: [ContainerStep]?) {
        var search = RecordArraySearch()
        var rest = reader
        var isAtEnd = false
        do throws(JSONSyntaxError) {
            _ = try search.read(&rest, at: [])
        } catch {
            isAtEnd = error.offset >= reader.count
        }
        let groups = search.groups.filter { group in !search.groups.contains(where: group.isPart) }
        let rank = groups.map(\.rank).max()
        let candidates = groups.filter { $0.rank == rank }
        let outer = candidates.filter { group in !candidates.contains(where: group.isWithin) }
        let count = outer.map(\.count).max()
        guard let best = outer.first(where: { $0.count == count }) else { return (nil, [], search.book) }
        // More records may follow, unless the array is so long that it continues after the available text; and an array
        // within an element may turn out to be a part of it.
        let isLong = best.isOpen && !best.path.contains(where: \.isElement)
        if isAtEnd, !isWhole, reader.count < Self.searchLimit, !isLong { return (nil, [], nil) }
        return (best, groups, search.book)
    }

    /// Returns the records of `best`, and those of other groups with the same key.
    func found(
        at best: RecordArraySearch.Group, among groups: [RecordArraySearch.Group]
    ) -> FormatDetector.Found {
        let records = RecordPaths(arrayAt: best.path)
        var alike: [RecordArraySearch.Group] = []
        for group in groups {
            guard case .container = records.match(group.path) else { continue }
            // A group within a record is a part of the record.
            if alike.contains(where: group.isWithin) { continue }
            alike.append(group)
        }
        let group = alike.first ?? best
        return FormatDetector.Found(
            shape: .array(path: group.firstPath), offset: group.offset, records: records,
            recordPaths: alike.map { FieldPath(elementsOf: $0.path) },
            sample: self.records(inArrayAt: group.offset))
    }

    /// Returns the record at `path`, the only one.
    func found(at path: [ContainerStep]) -> FormatDetector.Found {
        let path = FieldPath(path)
        var beginning = reader
        let root = beginning.readBeginning(sampleCount: Self.sampleCount)
        let record = root.flatMap { path.value(in: $0) }
        return FormatDetector.Found(
            shape: .document, offset: start, records: RecordPaths([path]), recordPaths: [path],
            sample: record.map { [$0] } ?? [])
    }
}

extension RecordPaths {
    /// The whole text is a record.
    static let wholeText = RecordPaths([.wholeText])
}

extension FieldPath {
    /// The path of the elements of the top-level value.
    package static let everyElement = FieldPath(steps: [.every])

    /// Creates the path of the values at `path`, ignoring indices.
    init(_ path: [ContainerStep]) {
        self.init(
            steps: path.map { step in
                switch step {
                case .key(let key): .name(key)
                case .element: .every
                }
            })
    }

    /// Creates the path of the elements of the arrays at `path`.
    init(elementsOf path: [ContainerStep]) {
        self.init(steps: FieldPath(path).steps + [.every])
    }
}

extension UInt8 {
    /// Whether the byte is white space between JSON tokens (RFC 8259, section 2).
    package var isJSONWhitespace: Bool {
        self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09
    }
}
