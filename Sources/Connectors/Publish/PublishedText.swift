internal import ConnectorProtocol
internal import Glibc

/// The formats of a catalog that is one file at an address.
enum PublishedFormat {
    /// An array of records.
    case json
    /// A record a line.
    case lines

    /// Reads the format from the end of an address; nil if that does not tell it.
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

    /// Reads the format from the beginning of a catalog; nil if it is no JSON.
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

/// The text of a catalog that is sent, in a file that is deleted with this.
final class PublishedText {
    /// The path of the file.
    let path: String
    /// The number of records.
    private(set) var count = 0
    /// The size in bytes.
    private(set) var size = 0
    private let descriptor: Int32

    private static let partSize = 1 << 18

    /// Writes the rows of the file at `rows`, which are JSON Lines, in a new file at `path`.
    init(_ rows: String, as format: PublishedFormat, to path: String) throws(ConnectorFailure) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .cannotWrite(path) }
        let source = try FileBytes(rows)
        var text: [UInt8] = format == .json ? [UInt8(ascii: "[")] : []
        // The end of the last line; it is written when another one follows.
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

    /// Whether `content` has the same bytes; reads it up to the first difference.
    func isSame(as content: any ByteSource) throws(ConnectorFailure) -> Bool {
        let file = try FileBytes(path)
        while true {
            let part = try file.read(upTo: Self.partSize)
            // One byte more tells whether it ends here.
            if try content.read(upTo: max(1, part.count)) != part { return false }
            if part.isEmpty { return !content.isCut }
        }
    }
}
