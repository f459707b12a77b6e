internal import Glibc
internal import Storage
internal import Text

/// Opens the config file in the user's editor and then reports its errors.
struct ConfigEditor {
    /// The config file.
    let file: ConfigFile

    /// Edits the file; if it does not exist, creates it first with all settings in comments.
    ///
    /// - Returns: The exit status.
    func run() -> Int32 {
        do throws(CommandError) {
            guard let path = file.path else {
                throw CommandError(
                    sentence: ConfigMessage.noDirectory.text(),
                    exitStatus: ExitStatus.noInput)
            }
            let editor = try TextEditor.preferred()
            try make(path)
            try TextEditor.edit(path, with: editor)
        } catch {
            return error.report()
        }
        file.read().notices.forEach(printError)
        return 0
    }

    private func make(_ path: String) throws(CommandError) {
        if access(path, F_OK) == 0 { return }
        do throws(FileError) {
            // Another process may have created the file meanwhile.
            try AtomicFile(path: path).update { $0 == nil ? Array(ConfigTemplate.text.utf8) : nil }
        } catch {
            throw CommandError(
                sentence: ConfigMessage.notCreated.text(abbreviatedPath(error.path), error.cause),
                exitStatus: error.exitStatus(else: ExitStatus.cannotCreate))
        }
    }
}
