internal import Books
internal import Editing
internal import Library
internal import TerminalUI
internal import Threading

/// The unsaved changes of the catalog: the books with their changed fields, and the difference that saving makes to the
/// file.
final class ChangesScreen: TextScreen {
    /// Opens the screen.
    static let opener = ScreenOpener(context: .changes) { app in
        let session = app.session
        guard let edited = session.library.store.edited, edited.unsavedCount > 0 else {
            session.status.say(.nothingToSave)
            return nil
        }
        guard let fork = edited.fork else {
            session.status.say(session.sentence(of: .loading))
            return nil
        }
        return ChangesScreen(session, fork)
    }

    let context = CommandContext.changes
    let view = TextView()
    private let session: Session
    private let name: String
    private var task: BackgroundTask<Report>?

    /// What is shown.
    private struct Report: Sendable {
        var changes: UnsavedChanges
        /// The lines of the difference, and whether they are all.
        var difference: Result<(lines: [String], isWhole: Bool), CatalogEditError>
    }

    /// The maximum number of books that are listed, of changes of the file, and of bytes of a line.
    private static let (listedCount, changeCount, lineLength) = (500, 500, 4000)

    private init(_ session: Session, _ fork: EditedCatalog.Fork) {
        self.session = session
        name = session.catalogPath.split(separator: "/").last.map(String.init) ?? session.catalogPath
        begin(fork)
    }

    /// Starts to collect the changes, in the background if that takes longer than a frame.
    private func begin(_ fork: EditedCatalog.Fork) {
        let name = name
        task = BackgroundTask(notifying: session.wake) { isCancelled in
            let catalog = EditedCatalog(fork)
            let changes = catalog.unsavedChanges(unless: isCancelled)
            if isCancelled() { return nil }
            let difference = Result { () throws(CatalogEditError) in
                let part = try UnifiedDiff(of: try catalog.arrangement(), path: name).part(limit: Self.changeCount)
                let lines = part.text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
                return (lines: lines.map(Self.shown), isWhole: part.isWhole)
            }
            return Report(changes: changes, difference: difference)
        }
        view.paragraphs = [.init(Message.collectingChanges.text(), style: .secondary)]
        _ = task?.wait(milliseconds: session.books.timeBudget)
        receive()
    }

    private func receive() {
        guard let report = task?.value else { return }
        task = nil
        view.paragraphs = Self.paragraphs(of: report)
    }

    func heading(_ app: App) -> Heading { Heading(title: "Unsaved changes", position: view.positionText) }

    func perform(_ request: CommandRequest, _ app: App) -> Response {
        switch request.command {
        case .move(let motion): motion.apply(to: view, count: request.count)
        case .saveCatalog:
            app.close(self)
            session.saveCatalog()
        default: return .ignored
        }
        return .done
    }

    func sessionChanged(_ changes: SessionChanges, _ app: App) {
        if changes.contains(.background) { receive() }
        // Another window may have changed the books, too.
        guard changes.contains(.reloaded) else { return }
        if let edited = session.library.store.edited, edited.unsavedCount > 0, let fork = edited.fork {
            task?.cancel()
            begin(fork)
        } else {
            app.close(self)
        }
    }

    func closed(_ app: App) { task?.cancel() }

    // MARK: - Text

    private static func paragraphs(of report: Report) -> [TextView.Paragraph] {
        let changes = report.changes
        var paragraphs: [TextView.Paragraph] = [.init(changes.summary, style: .strong)]
        paragraphs += changes.items.prefix(listedCount).map { .init($0.shownTitle, label: $0.kind.text) }
        if changes.items.count > listedCount {
            let others = (changes.items.count - listedCount).of("more book")
            paragraphs.append(.init(Message.othersNotShown.text(others), style: .secondary))
        }
        paragraphs.append(.init(""))
        switch report.difference {
        case .success(let difference):
            paragraphs += difference.lines.map { line in
                .init(line, style: line.hasPrefix("+") ? .strong : line.hasPrefix("-") ? .plain : .secondary)
            }
            if !difference.isWhole {
                paragraphs.append(.init(Message.othersNotShown.text("more changes"), style: .secondary))
            }
        case .failure(let error): paragraphs.append(.init(error.sentence(changing: "the file"), style: .warning))
        }
        return paragraphs
    }

    /// Returns a line as it is shown, without the line end of Windows and with blanks for tabs.
    private static func shown(_ line: ArraySlice<UInt8>) -> String {
        let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        return String(decoding: line.prefix(lineLength), as: UTF8.self).replacing("\t", with: "    ")
    }
}

extension UnsavedChanges {
    /// The numbers of changed, added, deleted and moved books, and the changed fields.
    fileprivate var summary: String {
        if isOnlyOrder { return Message.changesSorted.text() }
        var counts: [Item.Kind.Name: Int] = [:]
        for item in items { counts[item.kind.name, default: 0] += 1 }
        let parts = Item.Kind.Name.allCases.compactMap { name in
            counts[name].map { "\($0.of("book")) \(name.rawValue)" }
        }
        let names = fields.map(\.info.label).joined(separator: ", ")
        return parts.joined(separator: " · ") + (names.isEmpty ? "" : ": \(names)")
    }
}

extension UnsavedChanges.Item {
    fileprivate var shownTitle: String { title.isEmpty ? "(no title)" : title }
}

extension UnsavedChanges.Item.Kind {
    fileprivate enum Name: String, CaseIterable {
        case changed, added, deleted, moved
    }

    fileprivate var name: Name {
        switch self {
        case .changed: .changed
        case .added: .added
        case .deleted: .deleted
        case .moved: .moved
        }
    }

    /// The changed fields, or what happened to the book.
    fileprivate var text: String {
        guard case .changed(let fields) = self, !fields.isEmpty else { return name.rawValue }
        return fields.map(\.info.label).joined(separator: ", ")
    }
}
