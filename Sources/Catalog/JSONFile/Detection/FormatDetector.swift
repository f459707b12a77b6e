internal import Books
internal import JSON

/// The detected format of a catalog: the location of its records, their arrangement, and the profile that reads them.
enum FormatDetector: Equatable {
    /// The text contains records.
    case records(Found)
    /// The text is JSON but not a catalog.
    case nothing(CatalogError.Content)
    /// The text is not JSON.
    case fault(JSONSyntaxError)
    /// The text contains only white space.
    case empty
    /// The detection needs more of the text.
    case undecided

    /// The location of the records.
    struct Found: Equatable {
        /// The arrangement of the records.
        var shape: CatalogShape
        /// The offset at which the array, object or first line with records begins.
        var offset: Int
        /// The paths of all records.
        var records: RecordPaths
        /// The same paths in JSONPath syntax.
        var recordPaths: [FieldPath]
        /// The name of the profile that reads the records.
        var profile: String
    }

    /// Detects the format of a text from its beginning in `reader`; `isWhole` says whether this is the whole text. With
    /// a `profile` only its records are searched, without one every possible catalog. `isLines` says that each line is
    /// a record, even the only one; a text without lines has no books then.
    init(
        of reader: JSONReader, isWhole: Bool, isLines: Bool = false, profile: Profile? = nil,
        library: ProfileLibrary = ProfileLibrary(directory: nil)
    ) {
        var reader = reader
        if reader.bytes(of: 0..<reader.count).starts(with: [0xEF, 0xBB, 0xBF]) { reader.move(to: 3) }
        let detection = Detection(reader: reader, isWhole: isWhole, library: library)
        switch reader.peek() {
        case nil where isLines && isWhole: self = detection.openingOfKnownLines(by: profile)
        case nil: self = isWhole ? .empty : .undecided
        case UInt8(ascii: "{") where isLines: self = detection.openingOfKnownLines(by: profile)
        case UInt8(ascii: "["): self = profile.map(detection.opening(ofArrayBy:)) ?? detection.openingOfArray
        case UInt8(ascii: "{"):
            self =
                detection.openingOfLines(by: profile) ?? profile.map(detection.opening(by:))
                ?? detection.openingOfObject
        default: self = detection.openingOfScalar
        }
    }
}

/// The state of the detection.
private struct Detection {
    /// A reader at the first token.
    let reader: JSONReader
    let isWhole: Bool
    /// The profiles, whose records may be at specific paths.
    let library: ProfileLibrary

    /// The offset of the first token.
    private var start: Int {
        var reader = reader
        _ = reader.peek()
        return reader.offset
    }

    /// The number of bytes after which the findings so far decide.
    private static let searchLimit = 1 << 20
    /// The number of records that are sampled.
    private static let sampleCount = 8
    /// The paths of the elements of the top-level value.
    private static let everyElement = RecordPaths(arrayAt: [])

    var openingOfScalar: FormatDetector {
        var reader = reader
        do throws(JSONSyntaxError) {
            try reader.skipValue()
            try reader.readEnd()
            return isWhole ? .nothing(.scalar) : .undecided
        } catch {
            return error.offset >= reader.count && !isWhole ? .undecided : .fault(error)
        }
    }

    // MARK: Arrays

    /// The format of a top-level array.
    var openingOfArray: FormatDetector {
        let sample = records(inArrayAt: start)
        let whole = FormatDetector.Found(
            shape: .array(path: []), offset: start, records: Self.everyElement, recordPaths: [.everyElement],
            profile: ProfileRecognition.profile(of: sample))
        if sample.isEmpty {
            // The first record may be longer than the available text.
            var rest = reader
            let first = (try? rest.enter(depth: 0)).flatMap { rest.peek() }
            if first == UInt8(ascii: "{"), !isWhole, reader.count < Self.searchLimit { return .undecided }
            let inner = first == UInt8(ascii: "[") ? innerRecords : nil
            return .records(inner ?? whole)
        }
        let traits = sample.map(\.bookTraits)
        if whole.profile != ProfileRecognition.native || traits.contains(where: \.mayBeTitled) {
            return .records(whole)
        }
        if let inner = innerRecords { return .records(inner) }
        return Self.areEvents(traits) ? .nothing(.array) : .records(whole)
    }

