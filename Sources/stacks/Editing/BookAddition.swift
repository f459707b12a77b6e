internal import Books
internal import CSystem
internal import Catalog
internal import Editing
internal import Glibc
internal import Library
internal import Remote
internal import Shelves
internal import Storage
internal import Text

/// Adds books to a catalog after its last one, or makes a catalog of them if the file does not exist yet or is empty.
struct BookAddition {
    /// The catalog.
    let options: CatalogOptions
    /// Whether to print the difference instead of saving.
    var isDryRun = false
    /// Returns the message when the books are added, without a full stop.
    var sentence: ([NewBook]) -> String = Self.sentence

    /// Adds the books that `body` returns for the fields of the catalog.
    ///
    /// - Parameter termination: What ends the program on a signal.
    /// - Returns: The exit status.
    func run(
        endingBy termination: TerminationCleanup? = nil, _ body: (Schema) throws(CommandError) -> [NewBook]
    ) -> Int32 {
        if let path = newPath {
            do throws(CommandError) {
                return create(path, with: try body(.ofEveryBook))
            } catch {
                return error.report()
            }
        }
        let change = CatalogChange(options: options, isDryRun: isDryRun)
        return change.run(endingBy: termination) { opened throws(CommandError) in
            let books = try body(opened.library.store.schema)
            let edit = BookEdit(
                .added, [], title: books.first?.book.title ?? "",
                .single { catalog throws(CatalogEditError) in try catalog.add(books, after: nil) })
            return CatalogChange.Request(edit: edit) { _ in sentence(books) }
        }
    }

    private static func sentence(_ books: [NewBook]) -> String {
        if let book = books.first, books.count == 1 {
            return "1 book added: \(BookIdentity(key: BookIdentity.Key(of: book.book)).description)"
        }
        return "\(books.count.of("book")) added"
    }

    /// Opens the catalog, before books are looked up for it; nil if it will be made.
    ///
    /// - Throws: `CommandError` if it cannot be changed or made.
    func opened() throws(CommandError) -> OpenedLibrary? {
        if let path = newPath {
            let directory = path.contains("/") ? String(path[...(path.lastIndex(of: "/") ?? path.startIndex)]) : "."
            if access(directory, W_OK) == 0 { return nil }
            let error = FileError(path: path, operation: .open, code: errno)
            throw CommandError(
                sentence: Message.catalogNotMade.text(path, error.cause),
                exitStatus: error.exitStatus(else: ExitStatus.inputOutput))
        }
        return try existing()
    }

    /// Opens the catalog, which exists, before books are looked up for it.
    ///
    /// - Throws: `CommandError` if it cannot be changed.
    func existing() throws(CommandError) -> OpenedLibrary {
        let opened = try OpenedLibrary(options.request, edits: .direct)
        let (store, path) = (opened.catalog.store, opened.catalog.shownPath)
        if let refusal = BundledCatalog.refusal(ofChanging: opened.catalog.path) { throw refusal }
        guard let catalog = store.edited else { throw store.obstacleToEditing.commandError(changing: path) }
        do throws(CatalogEditError) {
            try catalog.checkEditable()
        } catch {
            throw error.commandError(changing: path)
        }
        return opened
    }

    // MARK: - New catalogs

    /// The path of the catalog if the file does not exist yet or is empty.
    var newPath: String? {
        guard let name = options.catalog else { return nil }
        let config = ConfigFile(in: Directories.ofEnvironment())
        guard let path = CatalogName.path(named: name, in: config.read()), path != "-", !SourceAddress.isAddress(path)
        else {
            return nil
        }
        var status = stat()
        if stat(path, &status) != 0 { return errno == ENOENT ? path : nil }
        // An empty file becomes a catalog too.
        return status.st_size == 0 && status.st_mode & S_IFMT == S_IFREG ? path : nil
    }

    private func create(_ path: String, with books: [NewBook]) -> Int32 {
        let bytes = NewCatalog.text(of: books, inFileNamed: path)
        if isDryRun {
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            let text = lines.map { "+\($0)\n" }.joined()
            return PlainList.write("--- /dev/null\n+++ \(path)\n@@ -0,0 +1,\(lines.count) @@\n\(text)")
        }
        if let refusal = BundledCatalog.refusal(ofChanging: path) { return refusal.report() }
        do throws(FileError) {
            let file = try ReplacementFile(path: path)
            try file.append(bytes)
            // An empty file may be replaced.
            try file.complete(overwriting: access(path, F_OK) == 0)
        } catch {
            let sentence = Message.catalogNotMade.text(path, error.cause)
            return CommandError(
                sentence: sentence, exitStatus: error.exitStatus(else: ExitStatus.inputOutput)
            ).report()
        }
        return PlainList.write("Created \(path). \(sentence(books)).\n")
    }
}

extension OpenedLibrary {
    /// Returns the first book with this ISBN; nil if there is none. Linear in the catalog.
    func book(withISBN isbn: ISBN) -> Book? {
        let name = BookArgument(isbn.text)
        return NamedBooks([name], in: library).ids(of: name).first.flatMap(library.store.wholeBook)
    }
}

extension Book {
    /// The title and the authors.
    var titleAndAuthors: String { ([shownTitle] + (authors.isEmpty ? [] : [authors.listed])).joined(separator: ", ") }
}
