internal import Books
internal import Catalog
internal import Formats
internal import Glibc
internal import Graphemes
internal import Indexing
internal import JSON
internal import Library
internal import Search
internal import Shelves
internal import Storage
internal import Text

/// Prints the requested books of a catalog to standard output or a file.
struct BookPrinter {
    /// The catalog.
    let catalog: OpenedCatalog
    /// The requested books and their order.
    let request: BookRequest
    /// The output format.
    let form: any BookFormatter
    /// The name of the output format, for the sentence that says what it cannot keep.
    var formatLabel: String?
    /// The maximum number of books to print; nil prints all.
    var limit: Int?
    /// The name of the list to print; nil prints all books.
    var listName: String?
    /// Whether to print user data in formats that have a place for it.
    var includesUserData = true
    /// Returns a book with its record; nil for those of the catalog.
    var recordedBook: ((BookID) -> RecordedBook?)?

    private var store: BookStore { catalog.store }

    /// Prints the books, and errors to standard error.
    ///
    /// - Returns: The exit status.
    func run(to output: any BookOutput = StandardOutput()) -> Int32 {
        // If the file changes meanwhile, this is noticed at the first changed record.
        catalog.readRest()
        defer { catalog.file?.finishKeepingIndex() }
        let library = form.needsUserData && includesUserData ? openLibrary() : nil
        let found: BookSelection
        do throws(CommandError) {
            found = try BookSelection(
                request, inListNamed: listName, of: store, addsAllMissing: form.omitsBooksWithoutUserData,
                library: { library ?? openLibrary() })
        } catch {
            return error.report()
        }
        if catalog.file?.reloadsUnasked == true {
            printError(CommandMessage.indexDamaged.text(store.name))
            return ExitStatus.changed
        }
        let isMissed = found.count == 0 && !request.asksForAll
        if !isMissed || output.isWrittenForNoMatch {
            let code = print(found, userDataOf: library, to: output)
            guard code == 0 else { return code }
        }
        if let defects = catalog.defects { printError(defects) }
        if isMissed, let impossibility = request.query?.impossibility {
            printError(impossibility)
        } else if isMissed {
            printError(CommandMessage.nothingMatches.text(request.query?.text ?? "", catalog.shownPath))
            if let reason = found.reasonForNothing(in: store) { printError(reason) }
        }
        let status = store.exitStatus
        return status == 0 && isMissed ? ExitStatus.nothingFound : status
    }

    private func openLibrary() -> Library {
        var notices: [String] = []
        let shelves = UserData.saved(in: Directories.ofEnvironment(), notices: &notices)
        notices.forEach(printError)
        return Library(store: store, userData: shelves, catalogPath: resolvedPath(catalog.path) ?? catalog.path)
    }

    /// Prints the books, with the user data of `library` if it is given.
    ///
    /// - Returns: The exit status.
    private func print(_ found: BookSelection, userDataOf library: Library?, to output: any BookOutput) -> Int32 {
        let (books, missing) = found.prefix(limit ?? found.count)
        var export = BookExport(
            books, missing: missing, of: store, as: form, userDataOf: library, coversBeside: catalog.path,
            recordedBook: recordedBook)
        // On a terminal, the books themselves show the progress.
        var progress = ProgressLine("writing", isShown: isatty(STDOUT_FILENO) == 0)
        defer { progress.clear() }
        var text: [UInt8] = []
        while true {
            let state = export.write(Self.bookCountOfPiece, to: &text)
            if state == .catalogChanged {
                _ = output.write(&text)
                printError(CommandMessage.changedWhileReading.text(store.name))
                return ExitStatus.changed
            }
            progress.show(export.position, fraction: Double(export.position) / Double(max(1, export.count)))
            if state == .finished {
                progress.clear()
                let status =
                    output.write(&text)
                    ?? output.complete(bookCount: export.count, ofWholeCatalog: store.exitStatus == 0)
                if status == 0, let label = formatLabel, let sentence = export.sentenceOfLosses(in: label) {
                    printError(sentence)
                }
                return status
            }
            if text.count >= PlainList.pieceSize, let code = output.write(&text) { return code }
        }
    }

    private static let bookCountOfPiece = 64
}

extension Library {
    /// Returns the list with this name.
    ///
    /// - Throws: `CommandError` with the existing lists if none has this name.
    func requiredList(named name: String) throws(CommandError) -> NamedList {
        if let list = list(named: name) { return list }
        throw CommandError(
            sentence: CommandMessage.unknownList.text(name.sanitized, listNames.joined(separator: ", ")),
            exitStatus: ExitStatus.usage)
    }
}
