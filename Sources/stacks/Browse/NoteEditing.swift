internal import Browser
internal import Glibc
internal import Graphemes
internal import Library
internal import Storage

/// Edits notes in the user's editor, in a temporary file that only the user can read.
enum NoteEditing {
    /// Edits `note`; see `NoteEditor`.
    static func edit(_ note: String, title: String) -> NoteEditor.Outcome {
        do throws(CommandError) {
            let editor = try TextEditor.chosen()
            let header = header(title: title)
            let path = try make(with: header + "\n" + note)
            defer { unlink(path) }
            try TextEditor.edit(path, with: editor)
            return .text(text(in: try read(path), without: header))
        } catch {
            return .problem(Message.noteUnchanged.text(error.sentence))
        }
    }

    /// Returns the first line of the file: the title as a comment of Markdown.
    static func header(title: String) -> String {
        // A comment must not end early.
        "<!-- Note on \(title.sanitized.replacing("--", with: "—")) (this line is not saved) -->"
    }

    /// Returns the note in a file. Only the exact header is removed, so that no line of a note is ever lost.
    static func text(in content: String, without header: String) -> String {
        guard content == header || content.hasPrefix(header + "\n") || content.hasPrefix(header + "\r\n") else {
            return content
        }
        let rest = content.dropFirst(header.count)
        return String(rest.first?.isNewline == true ? rest.dropFirst() : rest)
    }

    /// Creates a temporary file with a note and returns its path.
    private static func make(with note: String) throws(CommandError) -> String {
        let directory = environmentValue("XDG_RUNTIME_DIR") ?? environmentValue("TMPDIR") ?? "/tmp"
        // Editors detect the type of the text by the extension.
        let suffix = ".md"
        var template = Array((directory + "/stacks-note-XXXXXX" + suffix).utf8CString)
        let descriptor = mkstemps(&template, Int32(suffix.utf8.count))
        let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        guard descriptor >= 0 else {
            throw CommandError(
                sentence: Message.cannotCreateIn.text(abbreviatedPath(directory), String(cString: strerror(errno))),
                exitStatus: ExitStatus.cannotCreate)
        }
        let bytes = Array((note.isEmpty ? "" : note + "\n").utf8)
        let written = write(descriptor, bytes, bytes.count)
        let isClosed = close(descriptor) == 0
        guard written == bytes.count, isClosed else {
            unlink(path)
            throw CommandError(
                sentence: Message.diskFull.text(abbreviatedPath(path)),
                exitStatus: ExitStatus.inputOutput)
        }
        return path
    }

    private static func read(_ path: String) throws(CommandError) -> String {
        do throws(FileError) {
            return String(decoding: try ReadOnlyFile.bytes(at: path), as: UTF8.self)
        } catch {
            throw CommandError(
                sentence: Message.editedFileUnreadable.text(abbreviatedPath(error.path), error.cause),
                exitStatus: ExitStatus.inputOutput)
        }
    }
}
