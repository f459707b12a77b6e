internal import Books
internal import Glibc
internal import Indexing
internal import JSON
internal import Storage
internal import Threading

/// The records of a catalog in a file: found window by window, and decoded one by one when they are asked for.
///
/// It belongs to one thread. The others that find records hand over what they found through a mailbox.
final class JSONFileRecords {
    let file: RandomAccessInput
    /// What is known of the books so far.
    private(set) var index = BookIndex()
    /// What of the text could not be read so far.
    private(set) var faults = RecordFaults()
    /// How many bytes of the file were read in order.
    private(set) var read = 0
    /// Whether the last window was read.
    private var isScanned = false
    /// The contents of windows that arrived before those of earlier windows, by their numbers.
    private var early: [Int: ChunkContent] = [:]
    private var nextNumber = 0

    private let scanner: ChunkScheduler
    /// The worker of this thread.
    private var worker: ChunkScheduler.Worker
    private let decoder: RecordDecoder
    /// How the catalog is read.
    let format: CatalogFormat?
    private var mailbox: Channel<ChunkContent>?
    private var notify: (@Sendable () -> Void)?
    private var positions: FaultPositions?
    private var positionMailbox: Channel<FaultPositions>?
    /// The state of the file when it was opened; nil for a pipe.
    private let fingerprint: RandomAccessInput.Fingerprint?
    private let cache: IndexCache?
    /// Whether the cache has the index, or will have it.
    private var isCached = false
    /// Writes the index to the cache; nil where it is not to be written.
    private var keeping: BackgroundTask<Bool>?

    /// What of the file was read last for books that are shown together.
    private var stretch = ReadAheadBuffer()

    /// The length of the file; zero where it is not known.
    private var size: Int { fingerprint?.size ?? 0 }

    /// The records of `file`, which has this layout. Their index is kept in `cache`.
    init(_ file: RandomAccessInput, _ layout: CatalogLayout, format: CatalogFormat? = nil, cache: IndexCache? = nil) {
        self.file = file
        self.cache = cache
        self.format = format
        decoder = layout.decoder
        scanner = ChunkScheduler(file, layout)
        worker = ChunkScheduler.Worker(for: scanner)
        fingerprint = (try? file.fingerprint()) ?? nil
    }

    /// The records of `file` that `cache` knows, which is all of them; nil where it does not, or knows them as another
    /// profile than `profile` reads them.
    init?(_ file: RandomAccessInput, knownTo cache: IndexCache, by profile: Profile?, of library: ProfileLibrary) {
        guard let content = cache.index(of: file), let format = CatalogFormat(content.format, by: profile, of: library)
        else {
            return nil
        }
        self.file = file
        self.cache = cache
        self.format = format
        decoder = RecordDecoder(format.mapping)
        scanner = ChunkScheduler(
            file, CatalogLayout(shape: .document, offset: 0, records: RecordPaths([]), decoder: decoder))
        worker = ChunkScheduler.Worker(for: scanner)
        fingerprint = (try? file.fingerprint()) ?? nil
        for segment in content.segments { index.append(segment) }
        faults = content.faults
        positions = content.positions
        isScanned = true
        read = size
        isCached = true
    }

    deinit { scanner.stop() }

    var count: Int { index.count }

    /// Whether all was read.
    var state: SourceState {
        if isScanned && (positionMailbox == nil || positions != nil) { return .ready }
        return .loading(fraction: size > 0 ? Double(min(read, size)) / Double(size) : nil)
    }

    /// Whether the file is another one now than when it was opened.
    var isOutdated: Bool {
        guard let fingerprint, file.path != RandomAccessInput.standardInput else { return false }
        return RandomAccessInput.Fingerprint(ofFileAt: file.path) != fingerprint
    }

    /// Starts to read what is left on other threads, which call `notify` when there is something to receive.
    func startLoading(notifying notify: @escaping @Sendable () -> Void) { startLoading(.batch, notify) }

    /// Reads all that is left, on several threads, and calls `report` on this one now and then.
    func loadRest(reporting report: () -> Void) {
        let arrival = Latch()
        startLoading(.interactive) { arrival.pulse() }
        while state.isLoading {
            let seen = arrival.pulseCount
            if receive() { report() } else { arrival.waitForPulse(after: seen) }
        }
    }

