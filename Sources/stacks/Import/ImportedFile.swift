internal import Catalog
internal import ConnectorProtocol
internal import Glibc
internal import JSON
internal import Library
internal import Remote
internal import Storage
internal import Text

/// A text file to import.
struct ImportedFile {
    /// The name of the file in messages.
    let shownPath: String
    /// The name of the file without its directories.
    var name: String { shownPath.split(separator: "/").last.map { String($0) } ?? shownPath }
    /// The text in UTF-8 without a byte-order mark.
    let bytes: [UInt8]
    /// The first line that is not UTF-8, whose bytes were therefore read as Windows-1252; nil for UTF-8.
    let foreignLine: Int?
    /// Whether only such bytes were read as Windows-1252, and not the whole file.
    let isMostlyUTF8: Bool
    /// The encoding in which the text was, if it was detected and is not UTF-8.
    private(set) var detectedEncoding: String?

    /// Reads the file at `path`; "-" is standard input.
    ///
    /// - Parameter encoding: The encoding of the text as the user names it; nil to detect it.
    init(at path: String, in encoding: String?) throws(CommandError) {
        var bytes = try Self.bytes(at: path)
        if bytes.starts(with: "SQLite format 3\0".utf8) {
            // The connector program converts a database that stacks has exported to JSON Lines.
            let name = CatalogName(path: path, passwords: nil)
            if let copy = try ForeignSource.copy(of: name) { bytes = try Self.bytes(at: copy) }
        }
        let shownPath = RandomAccessInput.shownPath(path)
        if encoding != nil || Self.isForeign(bytes), let program = ConnectorProgram(in: .ofEnvironment()) {
            try self.init(bytes, in: encoding, by: program, shownPath: shownPath)
        } else {
            try self.init(bytes, shownPath: shownPath)
        }
    }

    /// Creates a file from its bytes, which the connector program converts from another encoding.
    private init(
        _ bytes: [UInt8], in encoding: String?, by program: ConnectorProgram, shownPath: String
    ) throws(CommandError) {
        let file: ConvertedFile
        do throws(ConnectorFailure) {
            file = try ConvertedFile(bytes, in: encoding, by: program)
        } catch {
            throw error.commandError(opening: shownPath)
        }
        if let syntaxError = file.bytes.firstRange(of: Array("\u{FFFD}".utf8)) {
            let line = 1 + file.bytes[..<syntaxError.lowerBound].count { $0 == UInt8(ascii: "\n") }
            throw CommandError(
                sentence: CommandMessage.wrongEncoding.text(shownPath, String(line), file.encoding),
                exitStatus: ExitStatus.badData)
        }
        try self.init(file.bytes, shownPath: shownPath)
        if encoding == nil { detectedEncoding = file.encoding }
    }

    /// Whether a text is in another encoding than UTF-8, but for a few bytes.
    private static func isForeign(_ bytes: [UInt8]) -> Bool {
        let isUTF16 = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
        return isUTF16 || String(validating: bytes, as: UTF8.self) == nil && !JSONText.isMostlyUTF8(bytes[...])
    }

    /// Creates a file from its bytes.
    ///
    /// - Throws: `CommandError` if the bytes are not text.
    init(_ bytes: [UInt8], shownPath: String) throws(CommandError) {
        self.shownPath = shownPath
        func refuse(_ sentence: String) -> CommandError {
            CommandError(sentence: "\(shownPath)\(sentence)", exitStatus: ExitStatus.badData)
        }
        if bytes.isEmpty {
            throw refuse(" is empty. Import an export of stacks, Goodreads or StoryGraph, or a list of ISBNs")
        }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            throw refuse(" is UTF-16 text. Save it as UTF-8")
        }
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        if String(validating: text, as: UTF8.self) != nil {
            self.bytes = text
            (foreignLine, isMostlyUTF8) = (nil, true)
            return
        }
        let line = Self.firstForeignLine(of: text)
        isMostlyUTF8 = JSONText.isMostlyUTF8(text)
        var converted: [UInt8] = []
        converted.reserveCapacity(text.count + text.count / 8)
        var index = 0
        while index < text.count {
            let length = isMostlyUTF8 || text[index] < 0x80 ? Self.characterLength(at: index, in: text) : nil
            if length == nil, !isMostlyUTF8, [0x81, 0x8D, 0x8F, 0x90, 0x9D].contains(text[index]) {
                throw refuse(", line \(line) is neither UTF-8 nor Windows-1252. Save the file as UTF-8")
            }
            converted += length.map { text[index..<index + $0] } ?? Array(String(windows1252: text[index]).utf8)[...]
            index += length ?? 1
        }
        self.bytes = converted
        foreignLine = line
    }

    /// Returns the number of bytes of the character of UTF-8 at an index; nil if there is none.
    private static func characterLength(at index: Int, in text: [UInt8]) -> Int? {
        if text[index] < 0x80 { return 1 }
        return (2...4).first {
            index + $0 <= text.count && String(validating: text[index..<index + $0], as: UTF8.self) != nil
        }
    }

    /// Reads the bytes of the file at `path`; "-" is standard input.
    static func bytes(at path: String) throws(CommandError) -> [UInt8] {
        do throws(FileError) {
            return path == "-" ? try bytesOfStandardInput() : try ReadOnlyFile.bytes(at: path)
        } catch {
            let shown = RandomAccessInput.shownPath(path)
            if error.isMissing {
                throw CommandError(
                    sentence: CommandMessage.noImportFile.text(shown),
                    exitStatus: ExitStatus.noInput)
            }
            throw CommandError(
                sentence: CommandMessage.importUnreadable.text(shown, error.cause),
                exitStatus: error.isForbidden
                    ? ExitStatus.noPermission : error.code == EIO ? ExitStatus.inputOutput : ExitStatus.noInput)
        }
    }

    private static func bytesOfStandardInput() throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(STDIN_FILENO, &piece, piece.count)
            if count == 0 { return bytes }
            if count > 0 {
                bytes += piece[..<count]
            } else if errno != EINTR {
                throw FileError(path: "standard input", operation: .read, code: errno)
            }
        }
    }

    private static func firstForeignLine(of bytes: [UInt8]) -> Int {
        // No UTF-8 sequence contains a line feed.
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return 1 + (lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0)
    }
}
