/// All messages of the status line and all errors of the command line, without the full stop, which the command line adds.
///
/// A placeholder in braces stands for a value: `{count}` and `{row}` are numbers, `{key}` is the label of a key, `{books}` is
/// a title or a number of books, `{reason}` is a sentence of the operating system.
public enum Message: String, CaseIterable, Sendable {
    // MARK: - Keys and commands

    case keyNotBound = "{key} is not bound. Press {key} for all keys"
    case keyNotBoundHere = "{key} does nothing here. Press {key} for all keys"
    case commandUnavailable = "“{name}” is not available here"
    case interruptAgain = "Press {key} again to quit"
    case pipeCannotReload = "A catalog from standard input cannot be reloaded"
    case needsLocalIndex = "Not available for a catalog on a server"
    case onePaneOnly = "The window has room for one pane only"
    case lastColumn = "The list needs at least one column"

    // MARK: - Moving

    case goingToEnd = "Going to the end"
    case goingToRow = "Going to row {row}"
    case resumingAtRow = "Going to where you left off, row {row}"
    case resumingAtBook = "Going to the book where you left off"
    case bookNotListed = "The book you left is no longer in this list"
    case nothingBack = "Nothing to go back to"
    case nothingForward = "Nothing to go forward to"
    case bookmarkSet = "Bookmark {letter} set. Return with {key}"
    case bookmarkNotSet = "Bookmark {letter} is not set. Set it with {key}"
    case listDeletedElsewhere = "“{name}” was deleted in another window"

    // MARK: - Searching and sorting

    case noPreviousSearch = "No previous search. Press {key} to search"
    case noSearchToSave = "No search to save. Press {key} to start one"
    case searching = "Searching …"
    case searchingValues = "Searching for values …"
    case nothingCompletes = "Nothing completes this word"
    case searchingFor = "Searching for {query}. {key} stops"
    case searchStopped = "Stopped searching for “{name}”"
    case searchWrapped = "Search continued from the {end}"
    case noMatchHere = "No match for {query} in this list"
    case noMatch = "No match"
    case noMatchFor = "No match for {query}"
    case didYouMean = "No match for {query}. Did you mean {words}?"
    case noSuchProperty = "This book has no {name}"
    case sortedBy = "Sorted by {order}"
    case listOrder = "Sorted in list order"
    case groupedBy = "Grouped by {name}"
    case notGrouped = "Not grouped"

    // MARK: - Empty lists

    case noBooksInCatalog = "This catalog has no books."
    case noFavourites = "No favourites yet. Press {key} on a book to add it"
    case emptyList = "No books here yet. Press {key} on a book to add it"
    case emptyShelf = "No books on this shelf yet. Press {key} on a book to add it"
    case savedSearchFindsNothing = "This saved search finds no books in this catalog. Press {key} for other lists"
    case nothingToCount = "No books to count"
    case noValueContains = "No value contains “{text}”"
    case noMessages = "No messages yet."
    case noChanges = "No changes yet."
    case noCommand = "No matching command."
    case noShelves = "No shelves yet. Type a name for a new one."
    case noMatchingShelf = "No matching shelf."

    // MARK: - Changing user data

    case favourited = "★ Favourite: {books}"
    case unfavourited = "Removed from favourites: {books}"
    case statusSet = "{status}: {books}"
    case statusCleared = "Status cleared: {books}"
    case rated = "{stars}: {books}"
    case ratingRemoved = "Rating removed: {books}"
    case noteSaved = "Note saved: {books}"
    case noteDeleted = "Note deleted: {books}"
    case noteUnchanged = "Note not changed: {reason}"
    case noteTakesOneBook = "Notes take one book at a time; {count} are selected"
    case addedToShelf = "Added {books} to “{name}”"
    case addedToNewShelf = "Added {books} to new shelf “{name}”"
    case removedFromShelf = "Removed {books} from “{name}”"
    case onNoShelf = "This book is on no shelf"
    case onNoShelves = "These books are on no shelf"
    case selectionChanged = "Nothing changed, as the list is now another. Choose the book again"
    case selectionTooLarge = "{count} books are selected. At most {count} can be changed at once"
    case notSelectable = "Only books of this catalog can be selected"
    case shelfCreated = "New shelf: {name}"
    case searchSaved = "Saved search: {name}"
    case listRenamed = "Renamed to “{name}”"
    case listDeleted = "Deleted “{name}”. {key} restores it"
    case listKept = "Kept “{name}”"
    case listIsGone = "“{name}” has been deleted"
    case deleteShelf = "Delete shelf “{name}” ({books})? y deletes, any other key keeps it"
    case deleteSearch = "Delete saved search “{name}”? y deletes, any other key keeps it"
    case builtInList = "Built-in lists cannot be renamed, moved or deleted"
    case nameIsBlank = "A name needs at least one letter"
    case nameIsTaken = "“{name}” already exists. Choose another name"
    case undone = "Undone: {change}"
    case redone = "Redone: {change}"
    case nothingToUndo = "Nothing to undo"
    case nothingToRedo = "Nothing to redo"
    case nothingChangedSince = "Nothing changed since: {change}"
    case wentBack = "Back to: {change}. {key} undoes this"
    case changing = "Changing {books}"
    case undoing = "Undoing"
    case redoing = "Redoing"
    case progress = "{action}: {percent} %. {key} stops"
    case stopped = "Stopped. Nothing was changed"
    case busy = "{action} first. {key} stops it"