    /// The records in the elements of a top-level array that has none itself.
    private var innerRecords: FormatDetector.Found? {
        let search = self.search
        return search.group.map { found(at: $0, among: search.groups) }
    }

    /// Whether records have names, but only those of events or links.
    private static func areEvents(_ records: [BookTraits]) -> Bool {
        records.contains { $0.contains(.name) } && !records.contains(where: \.mayBeTitled)
    }

    /// Returns the format of a top-level array with this profile: the elements are the records unless the profile's
    /// paths match.
    func opening(ofArrayBy profile: Profile) -> FormatDetector {
        let opening = opening(by: profile)
        switch opening {
        case .nothing, .fault:
            return .records(
                .init(
                    shape: .array(path: []), offset: start, records: Self.everyElement,
                    recordPaths: [.everyElement], profile: profile.name))
        default: return opening
        }
    }

    // MARK: Lines

    private typealias Line = Slice<UnsafeBufferPointer<UInt8>>

    /// Returns the format of a text with one object per line, or nil if the text is not of that kind.
    func openingOfLines(by profile: Profile?) -> FormatDetector? {
        let (first, second) = firstLines
        guard Self.isObject(first), second.first == UInt8(ascii: "{") else { return nil }
        return lines(by: profile)
    }

    /// Returns the format of a text whose lines are known to be records.
    func openingOfKnownLines(by profile: Profile?) -> FormatDetector {
        let hasLine = isWhole || reader.bytes(of: start..<reader.count).contains(0x0A)
        return hasLine || reader.count >= Self.searchLimit ? lines(by: profile) : .undecided
    }

    private func lines(by profile: Profile?) -> FormatDetector {
        let bytes = reader.bytes(of: start..<reader.count)
        let sample = bytes.split(separator: 0x0A, maxSplits: Self.sampleCount).prefix(Self.sampleCount)
            .compactMap { JSONValue(parsing: $0) }.filter { $0.members != nil }
        let name = profile?.name ?? ProfileRecognition.profile(of: sample)
        if profile == nil, name == ProfileRecognition.native, Self.areEvents(sample.map(\.bookTraits)) {
            return .nothing(.jsonLines)
        }
        return .records(
            .init(shape: .lines, offset: start, records: RecordPaths([]), recordPaths: [], profile: name))
    }

    /// The first two non-blank lines, each from its first token; empty if missing.
    private var firstLines: (Line, Line) {
        var rest = reader.bytes(of: start..<reader.count)[...]
        func next() -> Line {
            rest = rest.drop { $0.isJSONWhitespace }
            let line = rest.prefix { $0 != 0x0A }
            rest = rest.dropFirst(line.count)
            return line
        }
        return (next(), next())
    }

    /// Whether `line` is a single object.
    private static func isObject(_ line: Line) -> Bool {
        line.first == UInt8(ascii: "{")
            && JSONReader.reading(line) { reader in
                (try? reader.skipValue()) != nil && (try? reader.readEnd()) != nil
            }
    }

    /// Whether the object at the beginning of `line` has a title.
    private static func isTitled(_ line: Line) -> Bool {
        JSONReader.reading(line) { $0.readBeginning(sampleCount: sampleCount) }?.isTitled ?? false
    }

    // MARK: Objects

