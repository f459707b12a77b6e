internal import CSystem
internal import Glibc

/// The completion of a typed path by the files in its directory.
public struct PathCompletion: Hashable, Sendable {
    /// The directory as it is typed, with the slash at its end.
    public let directory: String
    /// The beginning of the name after it.
    public let beginning: String

    /// A file in a directory.
    public struct File: Hashable, Sendable {
        /// The name.
        public let name: String
        /// Whether it is a directory.
        public let isDirectory: Bool
    }

    /// Divides a path that is typed.
    public init(_ text: String) {
        let text = text == "~" ? "~/" : text
        let end = text.lastIndex(of: "/").map { text.index(after: $0) } ?? text.startIndex
        (directory, beginning) = (String(text[..<end]), String(text[end...]))
    }

    /// Whether a text is a path, and neither a word nor an address.
    public static func isPath(_ text: String) -> Bool {
        text == "~" || text.contains("/") && text.firstRange(of: "://") == nil
    }

    /// The path of the directory, with the home directory in place of a tilde.
    public var expandedDirectory: String { expandedPath(directory) }

    /// Whether the name of a file begins as the typed one does.
    public func accepts(_ file: File) -> Bool { file.name.hasPrefix(beginning) }

    /// Returns the path of a file in the directory.
    public func path(of file: File) -> String { expandedDirectory + file.name }

    /// Returns the line in which the name of a file is complete.
    public func text(of file: File) -> String { directory + file.name + (file.isDirectory ? "/" : "") }

    /// Returns the files in the directory at `path` that are not hidden, in the order of their names; none if it cannot be
    /// read. Asks the disk for each file.
    public static func files(in path: String) -> [File] {
        let names = (try? fileNames(inDirectory: path)) ?? []
        return names.map { name in
            var status = stat()
            let isKnown = stat(path + name, &status) == 0
            return File(name: name, isDirectory: isKnown && status.st_mode & S_IFMT == S_IFDIR)
        }
    }
}