    // MARK: - Saving

    case keptUntilQuit = "{message} (not saved; lost when you quit)"
    case notSavedYet = "Not saved; the next change tries again: {reason}"
    case lastChangesNotSaved = "Your last changes are not saved. The next change tries again"
    case lastChangesLost = "Your last changes are lost: {reason}"
    case historyUnreadable = "Cannot read the history: {reason}"
    case userDataUnreadable = "Cannot read your favourites and shelves: {reason}"
    case positionNotSaved = "Your position is not saved: {reason}"

    // MARK: - Copying, links and exports

    case copied = "Copied: {name} of {books}"
    case copiedToFile = "The terminal has no clipboard. Copied to {path}"
    case noClipboard = "No clipboard available"
    case notCopied = "Not copied: {reason}"
    case noneHasProperty = "These books have no {name}"
    case opening = "Opening {link}"
    case opened = "Opened {link}"
    case noOpener = "No program opens links here"
    case tooManyLinks = "At most {count} links open at once; {count} books are selected"
    case noSuchLink = "No link {number}. This book has {count}"
    case noLink = "This book has no web link"
    case noLinks = "These books have no web link"
    case nothingToExport = "No books to export"
    case exportNeedsEnding = "End the file name with a format: .json, .csv, .bib …"
    case exportIntoCatalog = "This file is the catalog itself. Choose another name"
    case exportNotToFile = "{path} is not a file. Choose another name"
    case overwrite = "Overwrite {path}? y overwrites, any other key goes back"
    case notExported = "Not exported: {reason}"
    case exportNeedsReload = "Not exported: the catalog changed on disk. {key} reloads it"
    case nothingOfYours = "Not exported: none of these books has data of yours"
    case exportStopped = "Export stopped. No file was written"
    case exportStoppedByReload = "Export stopped: the catalog was reloaded. No file was written"
    case stillLoading = "The catalog is still loading. Try again when it is complete"
    case stillSearching = "The list is not complete yet. Try again when it is"

    // MARK: - Catalogs

