internal import Books
internal import JSON

/// How a catalog begins: where its records are, how they stand there, and which profile reads them.
enum FormatDetector: Equatable {
    /// It has records.
    case records(Found)
    /// It is JSON, but no catalog.
    case nothing(CatalogError.Content)
    /// It is no JSON.
    case fault(JSONSyntaxError)
    /// There is nothing but blanks.
    case empty
    /// More of the text is needed.
    case undecided

    /// Where the records of a catalog are.
    struct Found: Equatable {
        /// How they stand in the text.
        var shape: CatalogShape
        /// Where the text that has this shape begins.
        var offset: Int
        /// Where else they are.
        var records: RecordPaths
        /// The same for people.
        var recordPaths: [FieldPath]
        /// The name of the profile that reads them.
        var profile: String
    }

    /// How the text that begins with what `reader` has begins; `isWhole` says that there is no more of it. With a `profile`
    /// its records are looked for, without one everything that may be a catalog.
    init(
        of reader: JSONReader, isWhole: Bool, profile: Profile? = nil,
        library: ProfileLibrary = ProfileLibrary(directory: nil)
    ) {
        var reader = reader
        if reader.bytes(of: 0..<reader.count).starts(with: [0xEF, 0xBB, 0xBF]) { reader.move(to: 3) }
        let detection = Detection(reader: reader, isWhole: isWhole, library: library)
        switch reader.peek() {
        case nil: self = isWhole ? .empty : .undecided
        case UInt8(ascii: "["): self = profile.map(detection.opening(ofArrayBy:)) ?? detection.openingOfArray
        case UInt8(ascii: "{"):
            self =
                detection.openingOfLines(by: profile) ?? profile.map(detection.opening(by:))
                ?? detection.openingOfObject
        default: self = detection.openingOfScalar
        }
    }
}

/// The beginning of a text, while it is found out what it is.
private struct Detection {
    /// At the first token.
    let reader: JSONReader
    let isWhole: Bool
    /// Where the profiles are that have their records in certain places.
    let library: ProfileLibrary

    /// The first token's offset.
    private var start: Int {
        var reader = reader
        _ = reader.peek()
        return reader.offset
    }

    /// Behind so many bytes what was found is enough.
    private static let searchLimit = 1 << 20
    /// How many records tell what they are.
    private static let sampleCount = 8
    /// The path of the whole text's elements.
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

    /// What an array at the top is.
    var openingOfArray: FormatDetector {
        let sample = records(inArrayAt: start)
        let whole = FormatDetector.Found(
            shape: .array(path: []), offset: start, records: Self.everyElement, recordPaths: [.everyElement],
            profile: ProfileRecognition.profile(of: sample))
        if sample.isEmpty {
            // The first record may be a long one.
            var rest = reader
            let first = (try? rest.enter(depth: 0)).flatMap { rest.peek() }
            if first == UInt8(ascii: "{"), !isWhole, reader.count < Self.searchLimit { return .undecided }
            let inner = first == UInt8(ascii: "[") ? largestGroup.found : nil
            return .records(inner ?? whole)
        }
        if whole.profile != ProfileRecognition.native || sample.contains(where: \.isTitled) { return .records(whole) }
        return largestGroup.found.map(FormatDetector.records) ?? .records(whole)
    }

    /// The same, read by `profile`: where its records are not found, they are the elements.
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

    /// What objects on lines of their own are; nil where there are no such lines.
    func openingOfLines(by profile: Profile?) -> FormatDetector? {
        let (first, second) = firstLines
        guard Self.isObject(first), second.first == UInt8(ascii: "{") else { return nil }
        return lines(by: profile)
    }

    private func lines(by profile: Profile?) -> FormatDetector {
        let bytes = reader.bytes(of: start..<reader.count)
        let sample = bytes.split(separator: 0x0A, maxSplits: Self.sampleCount).prefix(Self.sampleCount)
            .compactMap { JSONValue(parsing: $0) }.filter { $0.members != nil }
        return .records(
            .init(
                shape: .lines, offset: start, records: RecordPaths([]), recordPaths: [],
                profile: profile?.name ?? ProfileRecognition.profile(of: sample)))
    }

    /// The first two lines that are not blank, each from its first token on; empty where there are none.
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

    /// Whether `line` is an object and nothing else.
    private static func isObject(_ line: Line) -> Bool {
        line.first == UInt8(ascii: "{")
            && JSONReader.reading(line) { reader in
                (try? reader.skipValue()) != nil && (try? reader.readEnd()) != nil
            }
    }

    /// Whether the object that `line` begins with has a title.
    private static func isTitled(_ line: Line) -> Bool {
        JSONReader.reading(line) { $0.readBeginning(sampleCount: sampleCount) }?.isTitled ?? false
    }

    // MARK: Objects