    private func startLoading(_ scheduling: BackgroundThread.Scheduling, _ notify: @escaping @Sendable () -> Void) {
        if isCached { BackgroundThread.start { [cache, file] in cache?.touch(file) } }
        guard !isScanned, mailbox == nil else { return }
        self.notify = notify
        let mailbox = Channel<ChunkContent>(notify)
        // Who reads from a pipe cannot go ahead of who reads from it too.
        let isStarted = (0..<(file.isPipe ? 1 : BackgroundThread.workerCount)).map { _ in
            BackgroundThread.start(as: scheduling) { [scanner, file] in
                var worker = ChunkScheduler.Worker(for: scanner)
                while let content = scanner.scanNext(with: &worker) {
                    mailbox.post(content)
                    if file.isPipe && !file.hasInput { mailbox.flush() }
                }
                mailbox.flush()
            }
        }
        if isStarted.contains(true) {
            self.mailbox = mailbox
        } else {
            // Without a thread there is no background.
            while !isScanned { loadMore() }
        }
    }

    /// Takes over what other threads have read.
    ///
    /// - Returns: Whether there was anything.
    func receive() -> Bool {
        let found = positionMailbox?.takeAll().last
        if let found { positions = found }
        let contents = mailbox?.takeAll() ?? []
        for content in contents { early[content.number] = content }
        while let content = early.removeValue(forKey: nextNumber) { append(content) }
        if isScanned, positions == nil { findPositionsInBackground() }
        if !state.isLoading { keepInCache() }
        return found != nil || !contents.isEmpty
    }

    /// So that the next start need not read the catalog.
    private func keepInCache() {
        guard !isCached, let cache, let fingerprint, let format, faults.failure == nil else { return }
        isCached = true
        let content = IndexCache.Content(
            format: format.key, segments: index.segments, faults: faults,
            positions: positions ?? FaultPositions())
        keeping = BackgroundTask { [file] _ in
            cache.keep(content, of: file, fingerprint: fingerprint)
            return true
        }
    }

    /// Waits until the index is in the cache, if it is to be there.
    func finishKeeping() {
        while let keeping, keeping.wait(milliseconds: 1000) == nil {}
    }

    /// To tell the line of a fault the file must be read up to it.
    private func findPositionsInBackground() {
        guard positionMailbox == nil, faults.fault != nil || faults.omissionCount > 0, let notify else { return }
        let mailbox = Channel<FaultPositions>(notify)
        positionMailbox = mailbox
        BackgroundThread.start { [file, faults] in mailbox.post(FaultPositions(of: faults, in: file)) }
    }

    /// Reads more of what is left on this thread, unless others do.
    func loadMore() { loadMore(upTo: ChunkScheduler.standardChunkSize) }

    /// Reads the next window, of about so many bytes or so many records, on this thread.
    func loadMore(upTo size: Int, recordLimit: Int = .max) {
        guard mailbox == nil else { return }
        if let content = scanner.scanNext(with: &worker, size: size, recordLimit: recordLimit) {
            append(content)
        } else {
            isScanned = true
        }
    }

    private func append(_ content: ChunkContent) {
        nextNumber += 1
        if isScanned { return }
        for segment in content.segments { index.append(segment) }
        let knownCount = faults.omissions.count
        faults.append(content.faults)
        // Places that were asked for before are not all now.
        if faults.fault != nil || faults.omissions.count > knownCount { positions = nil }
        read = content.end
        isScanned = content.isLast
        if isScanned { early = [:] }
    }

    /// The whole book; nil if its record is not there any more, as the file was changed.
    func book(_ id: BookID) -> Book? {
        guard let book = read(id, { reader throws(JSONSyntaxError) in try decoder.decode(at: 0, with: reader) }),
            MatchKeys(of: book) == index.keys(of: id)
        else { return nil }
        return book
    }

    /// What a row shows of a book; nil if its record is not there any more.
    func summary(of id: BookID) -> BookSummary? {
        guard
            let book = readInStretch(
                id, { reader throws(JSONSyntaxError) in try decoder.decodeHeading(at: 0, with: reader) }),
            MatchKeys(of: book) == index.keys(of: id)
        else { return nil }
        return BookSummary(
            title: book.title, authors: book.authors, isbn: book.isbn, year: index.year(of: id),
            pageCount: index.pageCount(of: id))
    }

    /// What `decode` makes of the record of a book, from the stretch of the file that was read last where it
    /// is in it: books that are shown together mostly stand together. Nil where it is not there any more.
    private func readInStretch<Result>(
        _ id: BookID, _ decode: (JSONReader) throws(JSONSyntaxError) -> Result
    ) -> Result? {
        let offset = index.offset(at: id.index)
        if let reader = stretch.reader(at: offset), let result = try? decode(reader) { return result }
        // An index that was damaged may hold any numbers.
        guard offset >= 0, offset < max(read, size) else { return nil }
        stretch.read(file, from: offset)
        if let reader = stretch.reader(at: offset), let result = try? decode(reader) { return result }
        // A long record.
        return read(id, decode)
    }

