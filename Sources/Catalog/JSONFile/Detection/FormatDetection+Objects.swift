internal import Books
internal import JSON

/// Texts that are an object: around a list of books, with books as its values, or a single book.
extension FormatDetection {
    /// The format of a top-level object.
    var openingOfObject: FormatDetector {
        var beginning = reader
        let root = beginning.readBeginning(sampleCount: Self.sampleCount) ?? .object([])
        if let name = ProfileRecognition.profile(ofObject: root), let profile = library.profile(named: name) {
            switch opening(by: profile) {
            case .records(let found): return .records(found)
            case .undecided where reader.count < Self.searchLimit: return .undecided
            case .nothing, .syntaxError, .empty, .undecided: break
            }
        }
        let search = self.search
        let group = search.group
        var rest = reader
        var syntaxError: JSONSyntaxError?
        do throws(JSONSyntaxError) {
            try rest.skipValue()
            if group == nil, rest.peek() == UInt8(ascii: "{") { return .nothing(.jsonLines) }
            try rest.readEnd()
        } catch {
            syntaxError = error
        }
        let isCut = !isWhole && (syntaxError.map { $0.offset >= reader.count } ?? true)
        let traits = root.bookTraits
        if !traits.isBook(isAroundBooks: group?.isOfBooks ?? false) {
            let values = Values(of: root, isCut: isCut)
            if values.areBetter(than: group),
                let members = members(of: root, values, isCut: isCut, isMalformed: syntaxError != nil && !isCut)
            {
                return .records(members)
            }
            // The fields of a single book may follow a long list within it.
            if isCut, traits.isTitled, reader.count < Self.searchLimit { return .undecided }
            if let group, search.book.map({ !group.path.starts(with: $0) }) ?? true {
                return .records(found(at: group, among: search.groups))
            }
            if isCut { return .undecided }
            if let path = search.book, syntaxError == nil { return .records(found(at: path)) }
        } else if isCut, reader.count < Self.searchLimit {
            return .undecided
        }
        let book = FormatDetector.Found(
            shape: .document, offset: start, records: .wholeText, recordPaths: [.wholeText],
            sample: [root])
        if isWhole, syntaxError == nil, search.book == nil, let list = emptyList(of: root) { return .records(list) }
        if root.isRefusal { return .nothing(.object) }
        guard let syntaxError, !isCut else { return traits.isTitled ? .records(book) : .nothing(.object) }
        return linesWithErrors
            ?? (traits.isTitled && syntaxError.reason == .trailingContent ? .records(book) : .syntaxError(syntaxError))
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
            sample: Array(values))
    }
}

extension JSONValue {
    /// Whether an object has nothing of a book but a title, and says that a server has refused a request: problem details
    /// (RFC 9457) or an error.
    fileprivate var isRefusal: Bool {
        if bookTraits.isDescribed { return false }
        if ["error", "errors", "detail", "instance"].contains(where: { self[$0] != nil }) { return true }
        return switch self["status"] {
        case .number(let code): (400...599).contains(Int(code) ?? 0)
        case .string(let word): ["error", "fail", "failed", "failure"].contains(word.lowercased())
        default: false
        }
    }
}
