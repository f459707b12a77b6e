internal import Books
internal import Catalog
internal import Graphemes
internal import Indexing
internal import Library
internal import Shelves
internal import Storage
internal import Text

/// Adds books to the favourites or removes them.
struct FavouriteChange {
    /// Whether to add the books, rather than remove them.
    let isFavourite: Bool
    /// The catalog.
    let options: CatalogOptions
    /// The ids or ISBNs of the books; "-" reads them from standard input.
    let names: [String]

    /// Makes the changes and prints the result.
    ///
    /// - Returns: The exit status.
    func run() -> Int32 {
        do throws(CommandError) {
            if options.catalog == "-" && names.contains("-") {
                throw CommandError(
                    sentence: CommandMessage.standardInputTwice.text("the names"),
                    exitStatus: ExitStatus.usage)
            }
            let names = try allNames()
            let opened = try OpenedLibrary(options.request)
            return try change(names, in: opened)
        } catch {
            return error.report()
        }
    }

    private func allNames() throws(CommandError) -> [BookArgument] {
        var all: [BookArgument] = []
        for name in names {
            guard name == "-" else {
                all.append(BookArgument(name))
                continue
            }
            let text = String(decoding: try ImportedFile.bytes(at: "-"), as: UTF8.self)
            for line in text.split(whereSeparator: \.isNewline) {
                let name = line.trimmed
                if !name.isEmpty { all.append(BookArgument(name)) }
            }
        }
        return all
    }

    private func change(_ names: [BookArgument], in opened: OpenedLibrary) throws(CommandError) -> Int32 {
        let library = opened.library
        let found = NamedBooks(names, in: library)
        let userDataTargets = UserDataTargets(in: library)
        var targets: [UserDataTarget] = []
        var known: Set<BookID> = []
        var knownIdentities: Set<BookIdentity> = []
        var unknown: [BookArgument] = []
        var changedCount = 0
        var title: String?
        for name in names {
            let all = found.ids(of: name)
            let missing = found.missingUserData(of: name)
            if all.isEmpty && missing.isEmpty { unknown.append(name) }
            for id in isFavourite ? Array(all.prefix(1)) : all where known.insert(id).inserted {
                guard let target = userDataTargets.target(id) else { continue }
                targets.append(target)
                if targets.count == 1 { title = library.store.wholeBook(id)?.shownTitle }
                if userDataTargets.userData(of: id)?.isFavourite ?? false != isFavourite { changedCount += 1 }
            }
            // A name refers to a book of the catalog rather than to user data of a missing book.
            for identity in all.isEmpty || !isFavourite ? missing : [] where knownIdentities.insert(identity).inserted {
                targets.append(UserDataTarget(absent: identity))
                if targets.count == 1 { title = library.userData.books[identity]?.title }
                if library.userData.books[identity]?.isFavourite ?? false != isFavourite { changedCount += 1 }
            }
        }
        if !targets.isEmpty {
            try opened.save { () throws(FileError) in
                try library.userData.apply(.favourite(isFavourite), to: targets)
            }
        }
        for name in unknown { printError(name.sentenceOfAbsence(in: opened.catalog.shownPath)) }
        let code = PlainList.write(sentence(changed: changedCount, of: targets.count, title) + ".\n")
        if code != 0 { return code }
        let status = opened.finish()
        return status == 0 && !unknown.isEmpty ? ExitStatus.nothingFound : status
    }

    /// Returns what was done to `count` books, of which the first has this title.
    private func sentence(changed: Int, of count: Int, _ title: String?) -> String {
        let rest = count - changed
        if changed == 0, count > 0 {
            let books = count == 1 ? (title ?? "").sanitized : count.of("book")
            return isFavourite
                ? "Already a favourite: \(books). Nothing added" : "Not a favourite: \(books). Nothing removed"
        }
        let text = "\(changed.of("favourite")) \(isFavourite ? "added" : "removed")"
        if rest == 0 { return text }
        let verb = rest == 1 ? "was" : "were"
        return text + (isFavourite ? "; \(rest.grouped) already \(verb)" : "; \(rest.grouped) \(verb) not")
    }
}

extension Substring {
    /// This text without surrounding white space.
    var trimmed: String {
        var rest = self
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}
