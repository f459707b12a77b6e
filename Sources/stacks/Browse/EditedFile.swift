internal import Glibc
internal import Library
internal import Storage
internal import Text

/// A temporary file for the user's editor, which only the user can read.
struct EditedFile {
    /// The path of the file.
    let path: String

    /// Creates the file with `text`.
    ///
    /// - Parameter suffix: The file extension, by which editors detect the type of the text.
    init(_ text: String, named name: String, suffix: String) throws(CommandError) {
        let directory = environmentValue("XDG_RUNTIME_DIR") ?? environmentValue("TMPDIR") ?? "/tmp"
        var template = Array((directory + "/stacks-\(name)-XXXXXX" + suffix).utf8CString)
        let descriptor = mkstemps(&template, Int32(suffix.utf8.count))
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        guard descriptor >= 0 else {
            throw CommandError(
                sentence: CommandMessage.cannotCreateIn.text(
                    abbreviatedPath(directory), String(cString: strerror(errno))),
                exitStatus: ExitStatus.cannotCreate)
        }
        let bytes = Array((text + "\n").utf8)
        let written = write(descriptor, bytes, bytes.count)
        let isClosed = close(descriptor) == 0
        guard written == bytes.count, isClosed else {
            unlink(path)
            throw CommandError(
                sentence: CommandMessage.diskFull.text(abbreviatedPath(path)),
                exitStatus: ExitStatus.inputOutput)
        }
    }

    /// Returns the edited text.
    func text() throws(CommandError) -> String { String(decoding: try bytes(), as: UTF8.self) }

    /// Returns the edited bytes.
    func bytes() throws(CommandError) -> [UInt8] {
        do throws(FileError) {
            return Array(try ReadOnlyFile.bytes(at: path))
        } catch {
            throw CommandError(
                sentence: CommandMessage.editedFileUnreadable.text(abbreviatedPath(error.path), error.cause),
                exitStatus: ExitStatus.inputOutput)
        }
    }

    /// Deletes the file.
    func delete() { unlink(path) }
}