    /// What an object at the top is.
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
        let (group, count) = largestGroup
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
        let isTitled = root.isTitled && (isCut == false || fault == nil)
        // A list of books may have a name, but has no author, and a book may have parts.
        if let group, !(isTitled && root.isBook), count > 0, !(titledValues(of: root, isCut: isCut) >= count) {
            return .records(group)
        }
        if let members = members(of: root, count: count, isCut: isCut, isMalformed: fault != nil && !isCut) {
            return .records(members)
        }
        if isCut { return .undecided }
        let book = FormatDetector.Found(
            shape: .document, offset: start, records: .wholeText, recordPaths: [.wholeText],
            profile: ProfileRecognition.profile(of: [root]))
        guard let fault else { return isTitled ? .records(book) : .nothing(.object) }
        return linesWithFaults ?? (isTitled && fault.reason == .trailingContent ? .records(book) : .fault(fault))
    }

    /// How many of the values of an object are objects with a title.
    private func titledValues(of root: JSONValue, isCut: Bool) -> Int {
        (root.members ?? []).dropLast(isCut ? 1 : 0).count(where: \.value.isTitled)
    }

    /// An object whose values are books, more of them than there are in an array: most of them have a title, or the first
    /// one and more; where what follows is no JSON, the first one.
    private func members(of root: JSONValue, count: Int, isCut: Bool, isMalformed: Bool) -> FormatDetector.Found? {
        let values = (root.members ?? []).dropLast(isCut ? 1 : 0).map(\.value)
        let titled = titledValues(of: root, isCut: isCut)
        guard titled >= max(1, count), let first = values.first else { return nil }
        let isBook = first.isTitled && first.isBook
        guard isBook || !isMalformed && 2 * titled > values.count(where: { $0 != .null }) else { return nil }
        return .init(
            shape: .members(path: []), offset: start, records: Self.everyElement, recordPaths: [.everyElement],
            profile: ProfileRecognition.profile(of: values))
    }

    /// What a text is in which a line is wrong among others that are not; nil where it is none of lines.
    private var linesWithFaults: FormatDetector? {
        let (first, second) = firstLines
        let isFirst = Self.isObject(first) && !second.isEmpty && Self.isTitled(first)
        let isSecond = second.first == UInt8(ascii: "{") && Self.isObject(second) && Self.isTitled(second)
        return isFirst || isSecond ? lines(by: nil) : nil
    }

    // MARK: Profiles

    /// Where the records of `profile` are.
    func opening(by profile: Profile) -> FormatDetector {
        // The whole text is a record only where the others are not found.
        let inner = profile.records.filter { !$0.steps.isEmpty }
        let records = RecordPaths(inner)
        var rest = reader
        var fault: JSONSyntaxError?
        do throws(JSONSyntaxError) {
            if let place = try rest.place(of: records, at: []) {
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
            // A list without any records is no record itself.
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

    /// Where the text begins, if it is a list of a known kind that need not have any records: of links to other lists, or
    /// of what was found.
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

    /// The first records of the array at `offset`, as far as they are at hand, with their telling keys.
    private func records(inArrayAt offset: Int) -> [JSONValue] {
        var reader = reader
        reader.move(to: offset)
        let elements = reader.readElements(count: Self.sampleCount, keys: ProfileRecognition.tellingKeys)
        return elements.filter { $0.members != nil }
    }

    /// The arrays of objects with a title that are at one path, indexes left out, and have more of them than those at any
    /// other; and how many they have.
    private var largestGroup: (found: FormatDetector.Found?, count: Int) {
        var search = RecordArraySearch()
        var rest = reader
        var isAtEnd = false
        do throws(JSONSyntaxError) {
            _ = try search.read(&rest, at: [])
        } catch {
            isAtEnd = error.offset >= reader.count
        }
        let groups = search.groups.filter { group in
            // What is within a book is a part of it; a shelf has a name too, but nothing else of a book.
            !search.groups.contains { $0.isOfBooks && group.path.starts(with: $0.path + [.element(0)]) }
        }
        // People and shelves have names too: where there are books, these are meant.
        let candidates = groups.contains(where: \.isOfBooks) ? groups.filter(\.isOfBooks) : groups
        guard let count = candidates.map(\.count).max(), let best = candidates.first(where: { $0.count == count })
        else { return (nil, 0) }
        // More may come, but for an array that is so long that it goes on behind what is at hand.
        if isAtEnd, !isWhole, reader.count < Self.searchLimit, !best.isOpen { return (nil, 0) }
        let records = RecordPaths(arrayAt: best.path)
        var alike: [RecordArraySearch.Group] = []
        for group in groups {
            guard case .container = records.match(group.path) else { continue }
            // What is within a record is a part of it.
            if alike.contains(where: { group.path.starts(with: $0.path + [.element(0)]) }) { continue }
            alike.append(group)
        }
        let group = alike.first ?? best
        let profile = ProfileRecognition.profile(of: self.records(inArrayAt: group.offset))
        let found = FormatDetector.Found(
            shape: .array(path: group.firstPath), offset: group.offset, records: records,
            recordPaths: alike.map { FieldPath(elementsOf: $0.path) }, profile: profile)
        return (found, best.count)
    }
}

extension RecordPaths {
    /// The whole text is a record.
    fileprivate static let wholeText = RecordPaths([.wholeText])
}

extension FieldPath {
    static let everyElement = FieldPath(steps: [.every])

    /// The path to the elements of the arrays at `path`.
    fileprivate init(elementsOf path: [ContainerStep]) {
        self.init(
            steps: path.map { step in
                switch step {
                case .key(let key): .name(key)
                case .element: .every
                }
            } + [.every])
    }
}

extension UInt8 {
    /// Whether it is white space between the tokens of JSON (RFC 8259, section 2).
    var isJSONWhitespace: Bool {
        self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09
    }
}
