internal import Books
internal import Glibc
internal import Indexing
internal import JSON
internal import Storage
internal import Threading

/// The records of a catalog file, located chunk by chunk and decoded individually on demand.
///
/// Not thread-safe; background threads deliver their results through a channel.
final class JSONFileRecords {
    let file: RandomAccessInput
    /// The index of the books read so far.
    private(set) var index = BookIndex()
    /// The problems found so far.
    private(set) var problems = RecordProblems()
    /// The number of bytes read without a gap.
    private(set) var read = 0
    /// Whether the last chunk was read.
    private var isScanned = false {
        didSet { if isScanned && !oldValue { learnFields() } }
    }
    /// The chunks that arrived.
    private var arrived = ChunkQueue()

    private let scanner: ChunkScheduler
    /// The worker of the calling thread.
    private var worker: ChunkScheduler.Worker
    private var decoder: RecordDecoder
    /// The way the catalog is read.
    private(set) var format: CatalogFormat?
    /// Whether the fields of the catalog were looked for in many records.
    private var hasLearnedMore = false
    /// The channel for chunks from background threads, if there are any, and the function that announces them.
    private var background: (channel: Channel<ChunkContent>?, notify: (@Sendable () -> Void)?)
    /// The positions of the problems, and the channel by which they arrive.
    private var positions: (known: ProblemPositions?, channel: Channel<ProblemPositions>?)
    /// The state of the file when it was opened; nil for a pipe.
    let fingerprint: RandomAccessInput.Fingerprint?
    /// The cached index for the next start.
    private var storage: IndexStorage
    /// The cached file that contains the index; nil if none does.
    let mapped: MappedFile?

    /// The columns of fields that were needed.
    let columns: CachedColumns

    /// The part of the file that was read last for books displayed together.
    private var stretch = ReadAheadBuffer()
    /// The file for the thread of the screen, which does not wait for slow disks.
    private var fetched: FetchedInput?
    /// The format with the fields that are being looked for in the background.
    private var learning: (task: BackgroundTask<CatalogFormat>, isOfLoading: Bool)?

    /// The size of the file in bytes; 0 if unknown.
    private var size: Int { fingerprint?.size ?? 0 }

    /// Creates the records of `file`, which has this layout; their index will be stored in `cache`.
    init(_ file: RandomAccessInput, _ layout: CatalogLayout, format: CatalogFormat? = nil, cache: IndexCache? = nil) {
        self.file = file
        storage = IndexStorage(cache: cache)
        columns = CachedColumns(of: file, in: cache)
        self.format = format
        decoder = layout.decoder
        scanner = ChunkScheduler(file, layout)
        worker = ChunkScheduler.Worker(for: scanner)
        fingerprint = (try? file.fingerprint()) ?? nil
        mapped = nil
    }

    /// Restores the records of `file` from its index in `cache`; fails if that is for another profile.
    init?(
        _ file: RandomAccessInput, _ content: IndexCache.Content<IndexSegment>, in cache: IndexCache,
        by profile: Profile?, of library: ProfileLibrary
    ) {
        guard let format = CatalogFormat(content.format, by: profile, of: library) else { return nil }
        self.file = file
        storage = IndexStorage(cache: cache, isStored: true)
        columns = CachedColumns(of: file, in: cache)
        self.format = format
        decoder = RecordDecoder(format.mapping)
        scanner = ChunkScheduler(
            file, CatalogLayout(shape: .document, offset: 0, records: RecordPaths([]), decoder: decoder))
        worker = ChunkScheduler.Worker(for: scanner)
        fingerprint = (try? file.fingerprint()) ?? nil
        mapped = content.mapped
        for segment in content.segments { index.append(segment) }
        problems = content.problems
        positions.known = content.positions
        isScanned = true
        read = size
    }

    /// Creates the records of a file whose index and problems are known, perhaps in memory of `mapped`; they will be
    /// stored in `cache`.
    init(
        _ file: RandomAccessInput, _ segments: [IndexSegment], format: CatalogFormat, cache: IndexCache?,
        mapped: MappedFile?, problems: RecordProblems = .none, positions: ProblemPositions = ProblemPositions()
    ) {
        self.file = file
        storage = IndexStorage(cache: cache)
        columns = CachedColumns(of: file, in: cache)
        self.format = format
        decoder = RecordDecoder(format.mapping)
        scanner = ChunkScheduler(
            file, CatalogLayout(shape: .document, offset: 0, records: RecordPaths([]), decoder: decoder))
        worker = ChunkScheduler.Worker(for: scanner)
        fingerprint = (try? file.fingerprint()) ?? nil
        self.mapped = mapped
        for segment in segments { index.append(segment) }
        self.problems = problems
        self.positions.known = positions
        isScanned = true
        read = size
        keepInCache()
    }

