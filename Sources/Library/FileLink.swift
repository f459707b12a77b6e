internal import Glibc
internal import Storage

/// A link to a file of a book, such as an EPUB, in the calibre library that is open.
///
/// The names of files come from the catalog. Therefore only files below the directory of the library are opened, and only
/// those in formats of books, which programs show and do not run.
public struct FileLink: Hashable, Sendable {
    /// Why a file is not opened.
    public enum Refusal: Error, Hashable {
        /// It cannot be found; the error number (errno(3)).
        case missing(Int32)
        /// It is not below the directory of the library: a symbolic link leads out of it.
        case outside
        /// It is a directory or a device, or its name is not that of a book once symbolic links are resolved.
        case notBook
        /// It can be run as a program.
        case executable
    }

    /// The path below the directory of the library.
    public let text: String

    /// The format of the file by the ending of its name: "EPUB".
    var format: String { text.split(separator: ".").last.map { $0.uppercased() } ?? text }

    private let directory: String

    /// The formats of books that are opened, as the endings of file names. What programs may run rather than show, such as
    /// HTML and archives, is left out.
    private static let formats: Set<String> = [
        "azw", "azw1", "azw3", "azw4", "cb7", "cbc", "cbr", "cbt", "cbz", "chm", "djv", "djvu", "doc", "docx", "epub",
        "fb2", "fbz", "kepub", "kfx", "lit", "lrf", "m4a", "m4b", "md", "mobi", "mp3", "odt", "opus", "oxps", "pdb",
        "pdf",
        "prc", "rtf", "snb", "tcr", "txt", "txtz", "xps",
    ]

    /// Creates a link to the file at `path`; fails if the path is not below `directory`, or its ending is not that of a
    /// format of books.
    public init?(_ path: some StringProtocol, below directory: String) {
        let start = directory.hasSuffix("/") ? directory : directory + "/"
        guard start.hasPrefix("/"), path.hasPrefix(start) else { return nil }
        let rest = path.dropFirst(start.count)
        let isPlain = rest.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
            !["", ".", ".."].contains($0)
        }
        guard isPlain, Self.isBook(rest) else { return nil }
        (text, self.directory) = (String(rest), start)
    }

    private static func isBook(_ path: some StringProtocol) -> Bool {
        guard let dot = path.lastIndex(of: ".") else { return false }
        return formats.contains(path[path.index(after: dot)...].lowercased())
    }

    /// Returns the URL of the file (RFC 8089) as it is now, with symbolic links resolved, in visible ASCII characters
    /// that no shell interprets. Blocks as long as the file system does.
    ///
    /// - Throws: `Refusal` if the file must not be opened.
    public func url() throws(Refusal) -> String {
        guard let root = resolvedPath(directory), let path = resolvedPath(directory + text) else {
            throw .missing(errno)
        }
        guard path.hasPrefix(root == "/" ? root : root + "/") else { throw .outside }
        guard isRegularFile(path), Self.isBook(path) else { throw .notBook }
        if access(path, X_OK) == 0 { throw .executable }
        return "file://" + path.utf8.map(Self.encoded).joined()
    }

    private static func encoded(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            String(UnicodeScalar(byte))
        default: "-._~/".utf8.contains(byte) ? String(UnicodeScalar(byte)) : byte.percentEncoded
        }
    }
}