    /// The format of a top-level object.
    var openingOfObject: FormatDetector {
        var beginning = reader
        let root = beginning.readBeginning(sampleCount: Self.sampleCount) ?? .object([])
        if let name = ProfileRecognition.profile(ofObject: root), let profile = library.profile(named: name) {
            switch opening(by: profile) {
            case .records(let found): return .records(found)
            case .undecided where reader.count < Self.searchLimit: return .undecided
            default: break
            }
        }
        let search = self.search
        let group = search.group
        var rest = reader
        var fault: JSONSyntaxError?
        do throws(JSONSyntaxError) {
            try rest.skipValue()
            if group == nil, rest.peek() == UInt8(ascii: "{") { return .nothing(.jsonLines) }
            try rest.readEnd()
        } catch {
            fault = error
        }
        let isCut = !isWhole && (fault.map { $0.offset >= reader.count } ?? true)
        let traits = root.bookTraits
        if !traits.isBook(isAroundBooks: group?.isOfBooks ?? false) {
            let values = Values(of: root, isCut: isCut)
            if values.areBetter(than: group),
                let members = members(of: root, values, isCut: isCut, isMalformed: fault != nil && !isCut)
            {
                return .records(members)
            }
            // The fields of a single book may follow a long list within it.
            if isCut, traits.isTitled, reader.count < Self.searchLimit { return .undecided }
            if let group, search.book.map({ !group.path.starts(with: $0) }) ?? true {
                return .records(found(at: group, among: search.groups))
            }
            if isCut { return .undecided }
            if let path = search.book, fault == nil { return .records(found(at: path)) }
        } else if isCut, reader.count < Self.searchLimit {
            return .undecided
        }
        let book = FormatDetector.Found(
            shape: .document, offset: start, records: .wholeText, recordPaths: [.wholeText],
            profile: ProfileRecognition.profile(of: [root]))
        if isWhole, fault == nil, search.book == nil, let list = emptyList(of: root) { return .records(list) }
        guard let fault, !isCut else { return traits.isTitled ? .records(book) : .nothing(.object) }
        return linesWithFaults ?? (traits.isTitled && fault.reason == .trailingContent ? .records(book) : .fault(fault))
    }

    /// Returns the location of the records of an object that has a list of books without any; its key says that they
    /// are books.
    private func emptyList(of root: JSONValue) -> FormatDetector.Found? {
        let key = "books"
        guard !root.bookTraits.isTitled, case .array([])? = root[key],
            let offset = (try? reader.offset(of: FieldPath(steps: [.name(key)]))).flatMap(\.self)
        else { return nil }
        return .init(
            shape: .array(path: [.key(key)]), offset: offset, records: RecordPaths(arrayAt: [.key(key)]),
            recordPaths: [FieldPath(elementsOf: [.key(key)])], profile: ProfileRecognition.native)
    }

    /// The values of an object that are objects with a title.
    private struct Values {
        /// The keys of these values.
        private(set) var keys: [String] = []
        /// The number of objects with a field that distinguishes books from lists and parts.
        private var bookCount = 0
        /// The number of all values that are not null.
        private(set) var total = 0

        /// Collects the values of `root`, without the last one, which is incomplete, if the text is cut.
        init(of root: JSONValue, isCut: Bool) {
            for member in (root.members ?? []).dropLast(isCut ? 1 : 0) where member.value != .null {
                total += 1
                let traits = member.value.bookTraits
                if traits.isTitled { keys.append(member.key) }
                if traits.isBook { bookCount += 1 }
            }
        }

        /// Whether most of the values with a title are books.
        private var areBooks: Bool { 2 * bookCount > keys.count }

        /// Whether the values are more likely the records than those of `group`.
        func areBetter(than group: RecordArraySearch.Group?) -> Bool {
            guard let group else { return true }
            if group.isOfBooks && !areBooks { return false }
            let isWithin = keys.contains { group.path.first == .key($0) }
            return keys.count >= group.count || areBooks && isWithin
        }
    }

    /// Returns the records if the values of the object are books: most values have a title, or the first is a book; in
    /// malformed text the first must be.
    private func members(
        of root: JSONValue, _ titled: Values, isCut: Bool, isMalformed: Bool
    ) -> FormatDetector.Found? {
        let values = (root.members ?? []).dropLast(isCut ? 1 : 0).map(\.value)
        guard !titled.keys.isEmpty, let first = values.first else { return nil }
        guard first.bookTraits.isBook || !isMalformed && 2 * titled.keys.count > titled.total else { return nil }
        return .init(
            shape: .members(path: []), offset: start, records: Self.everyElement, recordPaths: [.everyElement],
            profile: ProfileRecognition.profile(of: values))
    }

    /// The format of a text of lines with a malformed line among valid ones, or nil if it does not consist of lines.
    private var linesWithFaults: FormatDetector? {
        let (first, second) = firstLines
        let isFirst = Self.isObject(first) && !second.isEmpty && Self.isTitled(first)
        let isSecond = second.first == UInt8(ascii: "{") && Self.isObject(second) && Self.isTitled(second)
        return isFirst || isSecond ? lines(by: nil) : nil
    }

