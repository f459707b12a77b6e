internal import ArgumentParser
internal import Glibc
internal import Graphemes
internal import Indexing
internal import JSON
internal import Library

/// The command `stacks lists [CATALOG]`.
struct ListsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lists",
        abstract: "Print all lists with the number of books in each.",
        discussion: """
            All books, Favourites, To read, Reading, Read, Abandoned, Up next, your shelves and your saved searches, in this \
            order. Up next has the next unread book of each series you have begun, then the books to read. \
            Books that are not in the catalog are counted separately: "86 +1". On a terminal the output is a table; else each \
            line is the name, a tab, the count, and, if books are not in the catalog, a tab and their number. json is \
            an array of objects with name, count, notInCatalog, and id, which stays the same after renaming.

            Exit status: 0 on success; 65 or 74 if the catalog cannot be read to its end.
            """)

    /// Shell completion of list names for options that take one.
    static let nameCompletion = CompletionKind.shellCommand("stacks lists 2>/dev/null | cut -f1")

    /// The output format.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case table, json
    }

    @OptionGroup var options: CatalogArgument

    @Option(help: "Output format.")
    var format = Format.table

    func run() throws {
        try exit(with: printLists())
    }

    private func printLists() -> Int32 {
        let opened: OpenedLibrary
        do throws(CommandError) {
            opened = try OpenedLibrary(options.request)
        } catch {
            return error.report()
        }
        let library = opened.library
        let rows = library.lists.map { list in
            ListRow(
                id: list.id, name: list.name,
                count: ListCount(
                    books: library.books(in: list).count, missing: library.missingUserData(in: list).count))
        }
        var text: [UInt8] = []
        switch format {
        case .json: ListRow.append(jsonOf: rows, to: &text)
        case .table where isatty(STDOUT_FILENO) == 1: text += ListRow.table(of: rows, width: outputSize().columns).utf8
        case .table: text += rows.map(\.plainLine).joined().utf8
        }
        if let code = PlainList.write(&text), code != 0 { return code }
        return opened.finish()
    }
}

/// A list with its number of books.
struct ListRow: Hashable {
    /// The id, which stays the same after renaming.
    var id: String
    /// The name of the list.
    var name: String
    /// The number of books in the list.
    var count: ListCount

    /// The row for scripts: the name and the counts, separated by tabs.
    var plainLine: String {
        "\(name.sanitized)\t\(count.books)\(count.missing == 0 ? "" : "\t\(count.missing)")\n"
    }

    /// Formats the rows as a table of at most `width` columns.
    static func table(of rows: [ListRow], width: Int) -> String {
        let countColumns = rows.map(\.count.text.count).max() ?? 0
        let nameColumns = min(rows.map(\.name.displayColumns).max() ?? 0, max(1, width - countColumns - 2))
        return rows.map { row in
            let name = row.name.clipped(to: nameColumns).text
            return "\(name.padded(to: nameColumns))  \(row.count.text.padded(toRight: countColumns))\n"
        }.joined()
    }

    /// Appends the rows to `text` as a JSON array with one object per line.
    static func append(jsonOf rows: [ListRow], to text: inout [UInt8]) {
        text += "[".utf8
        for (number, row) in rows.enumerated() {
            text += (number == 0 ? "\n" : ",\n").utf8
            let object = JSONValue.object([
                .init(key: "id", value: .string(row.id)), .init(key: "name", value: .string(row.name)),
                .init(key: "count", value: .number(String(row.count.books))),
                .init(key: "notInCatalog", value: .number(String(row.count.missing))),
            ])
            object.writeHarmlessly(to: &text)
        }
        text += "\n]\n".utf8
    }
}