    /// The lines and columns of `places`, in their order; that of its record for a value that is not there.
    func positions(of places: [RecordPlace]) -> [TextPosition] {
        TextPosition.positions(of: places.map(byteOffset), in: file)
    }

    private func byteOffset(of place: RecordPlace) -> Int {
        let start = index.offset(at: place.id.index)
        guard let path = place.path else { return start }
        let found = read(place.id) { reader throws(JSONSyntaxError) in try reader.offset(of: path) }
        return start + (found.flatMap(\.self) ?? 0)
    }

    /// What `decode` makes of the record of a book; nil if it is not there any more.
    private func read<Result>(_ id: BookID, _ decode: (JSONReader) throws(JSONSyntaxError) -> Result) -> Result? {
        let index = id.index
        let offset = self.index.offset(at: index)
        let fileEnd = max(read, size)
        // The next record ends the text of this one; what stands between them is rarely more than a comma.
        let end = index + 1 < count ? self.index.offset(at: index + 1) : fileEnd
        // An index that was damaged may hold any numbers.
        guard (0..<fileEnd).contains(offset) else { return nil }
        var length = end > offset ? min(end - offset, Self.usualLength) : Self.usualLength
        while true {
            do throws(JSONSyntaxError) {
                return try read(from: offset, length: length, decode)
            } catch {
                // A long record, or one behind which something stands that is no book.
                guard error.offset == length, offset + length < fileEnd else { return nil }
                length *= 8
            }
        }
    }

    private static let usualLength = 1 << 16

    /// The record of a book as it stands in the file; nil if it is not there any more.
    func record(_ id: BookID) -> JSONValue? {
        read(id) { reader throws(JSONSyntaxError) in try decoder.object(at: 0, with: reader) }
    }

    /// What `decode` makes of the record that the `length` bytes from `offset` on begin with.
    private func read<Result>(
        from offset: Int, length: Int, _ decode: (JSONReader) throws(JSONSyntaxError) -> Result
    ) throws(JSONSyntaxError) -> Result {
        let text = UnsafeMutableRawBufferPointer.allocate(byteCount: length + JSONReader.paddingCount, alignment: 1)
        defer { text.deallocate() }
        let room = UnsafeMutableRawBufferPointer(rebasing: text.prefix(length))
        let count = (try? file.read(into: room, at: offset)) ?? 0
        UnsafeMutableRawBufferPointer(rebasing: text.dropFirst(count).prefix(JSONReader.paddingCount))
            .initializeMemory(as: UInt8.self, repeating: 0)
        guard let base = text.bindMemory(to: UInt8.self).baseAddress else {
            throw JSONSyntaxError(.unexpectedEnd, at: 0)
        }
        return try decode(JSONReader(base, count: count))
    }

    /// What could not be read so far.
    var defects: CatalogDefects {
        if positionMailbox == nil, positions == nil {
            positions = FaultPositions(of: faults, in: file)
        }
        return CatalogDefects(
            omissionCount: faults.omissionCount,
            omissions: zip(faults.omissions, positions?.omissions ?? []).map {
                CatalogDefects.Omission(reason: $0.reason, position: $1)
            },
            hasMalformedLines: faults.hasMalformedLines, malformedLineCount: faults.malformedLineCount,
            fault: faults.fault.flatMap { fault in positions?.fault.map { .init(fault.reason, at: $0) } },
            failure: faults.failure.map { failure in
                let error = FileError(path: file.path, operation: .read, code: failure.code)
                return .init(error, byteOffset: failure.offset)
            })
    }
}

/// Where in the lines of a file faults are.
struct FaultPositions: Sendable {
    var omissions: [TextPosition] = []
    var fault: TextPosition?

    /// None.
    init() {}

    /// These places.
    init(omissions: [TextPosition], fault: TextPosition?) {
        self.omissions = omissions
        self.fault = fault
    }

    /// Reads the file up to the faults.
    init(of faults: RecordFaults, in file: RandomAccessInput) {
        let fault = faults.fault?.offset
        let positions = TextPosition.positions(
            of: faults.omissions.map(\.offset) + (fault.map { [$0] } ?? []), in: file)
        omissions = Array(positions.prefix(faults.omissions.count))
        self.fault = fault == nil ? nil : positions.last
    }
}
