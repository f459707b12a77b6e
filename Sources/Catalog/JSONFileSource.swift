internal import Storage

/// A catalog in a JSON file: an array of objects with the native record's fields. The file is only ever read.
public struct JSONFileSource: BookSource {
    /// The file's path, as it was given.
    public let path: String

    /// The catalog in the file at `path`.
    public init(path: String) {
        self.path = path
    }

    /// The file's name without its directories.
    public var name: String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    /// Reads the file and finds its records; they are decoded when they are asked for. Linear in the file.
    public func load() throws(CatalogError) -> any BookRecords {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try ReadOnlyFile.bytes(at: path)
        } catch {
            throw .unreadable(error)
        }
        if let format = CatalogError.FileFormat(recognising: bytes) { throw .wrongFormat(path: path, format) }
        guard let first = bytes.firstOfJSON else { throw .empty(path: path) }
        let scanner = bytes.withUnsafeBufferPointer(RecordScanner.init)
        try refuse(bytes, isObject: first == UInt8(ascii: "{"), asScannedBy: scanner)
        return JSONRecords(bytes: bytes, scanner: scanner)
    }

    /// Throws where the file has nothing to show: an empty array has, it is a catalog without books.
    private func refuse(
        _ bytes: [UInt8], isObject: Bool, asScannedBy scanner: RecordScanner
    ) throws(CatalogError) {
        // Objects before a fault are only worth showing where one of them is a book.
        if let fault = scanner.fault, scanner.records.isEmpty || !scanner.hasFields {
            if isObject, fault.reason == .trailingContent, bytes[fault.offset] == UInt8(ascii: "{") {
                throw .notACatalog(path: path, .jsonLines)
            }
            throw .malformed(path: path, .init(fault.reason, at: TextPosition(of: fault.offset, in: bytes)))
        }
        guard scanner.isArray else { throw .notACatalog(path: path, isObject ? .object : .scalar) }
        let count = scanner.records.count + scanner.omissions.count
        if scanner.records.isEmpty && count > 0 || !scanner.records.isEmpty && !scanner.hasFields {
            throw .notACatalog(path: path, .arrayWithoutBooks(count: count))
        }
    }
}

/// The records of a JSON text, decoded one by one.
private struct JSONRecords: BookRecords {
    let bytes: [UInt8]
    let records: [Record]
    let defects: CatalogDefects

    init(bytes: [UInt8], scanner: RecordScanner) {
        self.bytes = bytes
        records = scanner.records
        defects = CatalogDefects(
            omissionCount: scanner.omissions.count,
            firstOmission: scanner.omissions.first.map { TextPosition(of: $0, in: bytes) },
            fault: scanner.fault.map { .init($0.reason, at: TextPosition(of: $0.offset, in: bytes)) })
    }

    var count: Int { records.count }

    func book(at index: Int) -> Book {
        bytes.withUnsafeBufferPointer { RecordDecoder().book(of: records[index], in: $0) }
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

extension [UInt8] {
    /// The byte that a JSON text begins with, after a byte-order mark and blanks; nil where there is nothing else.
    fileprivate var firstOfJSON: UInt8? {
        dropFirst(starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0).first { !$0.isJSONWhitespace }
    }
}

extension UInt8 {
    /// Whether it is white space between the tokens of JSON (RFC 8259, section 2).
    fileprivate var isJSONWhitespace: Bool {
        self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09
    }
}
