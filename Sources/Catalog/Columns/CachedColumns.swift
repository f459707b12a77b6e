internal import Books
internal import CText
internal import Indexing
internal import JSON
internal import Storage
internal import Threading

/// The columns of a file that are at hand, and those that the cache has.
///
/// A column that was made is kept in the cache beside the index, and read from there when it is next needed.
final class CachedColumns: Sendable {
    private let shelf = ColumnShelf()
    private let file: RandomAccessInput
    private let cache: IndexCache?
    /// The fingerprint of the file when it was opened.
    private let fingerprint: RandomAccessInput.Fingerprint?
    private let state = Locked(State())

    private struct State {
        var identity: IndexCache.Identity??
        /// The columns that were looked for in the cache.
        var soughtSources: Set<ColumnSource> = []
        var writing: [BackgroundTask<Bool>] = []
    }

    /// The size in bytes of the largest column that is read from the cache at once, which takes about a millisecond.
    private static let smallSize = 8 << 20

    /// Creates the columns of `file`.
    init(of file: RandomAccessInput, in cache: IndexCache?) {
        (self.file, self.cache) = (file, cache)
        fingerprint = (try? file.fingerprint()) ?? nil
    }

    /// Returns a column at hand, or a small one of a cache on this machine, of records that are read in this way.
    func column(of source: ColumnSource, readAs format: CatalogFormat) -> FieldColumn? {
        if let column = shelf[source] { return column }
        guard state.withLock({ $0.soughtSources.insert(source).inserted }), cache?.files.isRemote != true,
            let kept = kept(ColumnKey(of: source, format)), kept.byteCount <= Self.smallSize, let column = kept.column
        else { return nil }
        shelf[source] = column
        return column
    }

    /// Returns a task that reads columns from the cache, or makes them.
    func task(
        of sources: [ColumnSource], from reader: RecordReader, readAs format: CatalogFormat,
        notifying notify: @escaping @Sendable () -> Void
    ) -> ColumnTask {
        var seen: Set<ColumnSource> = []
        let missing = sources.filter { shelf[$0] == nil && seen.insert($0).inserted }
        let stored = missing.filter { hasKept(ColumnKey(of: $0, format)) }
        let others = missing.filter { !stored.contains($0) }
        let reading = stored.isEmpty ? nil : read(stored, else: reader, readAs: format, notifying: notify)
        let making = others.isEmpty ? nil : reader.columns(of: others, notifying: notify)
        let parts: [(any ColumnTaskPart)?] = [reading, making]
        return ColumnTask(of: sources, parts.compactMap(\.self)) { [self] in
            if let columns = reading?.value {
                for (source, column) in columns { shelf[source] = column }
            }
            if let columns = making?.value {
                for (source, column) in zip(others, columns) { take(column, of: source, readAs: format) }
            }
            var found: [ColumnSource: FieldColumn] = [:]
            for source in sources { found[source] = shelf[source] }
            return found
        }
    }

    /// Reads columns of the cache in the background, and makes those that are outdated or damaged.
    private func read(
        _ stored: [ColumnSource], else reader: RecordReader, readAs format: CatalogFormat,
        notifying notify: @escaping @Sendable () -> Void
    ) -> BackgroundTask<[ColumnSource: FieldColumn]> {
        BackgroundTask(notifying: notify) { isCancelled in
            var columns: [ColumnSource: FieldColumn] = [:]
            for source in stored {
                guard let column = self.kept(ColumnKey(of: source, format))?.column else { continue }
                if column.bookCount == reader.index.count { columns[source] = column }
            }
            let missing = stored.filter { columns[$0] == nil }
            if missing.isEmpty { return columns }
            guard let made = reader.columns(of: missing, notifying: {}).wait(unless: isCancelled) else { return nil }
            for (source, column) in zip(missing, made) {
                columns[source] = column
                self.keep(column, ColumnKey(of: source, format))
            }
            return columns
        }
    }

    /// Puts a column at hand, and keeps it for the next start.
    func take(_ column: FieldColumn, of source: ColumnSource, readAs format: CatalogFormat) {
        shelf[source] = column
        keep(column, ColumnKey(of: source, format))
    }

    /// Waits until the columns are stored.
    func finish() {
        for task in state.withLock({ $0.writing }) { while task.wait(milliseconds: 1000) == nil {} }
        state.withLock { $0.writing = [] }
    }

    // MARK: - The cache

