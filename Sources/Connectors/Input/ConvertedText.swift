internal import ConnectorProtocol
internal import Glibc
internal import JSON

/// Converts text in a byte encoding to UTF-8 that is valid in XML: invalid bytes are replaced, and control characters
/// become blanks.
final class ConvertedText: ByteSource {
    private let source: any ByteSource
    private let encoding: TextEncoding
    private let converter: iconv_t?
    private var rest: [UInt8] = []
    private var converted: ArraySlice<UInt8> = []
    private var isAtEnd = false
    private var endsWithinCharacter = false
    private var line = 1

    /// The number of lines with replaced bytes, and the first of these lines.
    private(set) var encodingErrors: (count: Int, first: Int) = (0, 0)
    private var lastError = 0

    var isCut: Bool { source.isCut || endsWithinCharacter }

    /// Creates a stream of the text in `source`, which starts after the byte order mark; UTF-16 is not supported.
    init(_ source: any ByteSource, from encoding: TextEncoding) {
        self.source = source
        self.encoding = encoding
        converter = Self.converter(from: encoding)
    }

    /// Creates a stream of the text of a file in its own encoding. Text that claims to be UTF-8 is converted, too, because
    /// its bytes may be invalid.
    convenience init(_ input: SourceInput) throws(ConnectorFailure) {
        let (encoding, markLength) = input.encoding
        let source = input.content()
        _ = try source.read(upTo: markLength)
        let isUTF16 = encoding == .utf16LittleEndian || encoding == .utf16BigEndian
        self.init(isUTF16 ? encoding.decoded(source) : source, from: isUTF16 ? .utf8 : encoding)
    }

    deinit { if let converter { iconv_close(converter) } }

    /// Whether the system's converter knows an encoding, and reads ASCII in it as ASCII.
    static func canConvert(from encoding: TextEncoding) -> Bool {
        let ascii = Array("Title,1\n".utf8)
        let text = ConvertedText(PrefixedBytes(ascii), from: encoding)
        return (try? text.read(upTo: ascii.count * 4)) == ascii && text.encodingErrors.count == 0
    }

    private static func converter(from encoding: TextEncoding) -> iconv_t? {
        let converter = iconv_open("UTF-8", encoding.name)
        // The C library returns -1 instead of a pointer.
        return Int(bitPattern: converter) == -1 ? nil : converter
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ConnectorFailure) -> Int {
        guard converter != nil else { throw ConnectorFailure(.helper, detail: encoding.name) }
        while converted.isEmpty {
            if isAtEnd { return 0 }
            if encoding == .utf8, rest.isEmpty {
                // Most text is valid and need not be copied.
                let count = try source.read(into: buffer)
                let bytes = UnsafeBufferPointer(
                    start: buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), count: count)
                isAtEnd = count == 0
                if !Self.hasControls(bytes), JSONText.isUTF8(bytes) {
                    line += Self.lineCount(bytes)
                    return count
                }
                converted = convert(Array(bytes))[...]
            } else {
                let added = try source.read(upTo: 1 << 16)
                isAtEnd = added.isEmpty
                converted = convert(rest.isEmpty ? added : rest + added)[...]
            }
        }
        let count = min(converted.count, buffer.count)
        buffer.copyBytes(from: converted.prefix(count))
        converted = converted.dropFirst(count)
        return count
    }

    /// Converts bytes; an incomplete character is kept in `rest`.
    private func convert(_ bytes: [UInt8]) -> [UInt8] {
        rest = []
        var bytes = bytes
        replaceControls(in: &bytes)
        if encoding == .utf8, let whole = validPart(of: bytes) { return whole }
        // One or two bytes become up to three.
        var output = [UInt8](repeating: 0, count: bytes.count * 4 + 16)
        var text: [UInt8] = []
        var start = 0
        while start < bytes.count {
            let (used, written, code) = convert(&bytes, from: start, to: &output)
            text += output.prefix(written)
            line += bytes[start..<start + used].count { $0 == 0x0A }
            start += used
            if code == 0 { break }
            if code == EINVAL, !isAtEnd {
                rest = Array(bytes[start...])
                break
            }
            if code == EINVAL { endsWithinCharacter = true }
            noteError()
            text += (encoding == .utf8 ? String(windows1252: bytes[start]) : "\u{FFFD}").utf8
            start += 1
        }
        return text
    }

    /// Returns the bytes up to an incomplete character, if all of them are valid UTF-8.
    private func validPart(of bytes: [UInt8]) -> [UInt8]? {
        let openCount = isAtEnd ? 0 : min(3, bytes.reversed().prefix { $0 >= 0x80 }.count)
        let whole = bytes.dropLast(openCount)
        guard whole.withUnsafeBufferPointer(JSONText.isUTF8) else { return nil }
        rest = Array(bytes.suffix(openCount))
        line += whole.withUnsafeBufferPointer(Self.lineCount)
        return openCount == 0 ? bytes : Array(whole)
    }

    /// Replaces control characters with blanks, and records their lines.
    private func replaceControls(in bytes: inout [UInt8]) {
        guard bytes.withUnsafeBufferPointer(Self.hasControls) else { return }
        let start = line
        for index in bytes.indices {
            if bytes[index] == 0x0A { line += 1 }
            guard Self.isControl(bytes[index]) else { continue }
            bytes[index] = 0x20
            noteError()
        }
        line = start
    }

    private static func hasControls(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.reduce(into: 0 as UInt8) { $0 |= controlFlag($1) } != 0
    }

    private static func lineCount(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        bytes.reduce(into: 0) { $0 &+= $1 == 0x0A ? 1 : 0 }
    }

    private static func isControl(_ byte: UInt8) -> Bool { controlFlag(byte) != 0 }

    /// Returns 1 for a control character, otherwise 0. It has no branch, so that the compiler processes many bytes at a
    /// time, which takes a tenth of the time.
    private static func controlFlag(_ byte: UInt8) -> UInt8 {
        (byte < 0x20 ? 1 : 0) & (byte != 0x09 ? 1 : 0) & (byte != 0x0A ? 1 : 0) & (byte != 0x0D ? 1 : 0)
    }

    /// Converts bytes up to an invalid one.
    ///
    /// - Returns: The number of bytes read and written, and the error code of the system; zero at the end.
    private func convert(
        _ bytes: inout [UInt8], from start: Int, to output: inout [UInt8]
    ) -> (used: Int, written: Int, code: Int32) {
        let (inputCount, outputCount) = (bytes.count - start, output.count)
        return bytes.withUnsafeMutableBytes { input in
            output.withUnsafeMutableBytes { output in
                var from = input.baseAddress.map { $0.assumingMemoryBound(to: CChar.self) + start }
                var to = output.baseAddress?.assumingMemoryBound(to: CChar.self)
                var (inputRest, outputRest) = (inputCount, outputCount)
                let result = iconv(converter, &from, &inputRest, &to, &outputRest)
                return (inputCount - inputRest, outputCount - outputRest, result == -1 ? errno : 0)
            }
        }
    }

    private func noteError() {
        // Each line is checked for control characters first, then for other errors.
        if lastError >= line { return }
        lastError = line
        encodingErrors = (encodingErrors.count + 1, encodingErrors.count == 0 ? line : encodingErrors.first)
    }
}
