internal import Books
internal import Catalog
internal import Editing
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

    /// Finds the duplicates and prints them, the certain ones before the others are sought.
    ///
    /// - Returns: The exit status.
    func run() -> Int32 {
        do throws(CommandError) {
            let opened = try OpenedLibrary(catalog)
            var search = opened.library.duplicateSearch
            let width = isatty(STDOUT_FILENO) == 1 ? outputSize().columns : nil
            let all = search.findCertain()
            let certain = try groups(opened.library.withoutDistinct(all, certain: all), of: opened)
            let code = PlainList.write(
                format == .json ? "[" + Self.json(of: certain, isFirst: true) : Self.text(of: certain, width))
            if code != 0 { return code }
            var progress = ProgressLine("comparing")
            let count = opened.library.store.index.count
            let found = search.findLikely(reporting: { progress.show(Int(Double(count) * $0), fraction: $0) })
            progress.clear()
            if search.isRecordMissing { throw Self.changed(opened) }
            let others = try groups(opened.library.withoutDistinct(found, certain: all), of: opened)
            let ending: String
            switch format {
            case .json: ending = Self.json(of: others, isFirst: certain.isEmpty) + "\n]\n"
            case .text: ending = Self.text(of: others, width) + Self.ending(of: certain + others, advice(opened))
            }
            let rest = PlainList.write(ending)
            if rest != 0 { return rest }
            let hasDuplicates = (certain + others).contains { $0.reason.certainty != .editions }
            if format == .text, certain.isEmpty, others.isEmpty {
                printError(CommandMessage.noDuplicates.text(opened.catalog.shownPath))
            }
            let status = opened.finish()
            return status == 0 && !hasDuplicates ? ExitStatus.nothingFound : status
        } catch {
            return error.report()
        }
    }

    private static func changed(_ opened: OpenedLibrary) -> CommandError {
        CommandError(
            sentence: CommandMessage.changedWhileReading.text(opened.catalog.shownPath), exitStatus: ExitStatus.changed)
    }

    private func groups(_ found: [DuplicateGroup], of opened: OpenedLibrary) throws(CommandError) -> [Group] {
        let store = opened.library.store
        let identities = IdentityTable(of: Set(found.flatMap(\.books)), in: store.index)
        var groups: [Group] = []
        for group in found {
            var books: [Member] = []
            for id in group.books {
                guard let book = store.bookAtHand(id) else { throw Self.changed(opened) }
                books.append(Member(id: identities[id].description, book: book))
            }
            groups.append(Group(reason: group.reason, books: books))
        }
        return groups
    }

    /// What to do with duplicates: merge them, if the catalog can be changed.
    private func advice(_ opened: OpenedLibrary) -> String? {
        let path = opened.catalog.path
        if path == "-" { return nil }
        let isCopy = opened.library.store.mirrored != nil && !path.contains("://")
        return isCopy
            ? "Merge the books of a group in a copy: stacks export \(path.asArgument) --format json --output books.json"
            : "Merge the books of a group with: stacks merge ID ID … --catalog \(path.asArgument)"
    }

    // MARK: - Text

    /// Returns the groups by their reasons; lines longer than `width` are cut.
    static func text(of groups: [Group], _ width: Int?) -> String {
        var lines: [String] = []
        for reason in DuplicateGroup.Reason.allCases {
            let same = groups.filter { $0.reason == reason }
            if same.isEmpty { continue }
            let count = same.reduce(0) { $0 + $1.books.count }
            lines.append("\(reason.heading): \(same.count.of("group")), \(count.of("book"))")
            for group in same {
                let idWidth = group.books.map(\.id.count).max() ?? 0
                lines +=
                    group.books.map { "  \($0.id.padded(to: idWidth))  \(description(of: $0.book, in: group))" } + [""]
            }
        }
        return lines.map { line in
            let line = line.sanitized
            return (width.map { line.clipped(to: max(1, $0)).text } ?? line) + "\n"
        }.joined()
    }

    /// Returns the numbers of groups of each certainty, and the advice if there are duplicates.
    static func ending(of groups: [Group], _ advice: String?) -> String {
        if groups.isEmpty { return "" }
        func count(_ certainty: DuplicateGroup.Certainty) -> Int { groups.count { $0.reason.certainty == certainty } }
        let duplicates = [("certain", count(.certain)), ("likely", count(.likely))].filter { $0.1 > 0 }
            .map { "\($0.1.grouped) \($0.0)" }
        var parts = [duplicates.isEmpty ? "No duplicates" : "Duplicates: \(duplicates.joined(separator: ", "))"]
        if count(.editions) > 0 { parts.append("\(count(.editions).of("work")) in several editions") }
        let lines = [parts.joined(separator: "; ")] + (duplicates.isEmpty ? [] : [advice].compactMap(\.self))
        return lines.map { $0.sanitized + "\n" }.joined()
    }

    /// The title with what else tells the book from the others of its group.
    private static func description(of book: Book, in group: Group) -> String {
        let authors = book.authors.isEmpty ? nil : book.authors.listed
        let volume = book.seriesPosition.map { "#" + FieldValue.number($0).text }
        let pages = book.pageCount.map { $0.of("page") }
        let languages = group.reason == .editions ? book.languages.map { LanguageTag($0)?.englishName ?? $0 } : []
        // The ISBNs in common, if there are any.
        let others = group.books.map(\.book).filter { $0 != book }.flatMap(\.allISBNs)
        let common = book.allISBNs.filter { isbn in others.contains { $0.number == isbn.number } }
        let isbns = (common.isEmpty ? [book.isbn].compactMap(\.self) : common).map(\.formatted)
        let parts = [book.title, volume, authors, book.published.map { String($0.year) }, pages]
        return (parts.compactMap(\.self) + languages + isbns).joined(separator: ", ")
    }

    // MARK: - JSON

    /// Returns the groups as elements of a JSON array, one per line, with a comma before each but the first.
    static func json(of groups: [Group], isFirst: Bool) -> String {
        var text: [UInt8] = []
        for (number, group) in groups.enumerated() {
            text += (isFirst && number == 0 ? "\n" : ",\n").utf8
            let books = group.books.map { member in
                jsonObject([
                    "id": .string(member.id), "title": .string(member.book.title),
                    "authors": JSONValue(member.book.authors), "isbns": JSONValue(member.book.allISBNs.map(\.text)),
                    "year": member.book.published.map { JSONValue($0.year) } ?? .null,
                    "languages": JSONValue(member.book.languages),
                    "volume": member.book.seriesPosition.map { .number(FieldValue.number($0).text) } ?? .null,
                    "pages": member.book.pageCount.map { JSONValue($0) } ?? .null,
                ])
            }
            jsonObject([
                "certainty": .string(group.reason.certainty.rawValue), "reason": .string(group.reason.rawValue),
                "books": .array(books),
            ]).writeHarmlessly(to: &text)
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension Book {
    /// All ISBNs of the record, the one that is shown first.
    fileprivate var allISBNs: [ISBN] { [isbn].compactMap(\.self) + otherISBNs }
}
