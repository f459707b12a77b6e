internal import Formats
internal import Glibc
internal import Library
internal import Storage

/// Prints the books of a catalog that match a query.
struct CatalogSearch {
    /// The output formats.
    enum Format: String, CaseIterable {
        case table, json, jsonl, csv, goodreads, bibtex, csl

        /// The export format; nil for the table.
        var ofExport: ExportFormat? { ExportFormat(rawValue: rawValue) }
    }

    /// The query; nil matches all books.
    var query: String?
    /// The name of the list to search; nil searches the whole catalog.
    var list: String?
    /// The catalog to open.
    var catalog: CatalogRequest
    /// The output format.
    let format: Format
    /// Returns the output for the books, given the path of the catalog; nil for standard output. Called when the books
    /// are known.
    var output: ((String) throws(CommandError) -> any BookOutput)?
    /// The formatter of the books; nil for that of `format`.
    var exportForm: (any BookFormatter)?
    /// The name of the format, to say what it cannot keep; nil says nothing.
    var formatLabel: String?
    /// Whether to print user data in formats that have a place for it.
    var includesUserData = true
    /// Whether tables guard cells that a spreadsheet would run as formulas.
    var guardsFormulas = false
    /// The maximum number of books to print; nil prints all.
    var limit: Int?
    /// The sort order given by the user, if any.
    var sort: String?

    /// Runs the search and prints the result.
    ///
    /// - Returns: The exit status.
    func run() -> Int32 {
        let directories = Directories.ofEnvironment()
        let request: BookRequest
        let catalog: OpenedCatalog
        var notices: [String] = []
        do throws(CommandError) {
            request = BookRequest(query: query, sort: sort)
            catalog = try self.catalog.open(in: directories) {
                let preferences = PreferencesFile(directory: directories.state)
                if let notice = preferences.notice { notices.append(notice) }
                return preferences.lastCatalog
            }
        } catch {
            return error.report()
        }
        (notices + catalog.notices).forEach(printError)
        if let paged = catalog.paged {
            let printing = PagedPrinter(
                catalog, paged, request, form: exportForm ?? form, formatLabel: formatLabel, limit: limit,
                listName: list,
                includesUserData: includesUserData)
            do throws(CommandError) {
                return printing.run(to: try output?(catalog.path) ?? StandardOutput())
            } catch {
                return error.report()
            }
        }
        let printing = BookPrinter(
            catalog: catalog, request: request, form: exportForm ?? form, formatLabel: formatLabel, limit: limit,
            listName: list,
            includesUserData: includesUserData)
        do throws(CommandError) {
            return printing.run(to: try output?(catalog.path) ?? StandardOutput())
        } catch {
            return error.report()
        }
    }

    private var form: any BookFormatter {
        if let format = format.ofExport {
            return format.formatter(includesUserData: includesUserData, guardsFormulas: guardsFormulas)
        }
        return isatty(STDOUT_FILENO) == 1 ? BookTable(width: outputSize().columns) : PlainList.Formatter()
    }
}
