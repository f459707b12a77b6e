internal import Books
internal import Catalog
internal import Editing
internal import Graphemes
internal import Indexing
internal import Library
internal import Remote
internal import Search
internal import TerminalUI
internal import Threading

/// The scope that is empty if the open list has no rows.
enum Emptiness {
    /// The catalog has no books, so no list has any.
    case catalog
    /// The list has no books.
    case list
    /// The search finds no book of the list.
    case search
}

/// A search without results: the reason, and whether a suggestion can be accepted.
struct EmptySearch {
    /// The search and its diagnosis; nil if the last search found something.
    var diagnosis: (query: Query, result: BackgroundTask<NoResultsDiagnosis>)?
    /// Whether Tab accepts a suggestion, because the search bar is open.
    var acceptsSuggestions = false
    /// The number of the catalog's own fields in which the diagnosis has looked.
    var columnCount = 0

    /// Stops the diagnosis.
    mutating func cancel() {
        diagnosis?.result.cancel()
        diagnosis = nil
    }
}

/// The text that replaces the rows of an empty list.
extension BookListModel {
    /// The diagnosis of the last search, if it found nothing.
    var diagnosis: (query: Query, result: BackgroundTask<NoResultsDiagnosis>)? { emptySearch.diagnosis }

    /// Whether Tab accepts a suggestion, because the search bar is open.
    var acceptsSuggestions: Bool {
        get { emptySearch.acceptsSuggestions }
        set {
            emptySearch.acceptsSuggestions = newValue
            if table.rowCount == 0 { table.placeholder = placeholder }
        }
    }

    /// The scope that is empty; nil if the list has rows or may still get some.
    var emptiness: Emptiness? {
        if table.rowCount > 0 || progress != nil { return nil }
        if request.query.expression != .everything { return .search }
        if library.store.state.isLoading { return nil }
        return list == .all ? .catalog : .list
    }

    /// The text that replaces the rows, with the keys that fill the list.
    var placeholder: String {
        let query = request.query
        if isOpeningSavedSearch { return Message.searching.text() }
        if progress == .readingFields { return Message.readingFields.text() }
        if query.expression == .everything { return placeholder(of: list) }
        if let impossibility = query.impossibility { return impossibility }
        guard progress == nil else { return Message.searching.text() }
        guard let diagnosis, diagnosis.query == query, let found = diagnosis.result.value else {
            return Message.noMatch.text()
        }
        return found.sentence(of: query, acceptingKey: acceptsSuggestions ? Key.tab.label : nil)
    }

    /// Returns the text for a list without books, with the key that fills it.
    func placeholder(of list: NamedList) -> String {
        func key(_ command: Command) -> String { (settings.keys ?? .standard).firstLabel(of: command) }
        return switch list.kind {
        case .all where library.store.mirrored?.connectingHost != nil:
            Message.connecting.text(library.store.mirrored?.connectingHost?.sanitized ?? "")
        case .all where library.store.mirrored?.problem != nil: Message.notRead.text(key(.reload))
        case .all:
            library.store.edited == nil
                ? Message.noBooksInCatalog.text() : Message.noBooksToStartWith.text(key(.addBook))
        case .favourites: Message.noFavourites.text(key(.favourite))
        case .status(let status): Message.emptyList.text(key(.status(status)))
        case .upNext where library.store.state.isLoading: Message.searching.text()
        case .upNext: Message.nothingUpNext.text(key(.status(.toRead)))
        case .shelf: Message.emptyShelf.text(key(.putOnShelf))
        case .query: Message.savedSearchFindsNothing.text(key(.lists))
        case .tidyUp: Message.nothingToTidyUp.text(key(.lists))
        }
    }

    /// The columns of the texts that only this catalog has, in which the words may stand; those that are still being made
    /// are missing.
    private var columnsOfTexts: FieldColumns {
        let fields = library.store.schema.described.filter { $0.info.own?.kind.isNumeric == false }
        if fields.isEmpty { return [:] }
        let waiting = library.store.index.count <= 50_000 ? timeBudget : 0
        return library.columns(of: Set(fields), waiting: waiting, notifying: pipeline.notify) ?? library.columnsAtHand()
    }

    /// Determines in the background why the search found nothing.
    func diagnose() {
        let query = request.query
        guard library.store.remote == nil, pipeline.list.count == 0, progress == nil, query.expression != .everything
        else { return emptySearch.cancel() }
        let columns = columnsOfTexts
        if diagnosis?.query == query, emptySearch.columnCount == columns.count { return }
        emptySearch.cancel()
        emptySearch.columnCount = columns.count
        let (scope, userData) = (pipeline.scope(with: columns), library.userDataFilter)
        let result = BackgroundTask(notifying: pipeline.notify) { isCancelled in
            NoResultsDiagnosis(of: query, in: scope, userData: userData, isStopped: isCancelled)
        }
        emptySearch.diagnosis = (query, result)
        if library.store.index.count <= 50_000 { _ = result.wait(milliseconds: timeBudget) }
    }
}
