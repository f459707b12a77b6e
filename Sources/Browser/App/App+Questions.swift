internal import Catalog
internal import Editing
internal import Library

/// Questions of saves and servers.
extension App {
    /// Asks the next question once the main screen has the keyboard, and no command is incomplete: the keys that are
    /// being typed are not its answer.
    func askNextQuestion() {
        while top === main, !keys.isAwaitingMore, let question = session.questions.next() {
            if let screen = screen(asking: question) { push(screen) }
        }
    }

    /// Returns the screen that asks a question; nil if there is nothing to ask any more.
    private func screen(asking question: SessionQuestion) -> (any Screen)? {
        let store = session.library.store
        switch question {
        case .passwordToRead:
            guard let source = store.passwordProtected, let question = source.passwordQuestion else { return nil }
            return PasswordDialog(question, for: LockedForReading(source: source))
        case .passwordToSave:
            guard let question = store.edited?.passwordQuestion else { return nil }
            return PasswordDialog(question, for: LockedForSaving(session: session))
        case .clashes:
            guard let edited = store.edited, !edited.clashes.isEmpty else { return nil }
            return ClashScreen(clashes: edited.clashes, isOnServer: edited.isOnServer) { choose, app in
                app.session.resolveClashes(choose)
            }
        }
    }
}