    deinit { scanner.stop() }

    var count: Int { index.count }

    /// The progress of reading.
    var state: SourceState {
        let isLearned = learning?.isOfLoading != true
        if isScanned && isLearned && (positions.channel == nil || positions.known != nil) { return .ready }
        return .loading(fraction: size > 0 ? Double(min(read, size)) / Double(size) : nil)
    }

    /// Whether the cached file with the index was truncated, so that books are missing.
    var isIndexDamaged: Bool { mapped?.isDamaged ?? false }

    /// Whether the file has changed since it was opened.
    var isOutdated: Bool {
        guard let fingerprint, file.path != RandomAccessInput.standardInput else { return false }
        return RandomAccessInput.Fingerprint(ofFileAt: file.path) != fingerprint
    }

    /// Starts reading the rest on background threads, which call `notify` when data has arrived.
    func startLoading(notifying notify: @escaping @Sendable () -> Void) { startLoading(.batch, notify) }

    /// Reads the rest on several threads, and calls `report` on the calling thread from time to time.
    func loadRest(reporting report: () -> Void) {
        let arrivals = Locked(0)
        startLoading(.interactive) { arrivals.change { $0 += 1 } }
        while state.isLoading {
            let seen = arrivals.withLock { $0 }
            if receive() { report() } else { arrivals.wait { $0 != seen ? () : nil } }
        }
    }

    private func startLoading(_ scheduling: BackgroundThread.Scheduling, _ notify: @escaping @Sendable () -> Void) {
        storage.touch(file)
        guard !isScanned, background.channel == nil else { return }
        background.notify = notify
        let channel = Channel<ChunkContent>(notify)
        // A pipe can have only one reader.
        let isStarted = (0..<(file.isPipe ? 1 : BackgroundThread.workerCount)).map { _ in
            BackgroundThread.start(as: scheduling) { [scanner, file] in
                var worker = ChunkScheduler.Worker(for: scanner)
                while let content = scanner.scanNext(with: &worker) {
                    channel.post(content)
                    if file.isPipe && !file.hasInput { channel.flush() }
                }
                channel.flush()
            }
        }
        if isStarted.contains(true) {
            background.channel = channel
        } else {
            // Without threads, the rest is read in the foreground.
            while !isScanned { loadMore() }
        }
    }

    /// Adopts the chunks that the background threads have read.
    ///
    /// - Returns: Whether any had arrived.
    func receive() -> Bool {
        let found = positions.channel?.takeAll().last
        if let found { positions.known = found }
        let contents = background.channel?.takeAll() ?? []
        for content in contents { arrived.insert(content) }
        while let content = arrived.popNext() { append(content) }
        if isScanned, positions.known == nil { findPositionsInBackground() }
        let learned = learning?.task.value
        if let learned { take(learned) }
        if !state.isLoading { keepInCache() }
        return found != nil || !contents.isEmpty || learned != nil
    }

    /// Returns these records, read to the end of a growing file, for the complete `file` that has replaced it.
    func settled(in file: RandomAccessInput, cache: IndexCache?) -> JSONFileRecords? {
        guard !state.isLoading, let format else { return nil }
        return JSONFileRecords(
            file, index.segments, format: format, cache: cache, mapped: mapped, problems: problems,
            positions: positions.known ?? ProblemPositions())
    }

    /// Stores the index, so that the next start does not read the catalog.
    private func keepInCache() {
        guard let fingerprint = fingerprint ?? file.fingerprintAtEnd, fingerprint.size >= IndexCache.minimumSize,
            let format, problems.failure == nil
        else { return }
        storage.store(
            IndexCache.Content(
                format: format.key, segments: index.segments, problems: problems,
                positions: positions.known ?? ProblemPositions(), mapped: mapped),
            of: file, fingerprint: fingerprint)
    }

    /// Waits until the index is stored in the cache.
    func finishKeeping() {
        storage.finish()
        columns.finish()
    }

