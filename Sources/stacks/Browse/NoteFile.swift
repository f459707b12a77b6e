internal import Browser
internal import Graphemes
internal import Library
internal import Text

/// Edits notes in the user's editor, in a temporary file that only the user can read.
enum NoteFile {
    /// Edits `note`; see `NoteEditor`.
    static func edit(_ note: String, title: String) -> NoteEditor.Outcome {
        do throws(CommandError) {
            let editor = try TextEditor.preferred()
            let header = header(title: title)
            let file = try EditedFile(header + "\n" + note, named: "note", suffix: ".md")
            defer { file.delete() }
            try TextEditor.edit(file.path, with: editor)
            return .text(text(in: try file.text(), without: header))
        } catch {
            return .problem(CommandMessage.noteUnchanged.text(error.sentence))
        }
    }

    /// Returns the first line of the file: the title in a Markdown comment.
    static func header(title: String) -> String {
        // Two hyphens would end the comment.
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
}
