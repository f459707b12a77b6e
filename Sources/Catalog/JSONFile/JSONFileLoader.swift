internal import Indexing
internal import JSON
internal import Storage

/// Facts about the records of a file that are known before it is read.
public enum KnownRecords: Sendable {
    /// No facts.
    case nothing
    /// Each line is a record.
    case lines
    /// Each line is the record of a book, even if it lacks all known fields.
    case books
}

/// Opens a JSON file: detects its format and reads the first records.
package struct JSONFileLoader: Sendable {
    /// The path as given; "-" is standard input.
    var path: String
    /// The cache that stores the index.
    var cache: IndexCache?
    /// The profile to read the file with; nil to detect one of `library`.
    var profile: Profile?
    /// The known profiles.
    var library = ProfileLibrary(directory: nil)
    /// The number of books to read before the first screen, if the file has as many.
    var firstBookCount = 100
    /// Facts about the records that are known before the file is read.
    var known = KnownRecords.nothing
    /// Whether the profile was chosen for the kind of source that the file is a copy of, rather than by the user.
    var isProfileFound = false
    /// The path and length of the file while it is being written; nil for a complete file.
    var growing: (path: String, growth: GrowingFile)?

    /// Checks that the file at `path` is a catalog that is read in the same way.
    ///
    /// - Throws: `CatalogError` if it is not.
    package func check(_ path: String) throws(CatalogError) { _ = try at(path).load() }

    /// This loader for another file.
    func at(_ path: String) -> JSONFileLoader {
        var loader = self
        loader.path = path
        return loader
    }

    /// The path for error messages; nil for that of the file.
    var knownPath: String?

    /// Opens the file; the connector program makes copies, so these must not be links.
    func input() throws(FileError) -> RandomAccessInput {
        try RandomAccessInput(path, if: knownPath == nil ? .none : .own)
    }

    private var shownPath: String { knownPath ?? RandomAccessInput.shownPath(path) }

    /// The number of bytes that usually suffice to detect the format.
    private static let headSize = 1 << 14
    /// The number of bytes of a pipe needed to recognize its encoding, if it has as many.
    private static let signatureSize = 64
    /// The initial number of bytes to parse before the first screen.
    private static let firstChunkSize = 1 << 14
    /// The number of bytes within which a field of a book must occur.
    private static let searchLimit = 16 << 20

    /// A file that was opened before it is loaded.
    struct Opening: Sendable {
        fileprivate let file: RandomAccessInput
        fileprivate let fingerprint: RandomAccessInput.Fingerprint
        /// The index of the file; nil if the cache has none that is up to date.
        fileprivate let index: IndexCache.Content<IndexSegment>?

        /// Whether the cache has its index.
        var hasIndex: Bool { index != nil }
    }

    /// The number of bytes that suffice to open most catalogs.
    private static let preparedSize = 1 << 18

    /// Opens the file on any thread, and brings what `load` reads of it into memory; nil if it cannot be opened.
    ///
    /// - Parameter isDamaged: Whether the index in the cache is damaged, which has its size and header nevertheless.
    func prepare(withoutIndex isDamaged: Bool = false) -> Opening? {
        guard let file = try? input(), let fingerprint = try? file.fingerprint() else { return nil }
        if isDamaged { cache?.delete(of: file) }
        let index = cache?.index(of: file)
        if index == nil { _ = try? file.bytes(in: 0..<Self.preparedSize) }
        return Opening(file: file, fingerprint: fingerprint, index: index)
    }

    /// Reads the beginning of the file, enough for a screen.
    ///
    /// - Parameter opening: What was prepared; it is used if it is still the file at the path.
    /// - Throws: `CatalogError` if the file cannot be read or is not a catalog.
    func load(_ opening: Opening? = nil) throws(CatalogError) -> JSONFileRecords {
        let file: RandomAccessInput
        var index: IndexCache.Content<IndexSegment>?
        do throws(FileError) {
            if let growing {
                file = try RandomAccessInput(path, growingAt: growing.path, growing.growth)
            } else if let opening, RandomAccessInput.Fingerprint(ofFileAt: path) == opening.fingerprint {
                (file, index) = (opening.file, opening.index)
            } else {
                file = try input()
                index = cache?.index(of: file)
            }
        } catch {
            throw .unreadable(error)
        }
        if let cache, let index, let known = JSONFileRecords(file, index, in: cache, by: profile, of: library) {
            return known
        }
        let found = try open(file)
        guard let profile = profile ?? library.profile(named: found.profile) else {
            throw .notACatalog(path: shownPath, .noRecords(profile: found.profile))
        }
        let keys =
            self.profile == nil
            ? profile.namedKeys(in: found.sample, isTable: known == .lines || found.profile == "table") : []
        let format = CatalogFormat(
            profile: profile, namedKeys: keys, recordPaths: found.recordPaths,
            isDetected: self.profile == nil || isProfileFound)
        let layout = CatalogLayout(
            shape: found.shape, offset: found.offset, records: found.records, decoder: RecordDecoder(format.mapping),
            innerSteps: format.recordPaths.first?.stepsWithinElement ?? [])
        let records = JSONFileRecords(file, layout, format: format, cache: cache)
        records.loadMore(upTo: Self.firstChunkSize, recordLimit: firstBookCount)
        while records.state.isLoading, records.read < Self.searchLimit,
            records.count < firstBookCount || !hasBooks(records)
        {
            records.loadMore(upTo: max(Self.firstChunkSize, records.read))
        }
        try refuse(records)
        if records.state.isLoading { records.learnFirstFields() }
        return records
    }

    private func open(_ file: RandomAccessInput) throws(CatalogError) -> FormatDetector.Found {
        var head: [UInt8] = []
        var size = Self.headSize
        while true {
            let isWhole: Bool
            do throws(FileError) {
                isWhole = try !file.append(to: &head, upTo: size)
            } catch {
                throw .unreadable(error)
            }
            // The first read from a pipe may return too few bytes to recognize the encoding.
            guard isWhole || head.count >= Self.signatureSize else { continue }
            if case .known(let format) = FileContent(head) { throw .wrongFormat(path: shownPath, format) }
            func detect(isLines: Bool) -> FormatDetector {
                JSONReader.reading(head) {
                    FormatDetector(of: $0, isWhole: isWhole, isLines: isLines, profile: profile, library: library)
                }
            }
            var opening = detect(isLines: known != .nothing)
            // All lines may have been deleted.
            if opening == .empty, JSONFileCatalog.hasLines(inFileNamed: path) { opening = detect(isLines: true) }
            switch opening {
            case .records(let found): return found
            case .nothing(let content): throw .notACatalog(path: shownPath, content)
            case .syntaxError(let syntaxError): throw malformed(syntaxError, in: file)
            case .empty: throw .empty(path: shownPath)
            case .undecided: size = head.count * 4
            }
        }
    }

    /// Throws if the file has nothing to show; an empty array is a valid catalog without books.
    private func refuse(_ records: JSONFileRecords) throws(CatalogError) {
        let problems = records.problems
        if let failure = problems.failure, records.count == 0 {
            throw .unreadable(FileError(path: shownPath, operation: .read, code: failure.code))
        }
        // Records before a syntax error are shown only if one of them is a book.
        if let syntaxError = problems.syntaxError, records.count == 0 || !hasBooks(records) {
            throw malformed(syntaxError, in: records.file)
        }
        let count = records.count + problems.omissionCount
        if count > 0, records.count == 0 || !hasBooks(records) {
            throw .notACatalog(path: shownPath, .array)
        }
    }

    private func hasBooks(_ records: JSONFileRecords) -> Bool { known == .books || records.problems.hasFields }

    private func malformed(_ syntaxError: JSONSyntaxError, in file: RandomAccessInput) -> CatalogError {
        .malformed(path: shownPath, .init(syntaxError.reason, at: TextPosition(of: syntaxError.offset, in: file)))
    }
}

extension RandomAccessInput {
    /// Appends to `bytes` until they are `size` bytes or the file ends.
    ///
    /// - Returns: Whether the file may continue.
    fileprivate func append(to bytes: inout [UInt8], upTo size: Int) throws(FileError) -> Bool {
        var failure: FileError?
        var count = 0
        let start = bytes.count
        let more = [UInt8](unsafeUninitializedCapacity: size - start) { buffer, initialized in
            do throws(FileError) {
                count = try read(into: UnsafeMutableRawBufferPointer(buffer), at: start)
            } catch {
                failure = error
            }
            initialized = count
        }
        if let failure { throw failure }
        if bytes.isEmpty { bytes = more } else { bytes += more }
        return isPipe ? count > 0 : count == size - start
    }
}