    /// The number of records in which the fields of the catalog are looked for before the first screen.
    private static let firstSampleCount = 16
    /// The number of records in which the fields of the catalog are looked for.
    private static let sampleCount = 300
    /// The number of records in which further fields are looked for when one of the fields is first used.
    private static let largeSampleCount = 2000

    /// Finds the fields that the catalog has beside those of its profile, in the first records.
    func learnFirstFields() { take(format.map { $0.learning(from: reader.sample(Self.firstSampleCount)) }) }

    /// Adds the fields that more records have, of those that were read, in the background.
    func learnMoreFields(notifying notify: @escaping @Sendable () -> Void) {
        if hasLearnedMore || learning != nil || count <= Self.sampleCount { return }
        hasLearnedMore = true
        learn(isOfLoading: false, notifying: notify) { $0.learningMore(from: $1.sample(Self.largeSampleCount)) }
    }

    /// Finds the fields that the catalog has beside those of its profile, in the background if it was read there.
    private func learnFields() {
        learn(isOfLoading: true, notifying: background.notify) { $0.learning(from: $1.sample(Self.sampleCount)) }
    }

    private func learn(
        isOfLoading: Bool, notifying notify: (@Sendable () -> Void)?,
        _ learn: @escaping @Sendable (CatalogFormat, RecordReader) -> CatalogFormat
    ) {
        guard let format else { return }
        guard let notify else { return take(learn(format, reader)) }
        learning = (BackgroundTask(notifying: notify) { [reader] _ in learn(format, reader) }, isOfLoading)
    }

    private func take(_ learned: CatalogFormat?) {
        learning = nil
        guard let learned, learned.foundFields != format?.foundFields else { return }
        format = learned
        decoder = RecordDecoder(decoder, mapping: learned.mapping)
    }

    /// Finds the line numbers of errors, for which the file must be read up to there.
    private func findPositionsInBackground() {
        guard positions.channel == nil, problems.syntaxError != nil || problems.omissionCount > 0,
            let notify = background.notify
        else { return }
        let channel = Channel<ProblemPositions>(notify)
        positions.channel = channel
        BackgroundThread.start { [file, problems] in channel.post(ProblemPositions(of: problems, in: file)) }
    }

    /// Reads the next chunk on the calling thread, unless background threads are reading.
    func loadMore() { loadMore(upTo: ChunkScheduler.standardChunkSize) }

    /// Reads the next chunk, of about `size` bytes or `recordLimit` records, on the calling thread.
    func loadMore(upTo size: Int, recordLimit: Int = .max) {
        guard background.channel == nil else { return }
        if let content = scanner.scanNext(with: &worker, size: size, recordLimit: recordLimit) {
            append(content)
        } else {
            isScanned = true
        }
    }

    private func append(_ content: ChunkContent) {
        arrived.advance(beyond: content)
        if isScanned { return }
        for segment in content.segments { index.append(segment) }
        let knownCount = problems.omissions.count
        problems.append(content.problems)
        // The positions found before are incomplete now.
        if problems.syntaxError != nil || problems.omissions.count > knownCount { positions.known = nil }
        read = content.end
        isScanned = content.isLast
        if isScanned { arrived = ChunkQueue() }
    }

    /// A reader of the records located so far, for any thread.
    var reader: RecordReader {
        RecordReader(input: file, index: index, decoder: decoder, fileEnd: max(read, size))
    }

    /// A reader of the records for the thread of the screen.
    private var screenReader: RecordReader {
        RecordReader(input: fetched ?? file, index: index, decoder: decoder, fileEnd: max(read, size))
    }

    /// Reads books that are not in memory on another thread from now on, which calls `notify` when they have arrived.
    ///
    /// - Parameter patience: How long to wait for them, in milliseconds.
    func fetch(waiting patience: Int, notifying notify: @escaping @Sendable () -> Void) {
        // What was read of a pipe is in a temporary file.
        fetched = file.isPipe ? nil : FetchedInput(file, patience: patience, notifying: notify)
    }

    /// Whether books are being fetched.
    var isFetching: Bool { fetched?.isFetching ?? false }

    /// Returns the book, unless the file has changed and its record is gone.
    func book(_ id: BookID) -> Slot<Book> { screenReader.book(id) }

