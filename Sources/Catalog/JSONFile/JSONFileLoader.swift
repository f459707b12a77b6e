internal import JSON
internal import Storage

/// Opens a JSON file: finds out what its records are and where, and reads the first of them.
struct JSONFileLoader {
    /// The file's path, as it was given; "-" is standard input.
    let path: String
    /// Where the index is kept.
    var cache: IndexCache?
    /// By what it is read; nil for one of `library` that is found by what the file has.
    var profile: Profile?
    /// The profiles that there are.
    var library = ProfileLibrary(directory: nil)
    /// How many books the first screen waits for, if there are so many.
    var firstBookCount = 100

    /// What errors name.
    private var shownPath: String { RandomAccessInput.shownPath(path) }

    /// How many bytes tell how a catalog begins, where it is not strange.
    private static let headSize = 1 << 14
    /// How many bytes tell a format, where there are so many.
    private static let signatureSize = 64
    /// How many bytes are read before the first screen, where these have its books: of them, no more are looked at.
    private static let firstChunkSize = 1 << 14
    /// Within so many bytes there must be something of a book.
    private static let searchLimit = 16 << 20

    /// Reads the beginning of the file, enough for a screen; the records say how the rest is read.
    func load() throws(CatalogError) -> JSONFileRecords {
        let file: RandomAccessInput
        do throws(FileError) {
            file = try RandomAccessInput(path)
        } catch {
            throw .unreadable(error)
        }
        if let cache, let known = JSONFileRecords(file, knownTo: cache, by: profile, of: library) { return known }
        let found = try open(file)
        guard let profile = profile ?? library.profile(named: found.profile) else {
            throw .notACatalog(path: shownPath, .noRecords(profile: found.profile))
        }
        let format = CatalogFormat(
            profile: profile, recordPaths: found.recordPaths, isDetected: self.profile == nil)
        let layout = CatalogLayout(
            shape: found.shape, offset: found.offset, records: found.records, decoder: RecordDecoder(format.mapping),
            innerSteps: format.recordPaths.first?.stepsWithinElement ?? [])
        let records = JSONFileRecords(file, layout, format: format, cache: cache)
        records.loadMore(upTo: Self.firstChunkSize, recordLimit: firstBookCount)
        while records.state.isLoading, records.read < Self.searchLimit,
            records.count < firstBookCount || !records.faults.hasFields
        {
            records.loadMore(upTo: max(Self.firstChunkSize, records.read))
        }
        try refuse(records)
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
            // A pipe may give so little at first that not even its encoding can be told.
            guard isWhole || head.count >= Self.signatureSize else { continue }
            if let format = CatalogError.FileFormat(recognising: head) { throw .wrongFormat(path: shownPath, format) }
            let opening = JSONReader.reading(head) {
                FormatDetector(of: $0, isWhole: isWhole, profile: profile, library: library)
            }
            switch opening {
            case .records(let found): return found
            case .nothing(let content): throw .notACatalog(path: shownPath, content)
            case .fault(let fault): throw malformed(fault, in: file)
            case .empty: throw .empty(path: shownPath)
            case .undecided: size = head.count * 4
            }
        }
    }

    /// Throws where the file has nothing to show: an empty array has, it is a catalog without books.
    private func refuse(_ records: JSONFileRecords) throws(CatalogError) {
        let faults = records.faults
        if let failure = faults.failure, records.count == 0 {
            throw .unreadable(FileError(path: shownPath, operation: .read, code: failure.code))
        }
        // Records before a fault are only worth showing where one of them is a book.
        if let fault = faults.fault, records.count == 0 || !faults.hasFields {
            throw malformed(fault, in: records.file)
        }
        let count = records.count + faults.omissionCount
        if count > 0, records.count == 0 || !faults.hasFields {
            throw .notACatalog(path: shownPath, .arrayWithoutBooks(count: count))
        }
    }

    private func malformed(_ fault: JSONSyntaxError, in file: RandomAccessInput) -> CatalogError {
        .malformed(path: shownPath, .init(fault.reason, at: TextPosition(of: fault.offset, in: file)))
    }
}

extension CatalogError.FileFormat {
    /// The format whose signature `bytes` begin with; nil for text in UTF-8.
    fileprivate init?(recognising bytes: [UInt8]) {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            self = .utf16
        } else if bytes.starts(with: "SQLite format 3".utf8) {
            self = .sqlite
        } else if bytes.starts(with: [0x1F, 0x8B]) || bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
            self = .compressed
        } else {
            let start = bytes.drop { $0.isJSONWhitespace || [0xEF, 0xBB, 0xBF].contains($0) }.prefix(64)
            guard start.first == UInt8(ascii: "<") else { return nil }
            let text = String(decoding: start, as: UTF8.self).lowercased()
            self = text.hasPrefix("<!doctype html") || text.hasPrefix("<html") ? .html : .xml
        }
    }
}

extension RandomAccessInput {
    /// Reads on behind `bytes`, until they are `size` or the file ends.
    ///
    /// - Returns: Whether the file may go on.
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
