internal import ConnectorProtocol
internal import Glibc

/// The formats of a catalog file on a server.
enum PublishedFormat {
    /// An array of records.
    case json
    /// JSON Lines, one record per line.
    case lines

    /// Detects the format by the extension in an address; fails for other extensions.
    init?(endOf address: String) {
        let path = address.prefix { $0 != "?" && $0 != "#" }.lowercased()
        if path.hasSuffix(".json") {
            self = .json
        } else if path.hasSuffix(".jsonl") || path.hasSuffix(".ndjson") {
            self = .lines
        } else {
            return nil
        }
    }

    /// Detects the format by the start of a file; fails for content other than JSON.
    init?(ofContent beginning: [UInt8]) {
        let text = beginning.starts(with: [0xEF, 0xBB, 0xBF]) ? beginning.dropFirst(3) : beginning[...]
        switch text.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) {
        case UInt8(ascii: "[")?: self = .json
        case UInt8(ascii: "{")?: self = .lines
        default: return nil
        }
    }

    /// The media type.
    var mediaType: String {
        switch self {
        case .json: "application/json"
        case .lines: "application/x-ndjson"
        }
    }
}

/// The text of a catalog to upload, in a temporary file that is deleted with this object.
final class PublishedText {
    /// The path of the file.
    let path: String
    /// The number of records.
    private(set) var count = 0
    /// The size in bytes.
    private(set) var size = 0
    private let descriptor: Int32

    private static let partSize = 1 << 18

    /// Writes the rows of the JSON Lines file at `rows` to a new file at `path`.
    init(_ rows: String, as format: PublishedFormat, to path: String) throws(ConnectorFailure) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .cannotWrite(path) }
        let source = try FileBytes(rows)
        var text: [UInt8] = format == .json ? [UInt8(ascii: "[")] : []
        // Whether a row was written since the last line end of the source; separators are written only before a row.
        var hasLine = false
        while true {
            let part = try source.read(upTo: Self.partSize)
            if part.isEmpty { break }
            for line in part.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
                if line.offset > 0 { hasLine = false }
                if line.element.isEmpty { continue }
                if !hasLine {
                    if format == .json {
                        text += (count > 0 ? ",\n" : "\n").utf8
                    } else if count > 0 {
                        text.append(0x0A)
                    }
                    count += 1
                    hasLine = true
                }
                text += line.element
            }
            try write(&text)
        }
        if format == .json { text += (count > 0 ? "\n]\n" : "]\n").utf8 } else if count > 0 { text.append(0x0A) }
        try write(&text)
    }

    deinit {
        close(descriptor)
        unlink(path)
    }

    private func write(_ text: inout [UInt8]) throws(ConnectorFailure) {
        var written = 0
        while written < text.count {
            let count = text.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress.map { $0 + written }, $0.count - written)
            }
            if count < 0, errno != EINTR { throw .cannotWrite(path) }
            if count > 0 { written += count }
        }
        size += text.count
        text.removeAll(keepingCapacity: true)
    }

    /// Returns whether `content` has the same bytes; reads up to the first difference.
    func isSame(as content: any ByteSource) throws(ConnectorFailure) -> Bool {
        let file = try FileBytes(path)
        while true {
            let part = try file.read(upTo: Self.partSize)
            // At the end of the file, one byte more shows whether the content ends there, too.
            if try content.read(upTo: max(1, part.count)) != part { return false }
            if part.isEmpty { return !content.isCut }
        }
    }
}
