internal import ConnectorProtocol
internal import Glibc

/// A text file that is copied in UTF-8, without a byte order mark.
struct TextConversion {
    private let input: SourceInput
    private let path: String
    private let limit: DiskLimit

    /// Opens the file at `source`, whose copy will be at `path`.
    ///
    /// - Parameter encoding: The encoding of the text; nil to detect it.
    init(
        of source: String, in encoding: TextEncoding?, to path: String, limit: DiskLimit
    ) throws(ConnectorFailure) {
        input = try SourceInput(path: source)
        input.namedEncoding = encoding
        (self.path, self.limit) = (path, limit)
    }

    /// Makes the copy.
    ///
    /// - Returns: The name of the encoding of the text.
    func run(isCancelled: () -> Bool) throws(ConnectorFailure) -> String {
        let text = try ConvertedText(input)
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw .cannotWrite(path) }
        defer { close(file) }
        var size = 0
        while true {
            if isCancelled() { throw ConnectorFailure(.cancelled) }
            let part = try text.read(upTo: 1 << 16)
            if part.isEmpty { return input.encoding.text.name }
            size += part.count
            try limit.check(size, of: file)
            guard Self.write(part, to: file) else { throw .cannotWrite(path) }
        }
    }

    /// - Returns: Whether all bytes were written.
    static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(file, $0.baseAddress.map { $0 + written }, bytes.count - written)
            }
            if count < 0, errno != EINTR { return false }
            if count > 0 { written += count }
        }
        return true
    }
}
