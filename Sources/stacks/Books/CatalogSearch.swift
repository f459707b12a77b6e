internal import Browser
internal import Formats
internal import Glibc
internal import Graphemes
internal import Storage

/// Prints the books of a catalog that a query finds.
struct CatalogSearch {
    /// The forms in which they are printed.
    enum Format: String, CaseIterable {
        case table, json, jsonl, csv, bibtex, csl
    }

    /// The query; nil for all books.
    var query: String?
    /// The list whose books are looked through; nil for all of the catalog.
    var list: String?
    /// The path of the catalog, where the reader named one.
    var catalog: String?
    /// The profile that the catalog is read by, where the reader chose one.
    var profile: String?
    /// The form in which books are printed.
    let format: Format
    /// The greatest number of books; nil where all are printed.
    var limit: Int?
    /// How they are ordered, where the reader says so.
    var sort: String?

    /// Searches and prints.
    ///
    /// - Returns: The exit code.
    func run() -> Int32 {
        useUTF8Locale()
        let directories = Directories.ofEnvironment()
        let request: BookRequest
        let catalog: OpenedCatalog
        var notices: [String] = []
        do throws(CommandError) {
            request = try BookRequest(query: query, sort: sort)
            catalog = try OpenedCatalog(named: self.catalog, profile: profile, in: directories) {
                let preferences = PreferencesFile(directory: directories.state)
                if let notice = preferences.notice { notices.append(notice) }
                return preferences.lastCatalog
            }
        } catch {
            return error.report()
        }
        (notices + catalog.notices).forEach(printError)
        switch format {
        case .table:
            if isatty(STDOUT_FILENO) == 1 {
                return print(request, of: catalog, as: BookTable(width: outputSize().columns))
            }
            return print(request, of: catalog, as: PlainList.Form())
        case .json: return print(request, of: catalog, as: JSONForm(isArray: true))
        case .jsonl: return print(request, of: catalog, as: JSONForm(isArray: false))
        case .csv: return print(request, of: catalog, as: CSVForm())
        case .bibtex: return print(request, of: catalog, as: BibTeXForm())
        case .csl: return print(request, of: catalog, as: JSONForm(.csl, isArray: true))
        }
    }

    private func print(_ request: BookRequest, of catalog: OpenedCatalog, as form: some BookFormatter) -> Int32 {
        BookPrinting(catalog: catalog, request: request, form: form, limit: limit, listName: list).run()
    }
}