    case catalogChanged = "Catalog changed on disk. {key} reloads"
    case reloaded = "Reloaded: {books}"
    case noFile = "{path}: no such file. Check the path"
    case isDirectory = "{path} is a directory. Name a catalog in it"
    case forbidden = "{path}: {reason}. Check its permissions"
    case unreadable = "{path}: {reason}. Name a JSON file"
    case emptyFile = "{path} is empty. Name a JSON file with an array of books"
    case isUTF16 = "{path} is UTF-16 text. Convert it first: iconv -f UTF-16 -t UTF-8"
    case isDatabase = "{path} is an SQLite database. Export its books as JSON first"
    case isWebPage = "{path} is an HTML page, not JSON. Download the catalog itself"
    case isXML = "{path} is XML, not JSON. Export the catalog as JSON"
    case isCompressed = "{path} is compressed. Unpack it first"
    case malformed = "{path} is not valid JSON: {reason}. Fix it there, or export it again"
    case noBooksByProfile =
        "{path}: no books found with profile {name}. Choose another with --profile, or run: stacks profiles new {path}"
    case noBooksInScalar = "{path}: no books found. A catalog is a JSON array of books, each an object with a title"
    case noBooks = "{path}: no books found. Map its fields with: stacks profiles new {path}"
    case skippedItem = "Skipped 1 item that is not a book ({position})"
    case skippedItems = "Skipped {count} items that are not books (first: {position})"
    case cutOff = "The file is cut off at {position}"
    case damagedFrom = "The file is damaged at {position}: {reason}"
    case unreadableFrom = "The file cannot be read beyond byte {number}: {reason}"
    case fixFile = "Fix the file and reload it"
    case copyFile = "Copy the file again"
    case userDataIncomplete = "Your data may be incomplete: {count} lines of {path} are damaged. Restore a backup"
    case preferencesNewer = "Positions are not saved: a newer stacks wrote {path}"
    case preferencesDamaged = "Positions are lost: {path} was damaged, and is kept as {path}"
    case preferencesUnreadable = "Positions are not saved: {path}: {reason}. Check its permissions"
    case standardInputTwice = "standard input cannot be both the catalog and {name}. Name a file for one of them"
    case changedWhileReading = "{path} changed while it was read. Start again"
    case notReadToEnd = "{path} cannot be read to its end. Copy it again"
    case changesNotKept = "Changes will not be saved: {reason}"
    case noTerminal = "no terminal to read keys from. Start stacks in a terminal"
    case noTerminalType = "TERM is not set. Set it to the type of your terminal: TERM=xterm-256color"
    case unsuitableTerminal =
        "TERM={name} cannot show full screens. Set TERM to your terminal, or pipe the list to a file"
    case unusableTerminal = "cannot use the terminal: {reason}. Try another one"
    case cannotCreateIn = "cannot create a file in {path}: {reason}. Check its permissions"
    case diskFull = "cannot write {path}. Free some space there"
    case editedFileUnreadable = "cannot read {path}: {reason}. Edit the note again"
    case noTerminalToEdit = "no terminal to edit in. Start stacks in a terminal, or set EDITOR"
    case noEditor = "no editor found. Set EDITOR to the one you use"
    case editorKilled = "{program} was ended by signal {number}"
    case editorNotStarted = "cannot start {program}. Set VISUAL or EDITOR to an editor you have"
    case editorFailed = "{program} ended with exit code {number}"
    case setBrowser = "Set BROWSER to the program that opens links"
    case setOtherBrowser = "Set BROWSER to another program"
    case browserNotStarted = "Cannot start {program}: {reason}. {advice}"
    case browserFailed = "{program} could not open {link} ({reason}). {advice}"
    case unknownCommand = "no command or file “{name}”. Did you mean: stacks {name}"
    case listNameIsEmpty = "the list name is empty. Name a list or shelf"
    case readAsWindows1252 = "{path} is read as Windows-1252, as line {number} is not UTF-8"
    case importHasNoBooks = "no books found in {path}. Import an export of stacks or Goodreads, or a list of ISBNs"
    case noImportFile = "{path}: no such file. Check the path, or use - for standard input"
    case importUnreadable = "{path}: {reason}. Name a file, or - for standard input"
    case importHasNoUserData = "{path}: no user data found. Export yours with: stacks export --format json"
    case noBook = "no book {name} in {path}, nor in your data. Find ids with: stacks search --format json"
    case notABookID = "“{name}” is not an ISBN or a book id. Find ids with: stacks search --format json"
    case unknownSortKey = "unknown sort key “{name}”. Keys: {names}; prefix - to reverse"
    case directoryWithoutCatalogs = "{path} is a directory without catalogs. Name a JSON file with books"
    case directoryOfCatalogs = "{path} is a directory. Name one of its catalogs, newest first: {names}{more}"
    case catalogNameIsEmpty = "the catalog name is empty. Name a file, or leave it out"
    case noBundledCatalog = "the bundled catalog is missing. Name a catalog file"
    case lastCatalogGone = "Showing the bundled catalog: {path} no longer exists"
    case nothingChanged = "nothing changed: {reason}"
    case nothingWritten = "nothing changed: cannot write {path}: {reason}. Check its directory"
    case profileSkipped = "{reason}; profile skipped"
    case noProfileFile = "{path}: no such profile. Check the path"
    case unknownProfile = "no profile “{name}”. Did you mean {names}? List all with: stacks profiles"
    case profileFindsNothing = "Your profile {name} finds no books in this catalog; skipped it"
    case profileUnreadable = "profile {path}: {reason}. Check its permissions"
    case userDataMissing = "Cannot read your favourites and shelves: {path}: {reason}. Check its permissions"
    case nothingMatches = "no match for {query} in {path}"
    case unknownList = "no list named “{name}”. Lists: {names}"
    case outputFailed = "cannot write {path}: {reason}. Write to another file or pipe"
    case answersAreInput = "standard input is needed for your answers. Name a file, or add --yes"
    case noProfileDirectory = "cannot save profiles: HOME is not set. Set it to your home directory"
    case noFieldFound = "no field of a book found in {records} at {path}. Give their path with --records"
    case noObjectsAtPath = "{path}: no objects at {path}. Give another path with --records"
    case tooLargeToSample = "{path} is too large to sample. Make the profile for a part of it"
    case noRecordsToSample = "{path} has no records. Name a catalog that has some"
    case profileExists = "{path} already exists. Choose another --name, or replace it with --force"
    case profileInvalid = "cannot make a profile: {reason}"
    case profileNotSaved = "cannot save {path}: {reason}. Check its directory"
    case profileNameInvalid = "“{name}” is not a profile name. Use letters, digits, - and _"
    case pictureNotWritten = "cannot write {path}: {reason}. Name another file"
    case pictureIsCatalog = "{path} is the catalog itself. Name another file"

    /// Returns the message with `values` in place of its placeholders, in their order.
    public func text(_ values: String...) -> String { text(values) }

    /// Returns the message with `values` in place of its placeholders, in their order.
    public func text(_ values: [String]) -> String {
        var text = ""
        var rest = rawValue[...]
        var remaining = values[...]
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            text += rest[..<start] + (remaining.popFirst() ?? "")
            rest = rest[rest.index(after: end)...]
        }
        assert(
            remaining.isEmpty && values.count == placeholders.count, "\(self) has \(placeholders.count) placeholders")
        return text + rest
    }

    /// The names of its placeholders, in order: "count", "key".
    public var placeholders: [String] {
        rawValue.split(separator: "{", omittingEmptySubsequences: false).dropFirst()
            .compactMap { $0.split(separator: "}").first.map(String.init) }
    }
}
