public import Editing
internal import Glibc
public import Storage

/// The catalog that comes with stacks. It never changes: users change a copy of it.
public struct SampleCatalog: Hashable, Sendable {
    /// The path of the file.
    private let path: String
    /// The directory of the journals of unsaved edits, if there is one.
    private let stateDirectory: String?
    /// The directory for the copy; nil for the current one.
    private let home: String?

    /// Refers to the file at `path`.
    ///
    /// - Parameters:
    ///   - stateDirectory: The directory for state, where unsaved edits are.
    ///   - home: The directory for the copy; nil for the current one.
    public init(path: String, stateDirectory: String?, home: String? = environmentValue("HOME")) {
        (self.path, self.stateDirectory, self.home) = (path, stateDirectory, home)
    }

    /// Returns whether `other` is a path of this file.
    public func isFile(at other: String) -> Bool { isSameFile(path, other) }

    /// The path for the next copy: a free name in the home directory, or in the current one if there is no home.
    public var pathOfCopy: String {
        let directory = home.map { $0.hasSuffix("/") ? $0 : $0 + "/" } ?? ""
        var (path, number) = (directory + "books.json", 1)
        while ReplacementFile.occupant(of: path) != nil {
            number += 1
            path = directory + "books-\(number).json"
        }
        return path
    }

    /// Copies the file to `target`, and moves its unsaved edits there.
    ///
    /// - Parameters:
    ///   - target: The path of the copy, where nothing is overwritten.
    ///   - edited: The opened catalog, if it has edits.
    /// - Throws: `FileError`; there is no copy then.
    public func copy(to target: String, with edited: EditedCatalog?) throws(FileError) {
        let input = try RandomAccessInput(path)
        let copy = try ReplacementFile(path: target)
        if let size = try input.fingerprint()?.size { try copy.append(0..<size, of: input) }
        try copy.complete(overwriting: false)
        guard let edited, let journal = EditedCatalog.journalPath(of: target, in: stateDirectory) else { return }
        do throws(FileError) {
            try edited.moveEdits(toCatalogAt: target, journalPath: journal)
        } catch {
            unlink(target)
            throw error
        }
    }

    /// The reason why a command does not change the file at `path`, which is this one, with the command that copies it.
    public func refusal(of path: String) -> String {
        Message.sampleNotChanged.text(
            abbreviatedPath(path), shellWord(absolutePath(path)), abbreviatedPath(pathOfCopy))
    }
}

/// Returns `text` as a word of a shell command.
private func shellWord(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "/._-+,:@%".utf8.contains(byte)
            || byte >= 0x80
    }
    return isPlain && !text.isEmpty ? text : "'" + text.replacing("'", with: "'\\''") + "'"
}
