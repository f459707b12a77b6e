internal import Books
internal import Library
internal import TerminalUI

/// Making the changes of a form, with what was found elsewhere or is replaced.
extension BookForm {
    // MARK: - Locked fields

    /// Edits the current field; if it is locked, once the user confirms that all books get the same value.
    func unlocking(_ app: App, _ edit: @escaping (BookForm) -> Void) {
        guard fields[current].isLocked else { return edit(self) }
        let name = fields[current].label.uncapitalized
        app.push(
            ConfirmDialog(
                Message.sameValueForAll.text(subject, name), below: self, app, verbs: ("unlock", "keep")
            ) { [weak self] isConfirmed, _ in
                app.session.status.clear()
                guard isConfirmed, let self else { return .none }
                fields[current].unlock()
                edit(self)
                return .none
            })
    }

    // MARK: - Accepting and cancelling

    func accepted(_ app: App) -> Effect { accepted(app, savingThen: false) }

    /// Checks all fields and makes the changes.
    ///
    /// - Parameter isSaved: Whether the catalog is saved afterwards.
    func accepted(_ app: App, savingThen isSaved: Bool) -> Effect {
        leave()
        if isNew, let title = fields.firstIndex(where: { $0.field == .title }), current != title, fields[title].isEmpty
        {
            // A scanner ends an ISBN with Enter.
            current = title
            return .none
        }
        return make(nil, app, savingThen: isSaved)
    }

    /// Checks all fields and makes the changes, with a replacement in the values of one field, if any.
    @discardableResult
    private func make(_ replacement: FieldTransform?, _ app: App, savingThen isSaved: Bool = false) -> Effect {
        for index in fields.indices {
            fields[index].forgetRefusal()
            fields[index].check(isNeeded: isNew && fields[index].field == .title)
        }
        if let index = fields.firstIndex(where: { $0.problem != nil }) {
            reveal(index)
            return .none
        }
        var changes = BookFormChanges(replacement: replacement, isSaved: isSaved)
        for field in fields where field.isTouched {
            // The value was just checked, so `value()` does not throw; nil clears the field.
            changes.values.updateValue(try? field.value(), forKey: field.field)
        }
        if changes.isEmpty {
            app.close(self)
            app.session.status.say(.unchanged, subject)
            return isSaved ? app.perform(CommandRequest(command: .saveCatalog)) : .none
        }
        guard let problem = accept(changes, app) else {
            app.close(self)
            return .none
        }
        if let index = fields.firstIndex(where: { $0.field == problem.field }) {
            fields[index].refuse(problem.sentence)
            reveal(index)
        } else {
            refusal = problem.sentence
        }
        return .none
    }

    // MARK: - Replacing

    /// Asks what is replaced in the values of the current field, and shows what that would do.
    func replace(_ app: App) {
        guard let preview else { return }
        leave()
        // The preview is of the replacement alone.
        guard !fields.contains(where: \.isTouched) else { return refusal = Message.replacingNeedsUnchangedForm.text() }
        let field = fields[current].field
        app.push(
            ReplaceBar(in: field, below: self) { [weak self] transform, app in
                func show(_ form: BookForm?) {
                    guard let form, let task = preview(transform) else { return }
                    let screen = ReplacePreview(in: field, task) { [weak form] app in form?.make(transform, app) }
                    screen.receive(in: app.session, waiting: app.session.books.timeBudget)
                    app.push(screen)
                }
                if transform.isSameForAll { self?.unlocking(app, show) } else { show(self) }
            })
    }

    /// Closes the form; asks first if a field was changed.
    func cancelled(_ app: App) {
        guard fields.contains(where: \.isTouched) else { return app.close(self) }
        app.push(
            ConfirmDialog(Message.discardChanges.text(), below: self, app, verbs: ("discard", "keep")) {
                [weak self] isConfirmed, app in
                if isConfirmed, let self { app.close(self) }
                return .none
            })
    }
}
