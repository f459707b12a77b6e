internal import Catalog
internal import Glibc
internal import Storage

/// A replacement of a byte range in a file.
struct FileSplice: Sendable {
    /// The replacing content.
    enum Content: Sendable {
        /// Other bytes.
        case bytes([UInt8])
        /// The bytes of another range of the file.
        case copy(Range<Int>)
    }

    /// The range in the file before the change.
    var range: Range<Int>
    /// The replacing content.
    var content: Content
}

/// A changed copy of a catalog file, which replaces the file.
struct CatalogReplacement: Sendable {
    /// The file as it was read.
    let file: RandomAccessInput
    /// The state of the file when it was read.
    let fingerprint: RandomAccessInput.Fingerprint
    /// The changes.
    let changes: Changes
    /// The loader that verifies that the changed file is a catalog; nil if it will have no books.
    let checking: JSONFileLoader?

    /// Changes of the file.
    enum Changes: Sendable {
        /// Replacements in file order.
        case splices([FileSplice])
        /// Another order of all records.
        case order(RecordPermutation)

        /// Whether there are no changes.
        var isEmpty: Bool { if case .splices(let splices) = self { splices.isEmpty } else { false } }
    }

    /// The number of bytes that are rather copied through memory than by the file system.
    private static let copiedByteCount = 1 << 16
    /// The number of bytes that are written at once.
    private static let bufferSize = 1 << 20

    /// Writes the changed file and replaces the old one with it.
    ///
    /// - Parameters:
    ///   - isStopped: Whether to stop, as long as the file is not replaced; called now and then.
    ///   - prepare: Called before the replacement, with the fingerprint of the new file.
    /// - Returns: False if the file has changed since it was read; nothing is written then.
    func write(
        unless isStopped: () -> Bool,
        preparing prepare: (RandomAccessInput.Fingerprint) throws(FileError) -> Void = { _ in }
    ) throws(CatalogEditError) -> Bool {
        if changes.isEmpty { return true }
        guard try naming({ () throws(FileError) in try file.lock() }) else { throw .busy }
        guard RandomAccessInput.Fingerprint(ofFileAt: file.path) == fingerprint else { return false }
        ReplacementFile.deleteLeftOvers(of: file.path)
        let changed: ReplacementFile
        do throws(FileError) {
            changed = try ReplacementFile(path: file.path)
            try write(to: changed, unless: isStopped)
        } catch {
            if error.code == ECANCELED { throw .stopped }
            // The file became shorter while it was copied.
            if error.code == ESTALE { return false }
            throw .file(error)
        }
        try checkReadable(changed.temporaryPath)
        do throws(FileError) {
            return try changed.complete(replacing: file, of: fingerprint, preparing: prepare)
        } catch {
            throw changed.isCompleted ? .notSynchronized(error) : .file(error)
        }
    }

    private func naming<Result>(_ body: () throws(FileError) -> Result) throws(CatalogEditError) -> Result {
        do throws(FileError) {
            return try body()
        } catch {
            throw .file(error)
        }
    }

    private func write(to changed: ReplacementFile, unless isStopped: () -> Bool) throws(FileError) {
        var buffer: [UInt8] = []
        var end = 0
        /// Appends bytes of the file; few of them with the changes around them.
        func append(_ range: Range<Int>) throws(FileError) {
            if range.count <= Self.copiedByteCount {
                buffer += try file.bytes(in: range)
            } else {
                try changed.append(buffer)
                buffer = []
                try changed.append(range, of: file, unless: isStopped)
            }
        }
        func append(_ splice: FileSplice) throws(FileError) {
            try append(end..<splice.range.lowerBound)
            switch splice.content {
            case .bytes(let bytes): buffer += bytes
            case .copy(let range): try append(range)
            }
            end = splice.range.upperBound
            if buffer.count > Self.bufferSize {
                try changed.append(buffer)
                buffer.removeAll(keepingCapacity: true)
            }
        }
        switch changes {
        case .splices(let splices): for splice in splices { try append(splice) }
        case .order(let permutation): for splice in permutation.splices { try append(splice) }
        }
        try append(end..<fingerprint.size)
        try changed.append(buffer)
    }

    /// Verifies that the changed file at `path` is still a catalog: the first line must be a book, for example.
    private func checkReadable(_ path: String) throws(CatalogEditError) {
        guard let checking else { return }
        do throws(CatalogError) {
            try checking.check(path)
        } catch {
            if case .unreadable(let error) = error { throw .file(error) }
            throw .unreadableAfterwards
        }
    }
}
