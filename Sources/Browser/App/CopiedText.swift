internal import Storage

/// The file for copied text if the terminal has no clipboard; its name is always the same.
public struct CopiedText {
    /// The path of the file; nil if there is no directory for it.
    let path: String?

    /// Creates the file `copied.txt` in `directory`, at the first text.
    public init(directory: String? = nil) {
        path = directory.map { $0 + "/copied.txt" }
    }

    /// Writes `text` to the file and replaces its contents.
    ///
    /// - Returns: The path, abbreviated for messages; nil without a directory.
    /// - Throws: `FileError`.
    func keep(_ text: String) throws(FileError) -> String? {
        guard let path else { return nil }
        try AtomicFile(path: path).update { _ in Array(text.utf8) }
        return abbreviatedPath(path)
    }
}
