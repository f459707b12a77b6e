internal import Catalog
internal import Editing
internal import Glibc
internal import Indexing
internal import Library
internal import Remote
internal import Storage
internal import Text

/// The treatment of unsaved edits that the browser keeps.
enum UnsavedEdits {
    /// The books are those of the file.
    case ignored
    /// The books include the edits, if there are any, and the user is told.
    case included
    /// The books include the edits and can be edited.
    case kept
    /// The books are those of the file and can be edited there, without becoming unsaved edits.
    case direct
}

/// An open catalog with notices about opening it.
struct OpenedCatalog {
    /// The path as given by the user; "-" is standard input.
    let path: String
    /// The file, read as far as needed for a screen; nil if the books stay on a server.
    let file: JSONFileCatalog?
    /// The catalog whose books stay on a server, if it is one.
    let paged: PagedCatalog?
    /// The books of the file.
    private(set) var store: BookStore
    /// The path of the journal of the edits; nil if there is no directory for it, or the catalog is a pipe.
    let editJournalPath: String?
    /// The passwords for the server of the catalog, if it has one.
    let passwords: ServerPasswords?
    /// Whether to tell the user about unsaved edits.
    private let reportsEdits: Bool
    /// The profiles that were available.
    let profiles: ProfileLibrary
    /// The notices for the user.
    private(set) var notices: [String]
    /// The notices about profiles that were skipped.
    let profileNotices: [String]

    /// Creates the catalog of opened books, with the unsaved edits that belong to them.
    init(
        name: CatalogName, content: CatalogOpener.Content, edits: UnsavedEdits, in directories: Directories,
        profiles: ProfileLibrary, notices: [String], profileNotices: [String]
    ) {
        (path, passwords, self.profiles) = (name.path, name.passwords, profiles)
        (self.notices, self.profileNotices) = (notices, profileNotices)
        let (journal, isDirect): (String?, Bool)
        switch content {
        case .server(let paged):
            (self.paged, file, editJournalPath, reportsEdits) = (paged, nil, nil, false)
            store = BookStore(source: paged)
            return
        case .file(let file):
            (self.file, paged) = (file, nil)
            journal =
                RandomAccessInput.isPipe(file.path)
                ? nil : EditedCatalog.journalPath(of: file.path, in: directories.state)
            isDirect = edits == .direct
            let edited = Self.included(EditedCatalog(file, journalPath: journal, isDirect: isDirect), edits, journal)
            store = BookStore(source: edited ?? file)
        case .copy(let copy):
            (file, paged) = (copy.file, nil)
            journal = EditedCatalog.journalPath(
                of: name.isAddress ? path : copy.file.path, in: directories.state)
            isDirect = edits == .direct
            // Only a server takes changes: a file of another format stays as it is.
            let edited =
                name.isAddress
                ? Self.included(
                    EditedCatalog(copy.mirror, journalPath: journal, isDirect: isDirect), edits, journal) : nil
            store = BookStore(source: edited ?? copy.mirror)
        }
        editJournalPath = journal
        reportsEdits = edits == .included
        if let sentence = sentenceOfMissingTitles { self.notices.append(sentence) }
    }

    /// The advice for a catalog in which most of the first books have no title, as if their titles were not recognized;
    /// nil for others.
    private var sentenceOfMissingTitles: String? {
        let sampled = min(store.index.count, Self.sampledCount)
        let missing = (0..<sampled).count { number in
            var lines = store.index.text(at: number)
            return lines.next()?.content.isEmpty ?? true
        }
        guard missing * 2 > sampled else { return nil }
        return CommandMessage.titlesMissing.text(
            shownPath, missing.grouped, "the first \(sampled.of("book"))", "stacks profiles new \(path.asArgument)")
    }

    /// The number of books, about a screenful, whose titles are looked at.
    private static let sampledCount = 40

    /// Returns the catalog with its unsaved edits; nil if there are none to include or keep.
    private static func included(
        _ edited: @autoclosure () -> EditedCatalog, _ edits: UnsavedEdits, _ journal: String?
    ) -> EditedCatalog? {
        if edits == .ignored { return nil }
        if edits == .included && journal.map({ access($0, F_OK) != 0 }) ?? true { return nil }
        let edited = edited()
        if edits == .included && !edited.hasPendingEdits { return nil }
        // A small file is fully loaded already.
        edited.receiveFile()
        return edited
    }

    /// Reads all remaining books and shows the progress; applies the unsaved edits and reports them.
    func readRest() {
        file?.readRestShowingProgress()
        store.mirrored?.waitForCopy()
        if let news = store.mirrored?.takeNews() { printError(news.sentence(of: shownPath)) }
        guard let edited = store.edited else { return }
        edited.receiveFile()
        store.forgetBooks()
        guard reportsEdits else { return }
        // Edits that clash are not applied.
        let includedCount = edited.unsavedCount - edited.clashes.count
        if includedCount > 0 {
            printError(CommandMessage.unsavedIncluded.text(includedCount.of("unsaved change"), shownPath))
        }
        if !edited.clashes.isEmpty {
            printError(
                CommandMessage.unsavedClash.text(
                    edited.clashes.count.of("unsaved change"), shownPath,
                    edited.isOnServer ? "on the server" : "on disk"))
        }
    }

    /// Replaces the books of a server by those that were read from it.
    mutating func show(_ books: InMemoryCatalog) { store = BookStore(source: books) }

    /// Whether the browser keeps unsaved edits of the file.
    var hasUnsavedEdits: Bool {
        guard let file, let editJournalPath, access(editJournalPath, F_OK) == 0 else { return false }
        return EditedCatalog(file, journalPath: editJournalPath).hasPendingEdits
    }

    /// The name of the catalog in messages.
    var shownPath: String { RandomAccessInput.shownPath(path) }

    /// The name of the catalog with a summary of its defects; nil if there are none.
    var defects: String? { store.defects.sentence.map { "\(shownPath): \($0)" } }
}
