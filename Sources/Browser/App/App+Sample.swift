internal import Editing
internal import Library
internal import Storage

/// The sample, which is changed in a copy.
extension App {
    /// Asks whether to change a copy, if `request` would change the sample.
    ///
    /// - Returns: False if it would not.
    func offersCopy(insteadOf request: CommandRequest) -> Bool {
        let edited = session.library.store.edited
        // Without edits, nothing is saved.
        if request.command == .saveCatalog, edited?.unsavedCount == 0 { return false }
        guard let sample = session.services.sample, sample.isFile(at: session.catalogPath) else { return false }
        let path = sample.pathOfCopy
        let question = Message.copySample.text(abbreviatedPath(path))
        push(
            ConfirmDialog(question, below: top, self, verbs: ("copy", "cancel")) { isConfirmed, app in
                isConfirmed ? app.change(request, inCopyOf: sample, at: path) : .none
            })
        return true
    }

    /// Copies the sample, opens the copy and performs `request` there.
    private func change(_ request: CommandRequest, inCopyOf sample: SampleCatalog, at path: String) -> Effect {
        do throws(FileError) {
            try sample.copy(to: path, with: session.library.store.edited)
        } catch {
            let sentence = Message.catalogNotMade.text(abbreviatedPath(path), error.cause)
            session.status.say(sentence.prefix(1).uppercased() + sentence.dropFirst())
            return .none
        }
        let next = NextCatalog(
            copyAt: path, notice: Message.sampleCopied.text(abbreviatedPath(path)), request: request,
            selected: session.books.keysOfSelectedBooks())
        return OpeningProgress.begin(next, self)
    }
}
