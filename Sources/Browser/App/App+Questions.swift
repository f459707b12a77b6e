internal import Catalog
internal import Editing
internal import Library
internal import Remote

/// Questions of saves and servers.
extension App {
    /// Reloads the catalog; asks first if far fewer books would replace those that are shown.
    func reload() {
        let store = session.library.store
        if store.passwordProtected?.passwordQuestion != nil { return session.questions.add(.passwordToRead) }
        guard let smaller = store.mirrored?.smallerSource else { return session.reload() }
        let question = Message.replaceBySmaller.text(store.name, smaller.rows.of("row"), smaller.before.grouped)
        let verbs = ("show \(smaller.rows.of("row"))", "keep \(smaller.before.of("row"))")
        push(
            ConfirmDialog(question, below: top, self, verbs: verbs) { isConfirmed, app in
                if isConfirmed { app.session.reload() } else { app.session.status.say(.largerCopyKept, store.name) }
                return .none
            })
    }

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
