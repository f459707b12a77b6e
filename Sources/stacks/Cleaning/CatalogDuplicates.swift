internal import Books
internal import Catalog
internal import Glibc
internal import Graphemes
internal import Indexing
internal import JSON
internal import Library
internal import Text

/// Prints the duplicates of a catalog.
struct CatalogDuplicates {
    /// The catalog to open.
    let catalog: CatalogRequest
    /// The output format.
    let format: DuplicatesCommand.Format

    /// A book of a group.
    struct Member: Hashable {
        /// The id.
        var id: String
        /// The book.
        var book: Book
    }

    /// A group with its books.
    struct Group: Hashable {
        /// Why the books are in one group.
        var reason: DuplicateGroup.Reason
        /// The books.
        var books: [Member]
    }

    /// Finds the duplicates and prints them.
    ///
    /// - Returns: The exit status.
    func run() -> Int32 {
        do throws(CommandError) {
            let opened = try OpenedLibrary(catalog)
            let groups = Self.groups(of: opened.library)
            let hasDuplicates = groups.contains { $0.reason.certainty != .editions }
            let code: Int32
            switch format {
            case .json: code = PlainList.write(Self.json(of: groups))
            case .text:
                let width = isatty(STDOUT_FILENO) == 1 ? outputSize().columns : nil
                code = PlainList.write(Self.text(of: groups, path: opened.catalog.path, width: width))
                if code == 0, !hasDuplicates { printError(CommandMessage.noDuplicates.text(opened.catalog.shownPath)) }
            }
            if code != 0 { return code }
            let status = opened.finish()
            return status == 0 && !hasDuplicates ? ExitStatus.nothingFound : status
        } catch {
            return error.report()
        }
    }

    private static func groups(of library: Library) -> [Group] {
        var search = library.duplicateSearch
        var progress = ProgressLine("comparing")
        let count = library.store.index.count
        let certain = search.findCertain()
        let likely = search.findLikely(reporting: { progress.show(Int(Double(count) * $0), fraction: $0) })
        progress.clear()
        let found = certain + (likely ?? [])
        let identities = IdentityTable(of: Set(found.flatMap(\.books)), in: library.store.index)
        return found.map { group in
            Group(
                reason: group.reason,
                books: group.books.compactMap { id in
                    library.store.bookAtHand(id).map { Member(id: identities[id].description, book: $0) }
                })
        }
    }

    // MARK: - Text

    /// Returns the groups by their reasons, after a line with their numbers; lines longer than `width` are cut.
    static func text(of groups: [Group], path: String, width: Int?) -> String {
        if groups.isEmpty { return "" }
        var lines = [summary(of: groups)]
        for reason in DuplicateGroup.Reason.allCases {
            let same = groups.filter { $0.reason == reason }
            if same.isEmpty { continue }
            lines += ["", reason.heading + ": " + counts(of: same)]
            for (number, group) in same.enumerated() {
                if number > 0 { lines.append("") }
                let idWidth = group.books.map(\.id.count).max() ?? 0
                lines += group.books.map { "  \($0.id.padded(to: idWidth))  \(description(of: $0.book))" }
            }
        }
        if groups.contains(where: { $0.reason.certainty != .editions }) {
            lines += ["", "Merge the books of a group with: stacks merge ID ID … --catalog \(path.asArgument)"]
        }
        return lines.map { line in
            let line = line.sanitized
            return (width.map { line.clipped(to: max(1, $0)).text } ?? line) + "\n"
        }.joined()
    }

    /// The numbers of groups of each certainty.
    private static func summary(of groups: [Group]) -> String {
        let parts = DuplicateGroup.Certainty.allCases.compactMap { certainty -> String? in
            let count = groups.count { $0.reason.certainty == certainty }
            if count == 0 { return nil }
            return switch certainty {
            case .certain, .likely: "\(count.grouped) \(certainty.rawValue)"
            case .editions: "\(count.of("work")) in several editions"
            }
        }
        return "Duplicates: " + parts.joined(separator: ", ")
    }

    private static func counts(of groups: [Group]) -> String {
        "\(groups.count.of("group")), \(groups.reduce(0) { $0 + $1.books.count }.of("book"))"
    }

    private static func description(of book: Book) -> String {
        let authors = book.authors.isEmpty ? nil : book.authors.listed
        let pages = book.pageCount.map { $0.of("page") }
        let parts = [book.title, authors, book.published.map { String($0.year) }, pages, book.isbn?.formatted]
        return parts.compactMap(\.self).joined(separator: ", ")
    }

    // MARK: - JSON

    /// Returns the groups as a JSON array with one object per line.
    static func json(of groups: [Group]) -> String {
        func object(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
            .object(members.map { JSONValue.Member(key: $0.key, value: $0.value) })
        }
        var text = Array("[".utf8)
        for (number, group) in groups.enumerated() {
            text += (number == 0 ? "\n" : ",\n").utf8
            let books = group.books.map { member in
                object([
                    "id": .string(member.id), "title": .string(member.book.title),
                    "authors": JSONValue(member.book.authors), "isbn": JSONValue(member.book.isbn?.text) ?? .null,
                    "year": member.book.published.map { JSONValue($0.year) } ?? .null,
                    "pages": member.book.pageCount.map { JSONValue($0) } ?? .null,
                ])
            }
            object([
                "certainty": .string(group.reason.certainty.rawValue), "reason": .string(group.reason.rawValue),
                "books": .array(books),
            ]).writeHarmlessly(to: &text)
        }
        text += "\n]\n".utf8
        return String(decoding: text, as: UTF8.self)
    }
}

extension DuplicateGroup.Reason {
    /// The heading of the groups.
    fileprivate var heading: String {
        switch self {
        case .sameRecord: "Certain, equal records"
        case .sameISBNAndTitle: "Certain, same ISBN and title"
        case .sameISBN: "Likely, same ISBN"
        case .sameTitle: "Likely, same title and authors"
        case .similarTitle: "Likely, similar title"
        case .editions: "Other editions"
        }
    }
}