    /// Returns the fields of a book that a row shows, unless its record is gone.
    func summary(of id: BookID) -> Slot<BookSummary> { screenReader.summary(of: id, through: &stretch) }

    /// Returns the record of a book as it is in the file, or nil if it is gone.
    func record(_ id: BookID) -> JSONValue? { reader.record(id) }

    /// Returns the line and column of each of `places`; for a missing value, the position of its record.
    func positions(of places: [RecordLocation]) -> [TextPosition] {
        TextPosition.positions(of: places.map(byteOffset), in: file)
    }

    private func byteOffset(of place: RecordLocation) -> Int {
        let start = index.offset(at: place.id.index)
        guard let path = place.path else { return start }
        let found = reader.read(place.id) { reader throws(JSONSyntaxError) in try reader.offset(of: path) }.value
        return start + (found.flatMap(\.self) ?? 0)
    }

    /// The problems found so far.
    var defects: CatalogDefects {
        if positions.channel == nil, positions.known == nil {
            positions.known = ProblemPositions(of: problems, in: file)
        }
        return CatalogDefects(
            omissionCount: problems.omissionCount,
            omissions: zip(problems.omissions, positions.known?.omissions ?? []).map {
                CatalogDefects.Omission(reason: $0.reason, position: $1)
            },
            hasMalformedLines: problems.hasMalformedLines, malformedLineCount: problems.malformedLineCount,
            syntaxError: problems.syntaxError.flatMap { syntaxError in
                positions.known?.syntaxError.map { .init(syntaxError.reason, at: $0) }
            },
            failure: problems.failure.map { failure in
                let error = FileError(path: file.path, operation: .read, code: failure.code)
                return .init(error, byteOffset: failure.offset)
            })
    }
}

/// Puts the chunks of a file, which arrive in any order, into file order.
private struct ChunkQueue {
    private var early: [Int: ChunkContent] = [:]
    private var nextNumber = 0

    /// Keeps a chunk until it is its turn.
    mutating func insert(_ content: ChunkContent) { early[content.number] = content }

    /// Removes and returns the next chunk, if it has arrived.
    mutating func popNext() -> ChunkContent? { early.removeValue(forKey: nextNumber) }

    /// Notes that a chunk was used.
    mutating func advance(beyond content: ChunkContent) { nextNumber += 1 }
}

/// Stores the index of a file in the cache, once.
private struct IndexStorage {
    /// The cache, if indexes are kept.
    let cache: IndexCache?
    /// Whether the index is in the cache, or being stored there.
    private var isStored: Bool
    private var task: BackgroundTask<Bool>?

    init(cache: IndexCache?, isStored: Bool = false) {
        (self.cache, self.isStored) = (cache, isStored)
    }

    /// Stores `content` in the background, unless that was done.
    mutating func store(
        _ content: @autoclosure () -> IndexCache.Content<IndexSegment>, of file: RandomAccessInput,
        fingerprint: RandomAccessInput.Fingerprint
    ) {
        guard !isStored, let cache else { return }
        isStored = true
        let content = content()
        task = BackgroundTask { _ in
            cache.keep(content, of: file, fingerprint: fingerprint)
            return true
        }
    }

    /// Notes in the background that the index was used, so that it is kept longer than others.
    func touch(_ file: RandomAccessInput) {
        if isStored { BackgroundThread.start { [cache] in cache?.touch(file) } }
    }

    /// Waits until the index is stored.
    func finish() {
        while let task, task.wait(milliseconds: 1000) == nil {}
    }
}

/// The lines and columns of the errors in a file.
struct ProblemPositions: Sendable {
    var omissions: [TextPosition] = []
    var syntaxError: TextPosition?

    /// Creates an empty set of positions.
    init() {}

    /// Creates a set of known positions.
    init(omissions: [TextPosition], syntaxError: TextPosition?) {
        self.omissions = omissions
        self.syntaxError = syntaxError
    }

    /// Finds the positions by reading the file up to the last error.
    init(of problems: RecordProblems, in file: RandomAccessInput) {
        let syntaxError = problems.syntaxError?.offset
        let positions = TextPosition.positions(
            of: problems.omissions.map(\.offset) + (syntaxError.map { [$0] } ?? []), in: file)
        omissions = Array(positions.prefix(problems.omissions.count))
        self.syntaxError = syntaxError == nil ? nil : positions.last
    }
}
