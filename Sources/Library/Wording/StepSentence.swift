internal import Books
public import Shelves

extension UndoStep {
    /// The change as a phrase in messages: "★★★★☆ for Emma", "deleted shelf “classics”".
    public var phrase: String {
        switch kind {
        case .favourite(true): "added \(books) to favourites"
        case .favourite(false): "removed \(books) from favourites"
        case .shelf(let name, true): "added \(books) to “\(name)”"
        case .shelf(let name, false): "removed \(books) from “\(name)”"
        case .status(let status?): "marked \(books) as \(status.shown.lowercased())"
        case .status(nil): "cleared status of \(books)"
        case .progress(let place): "\(place.shown) of \(books)"
        case .readings: "changed reading log of \(books)"
        case .rating(let rating): rating.map { "\($0.text) for \(books)" } ?? "removed rating of \(books)"
        case .ratingStep(let halves): "\(halves > 0 ? "raised" : "lowered") rating of \(books)"
        case .note(let note): (note == nil ? "deleted note on " : "note on ") + books
        case .distinction(true): "\(books): not the same"
        case .distinction(false): "\(books): may be the same"
        case .several: "several changes to \(books)"
        case .imported(let file): "import of \(file) (\(bookCount.of("book")))"
        case .makeShelf(let name): bookCount == 0 ? "new shelf “\(name)”" : "added \(books) to new shelf “\(name)”"
        case .renameShelf(let old, let new): "renamed shelf “\(old)” to “\(new)”"
        case .moveShelf(let name): "moved shelf “\(name)”"
        case .deleteShelf(let name): "deleted shelf “\(name)”"
        case .saveQuery(let name): "saved search “\(name)”"
        case .renameQuery(let old, let new): "renamed saved search “\(old)” to “\(new)”"
        case .moveQuery(let name): "moved saved search “\(name)”"
        case .changeQuery(let name): "changed saved search “\(name)”"
        case .deleteQuery(let name): "deleted saved search “\(name)”"
        case .goal(let year, let count?): count == 0 ? "no goal for \(year)" : "goal for \(year): \(count.of("book"))"
        case .goal(let year, nil): "removed goal for \(year)"
        case .edit(.changed): "changed \(books)"
        case .edit(.added): "added \(books) to the catalog"
        case .edit(.deleted): "deleted \(books) from the catalog"
        case .edit(.moved): "moved \(books) in the catalog"
        case .edit(.merged): "merged \(books)"
        case .edit(.sorted): "sorted the catalog"
        case .goBack(let count): "undo of \(count.of("change"))"
        }
    }

    /// The change as a line of the history: "Deleted shelf “classics”", "Emma: marked read".
    public var sentence: String {
        switch kind {
        case .status(let status?): "\(books): marked \(status.shown.lowercased())"
        case .imported(let file): "Imported \(file): \(bookCount.of("book"))"
        case .goBack(let count): "Undid \(count.of("change"))"
        default: phrase.prefix(1).uppercased() + phrase.dropFirst()
        }
    }

    /// The title of the only book, or the number of books.
    private var books: String { bookCount == 1 ? title ?? "1 book" : bookCount.of("book") }
}

extension Message {
    /// Returns the message that `step` was undone or redone. Undoing a deletion is called restoring.
    public func text(of step: UndoStep) -> String {
        switch (self, step.kind) {
        case (.undone, .deleteShelf(let name)): text("restored shelf “\(name)”")
        case (.undone, .deleteQuery(let name)): text("restored saved search “\(name)”")
        case (.undone, .edit(.deleted)):
            text("restored \(step.bookCount == 1 ? step.title ?? "1 book" : step.bookCount.of("book"))")
        default: text(step.phrase)
        }
    }
}
