internal import Storage

/// Where text goes that the reader copied and that the terminal has no clipboard for: a file that is always the same.
public struct CopiedText {
    /// The file; nil where there is no place for one.
    let path: String?

    /// The file `copied.txt` in `directory`.
    public init(directory: String? = nil) {
        path = directory.map { $0 + "/copied.txt" }
    }

    /// Writes `text` to the file, in place of what was there.
    ///
    /// - Returns: Where it is, for people.
    /// - Throws: `FileError`.
    func keep(_ text: String) throws(FileError) -> String? {
        guard let path else { return nil }
        try AtomicFile(path: path).update { _ in Array(text.utf8) }
        return abbreviatedPath(path)
    }
}