    private var identity: IndexCache.Identity? {
        guard let cache else { return nil }
        return state.withLock { state in
            if let known = state.identity { return known }
            let found = cache.identity(of: file, fingerprint: fingerprint)
            state.identity = .some(found)
            return found
        }
    }

    /// Whether the cache has the file of a column, perhaps of another state of the catalog.
    private func hasKept(_ key: ColumnKey) -> Bool {
        guard let cache, let identity else { return false }
        return cache.files.has(identity.fileName(ofColumn: key))
    }

    private func kept(_ key: ColumnKey) -> CachedColumn? {
        guard let cache, let identity else { return nil }
        return cache.files.file(identity.fileName(ofColumn: key)).flatMap { CachedColumn($0, of: identity, key) }
    }

    private func keep(_ column: FieldColumn, _ key: ColumnKey) {
        guard let cache, let identity else { return }
        let task = BackgroundTask<Bool> { _ in
            // A column that cannot be stored is made again next time.
            try? cache.files.write(identity.fileName(ofColumn: key)) { write throws(FileError) in
                try CachedColumn.write(column, of: identity, key, write)
            }
            return true
        }
        state.withLock { $0.writing.append(task) }
    }
}

/// What a column depends on, beside the file.
private struct ColumnKey: Sendable {
    let text: String

    /// Creates the key of the column of a source in a catalog that is read in this way.
    init(of source: ColumnSource, _ format: CatalogFormat) {
        switch source {
        case .lines(let field):
            let key = format.key
            text = "lines\n\(field.rawValue)\n\(key.profile)\n\(key.fingerprint)\n\(key.recordPaths)\n\(key.namedKeys)"
        case .own(let field):
            let rule = format.mapping.rules[field]
            let candidates = (rule?.candidates ?? []).map { candidate in
                let values = candidate.values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
                return "\(candidate.path.description)\n\(candidate.split ?? "")\n\(values.joined(separator: "\n"))"
            }
            let kind = field.info.own?.kind.rawValue ?? ""
            text = "own\n\(kind)\n\(candidates.joined(separator: "\n"))\n\(rule?.defaultValue?.json ?? "")"
        }
    }
}

extension IndexCache.Identity {
    /// Returns the name of the file of a column with this key.
    fileprivate func fileName(ofColumn key: ColumnKey) -> String {
        var key = key.text
        return "\(name)-\(key.withUTF8 { cs_hash($0.baseAddress, $0.count) }.hexadecimal).column"
    }
}

/// A column in a file of the cache: a header of 64-bit numbers, the path of the catalog and the key of the column, and then
/// the column.
private struct CachedColumn: Sendable {
    private let file: MappedFile
    private let start: Int

    /// "column" in ASCII, followed by the version of the layout.
    private static let signature: UInt64 = 0x636F_6C75_6D6E_0001

    /// Opens a file; fails if it is that of another column, or of another state of the catalog. Its contents are not
    /// checked.
    init?(_ file: MappedFile, of identity: IndexCache.Identity, _ key: ColumnKey) {
        self.file = file
        let head = Self.head(of: identity, key)
        let matches = head.withUnsafeBytes { head in
            head.count < file.bytes.count && head.elementsEqual(file.bytes.prefix(head.count))
        }
        guard matches else { return nil }
        start = head.count * 8
    }

    /// The size of the file in bytes.
    var byteCount: Int { file.bytes.count }

    /// The column; nil if the file is damaged. Linear in the column.
    var column: FieldColumn? {
        FieldColumn(checking: UnsafeRawBufferPointer(rebasing: file.bytes[start...]), owner: file)
    }

    private static func head(of identity: IndexCache.Identity, _ key: ColumnKey) -> [UInt64] {
        var head = [signature] + identity.numbers
        for text in [identity.path, key.text] {
            let bytes = Array(text.utf8)
            head.append(UInt64(bytes.count))
            for start in stride(from: 0, to: bytes.count, by: 8) {
                head.append(bytes[start..<min(start + 8, bytes.count)].reduce(0) { $0 << 8 | UInt64($1) })
            }
        }
        return head
    }

    /// Writes the file of a column.
    static func write(
        _ column: FieldColumn, of identity: IndexCache.Identity, _ key: ColumnKey,
        _ write: (UnsafeRawBufferPointer) throws(FileError) -> Void
    ) throws(FileError) {
        let head = head(of: identity, key)
        let result = head.withUnsafeBytes { bytes in Result { () throws(FileError) in try write(bytes) } }
        try result.get()
        try column.store { bytes throws(FileError) in try write(bytes) }
    }
}