    // MARK: Profiles

    /// Returns the location of the records of `profile`.
    func opening(by profile: Profile) -> FormatDetector {
        // The whole text is a record only if no other path matches.
        let inner = profile.records.filter { !$0.steps.isEmpty }
        let records = RecordPaths(inner)
        var rest = reader
        var fault: JSONSyntaxError?
        do throws(JSONSyntaxError) {
            if let place = try rest.location(of: records, at: []) {
                return .records(
                    .init(
                        shape: place.shape, offset: place.offset, records: records, recordPaths: inner,
                        profile: profile.name))
            }
            try rest.readEnd()
        } catch {
            fault = error
        }
        if !isWhole && (fault.map { $0.offset >= reader.count } ?? true) { return .undecided }
        if let root = isList(of: profile.name) {
            // A list without records is not a record itself.
            return .records(
                .init(
                    shape: .document, offset: root, records: records, recordPaths: inner, profile: profile.name))
        }
        if inner.count < profile.records.count {
            return .records(
                .init(
                    shape: .document, offset: start, records: .wholeText, recordPaths: [.wholeText],
                    profile: profile.name))
        }
        return fault.map(FormatDetector.fault) ?? .nothing(.noRecords(profile: profile.name))
    }

    /// Returns the offset of the text if it is a list of a known kind that may be empty: of links to other lists, or of
    /// search results.
    private func isList(of profile: String) -> Int? {
        var beginning = reader
        guard isWhole, let root = beginning.readBeginning(sampleCount: Self.sampleCount) else { return nil }
        let isList =
            switch profile {
            case "opds": ["publications", "groups", "navigation"].contains { root[$0] != nil }
            case "google": root["kind"]?.string == "books#volumes"
            case "schema": root["@graph"] != nil
            default: false
            }
        return isList ? start : nil
    }

    // MARK: Any array of books

    /// Returns the first available records of the array at `offset`, with the telling keys only.
    private func records(inArrayAt offset: Int) -> [JSONValue] {
        var reader = reader
        reader.move(to: offset)
        let elements = reader.readElements(count: Self.sampleCount, keys: ProfileRecognition.isTelling)
        return elements.filter { $0.members != nil }
    }

    /// Returns the objects with a title in the text: the arrays at one path, ignoring indices, that most likely contain
    /// the books; all arrays that may; and the path of the first book that is in no array.
    private var search: (group: RecordArraySearch.Group?, groups: [RecordArraySearch.Group], book: [ContainerStep]?) {
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
    private func found(
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
            profile: ProfileRecognition.profile(of: self.records(inArrayAt: group.offset)))
    }

    /// Returns the record at `path`, the only one.
    private func found(at path: [ContainerStep]) -> FormatDetector.Found {
        let path = FieldPath(path)
        var beginning = reader
        let root = beginning.readBeginning(sampleCount: Self.sampleCount)
        let record = root.flatMap { path.value(in: $0) }
        return FormatDetector.Found(
            shape: .document, offset: start, records: RecordPaths([path]), recordPaths: [path],
            profile: ProfileRecognition.profile(of: record.map { [$0] } ?? []))
    }
}

extension RecordPaths {
    /// The whole text is a record.
    fileprivate static let wholeText = RecordPaths([.wholeText])
}

extension FieldPath {
    static let everyElement = FieldPath(steps: [.every])

    /// Creates the path of the values at `path`, ignoring indices.
    fileprivate init(_ path: [ContainerStep]) {
        self.init(
            steps: path.map { step in
                switch step {
                case .key(let key): .name(key)
                case .element: .every
                }
            })
    }

    /// Creates the path of the elements of the arrays at `path`.
    fileprivate init(elementsOf path: [ContainerStep]) {
        self.init(steps: FieldPath(path).steps + [.every])
    }
}

extension UInt8 {
    /// Whether the byte is white space between JSON tokens (RFC 8259, section 2).
    var isJSONWhitespace: Bool {
        self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09
    }
}
