internal import Catalog
internal import Library
internal import Shelves
internal import TerminalUI

/// The picker of a shelf to add books to, or to remove them from.
final class ShelfPicker: Picker, TableViewDataSource {
    let context = CommandContext.shelves
    /// A shelf that can be chosen.
    enum Choice: Hashable {
        case shelf(Shelf)
        /// A new shelf with this name.
        case new(String)
    }

    /// Whether books are added to the shelf, rather than removed.
    let isPutting: Bool
    var title: String { isPutting ? "Add to a shelf" : "Remove from a shelf" }
    let prompt = ">"
    var verb: String { isPutting ? "add" : "remove" }
    var size: Size { Size(rows: min(14, table.rowCount + 3), columns: 44) }
    /// The typed words, or the name of a new shelf.
    var editor = LineEditor()
    /// The table of matching shelves.
    let table = TableView(columns: [
        TableColumn("Shelf", width: .share(1), minimumWidth: 10),
        TableColumn("Books", width: .fixed(10), priority: 0, isRightAligned: true),
    ])
    private let shelves: [(shelf: Shelf, count: ListCount?)]
    private var choices: [Choice] = []
    private let isTaken: (String) -> Bool
    private let targets: ActionTarget

    /// Creates a picker for `targets` among `shelves`, with the number of their books. `isTaken` returns whether a
    /// list has a name.
    init(
        _ shelves: [(shelf: Shelf, count: ListCount?)], for targets: ActionTarget, isPutting: Bool,
        isTaken: @escaping (String) -> Bool
    ) {
        self.shelves = shelves
        self.targets = targets
        self.isTaken = isTaken
        self.isPutting = isPutting
        table.dataSource = self
        table.surface = .popup
        table.placeholder = isPutting ? Message.noShelves.text() : Message.noMatchingShelf.text()
        find()
    }

    /// Opens a picker to add the selected books to a shelf, or to remove them. If they are on only one shelf, removes
    /// them at once.
    static func open(isPutting: Bool, _ app: App) {
        let (library, actions) = (app.session.library, BookActions(session: app.session))
        guard let targets = actions.targets() else { return }
        var shelves = library.userData.shelves
        if !isPutting {
            let userData = actions.userData(of: targets)
            shelves = shelves.filter { shelf in userData.contains { $0?.shelves.contains(shelf.id) ?? false } }
            guard let first = shelves.first else {
                app.session.status.say(targets.count == 1 ? .onNoShelf : .onNoShelves)
                return
            }
            if shelves.count == 1 {
                return actions.mark(targets, Marking(of: first, isAdded: false))
            }
        }
        app.push(
            ShelfPicker(
                shelves.map { ($0, library.count(of: NamedList(.shelf($0.id), name: $0.name))) }, for: targets,
                isPutting: isPutting, isTaken: { [library] in library.list(named: $0) != nil }))
    }

    func edited(_ app: App) { find() }

    /// Adds the books to the current shelf, or removes them.
    func accepted(_ app: App) -> Effect {
        guard let choice = selection else { return .none }
        app.close(self)
        let actions = BookActions(session: app.session)
        guard let targets = actions.targets() else { return .none }
        guard targets.looksLike(self.targets) else {
            app.session.status.say(.selectionChanged)
            return .none
        }
        switch choice {
        case .shelf(let shelf): actions.mark(targets, Marking(of: shelf, isAdded: isPutting))
        case .new(let name):
            // The shelf and its books are one change, which one undo takes back.
            actions.mark(
                targets,
                Marking(.shelfNamed(name)) { [library = app.session.library] books in
                    let isNew = library.list(named: name) == nil
                    return (isNew ? Message.addedToNewShelf : .addedToShelf).text(books, name)
                })
        }
        return .none
    }

    /// Finds the shelves whose names contain all typed words. A name that no list has can become a new shelf.
    private func find() {
        let words = words
        choices = shelves.filter { words.match($0.shelf.name) }.map { .shelf($0.shelf) }
        let name = editor.text.split(separator: " ").joined(separator: " ")
        if isPutting && !name.isEmpty && !isTaken(name) { choices.append(.new(name)) }
        table.reloadData()
        table.select(0, top: 0)
    }

    /// The current choice.
    var selection: Choice? { table.currentRow.map { choices[$0] } }

    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { choices.count }

    func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
        switch choices[indexPath.row] {
        case .shelf(let shelf):
            let count = shelves.first { $0.shelf.id == shelf.id }?.count
            return TableViewCell([.init(shelf.name), .init(count?.text ?? "…")])
        case .new(let name): return TableViewCell([.init(Message.shelfCreated.text(name), style: .strong), .init("")])
        }
    }
}

extension Marking {
    /// Creates a marking that adds books to a shelf, or removes them from it.
    fileprivate init(of shelf: Shelf, isAdded: Bool) {
        self.init(.shelf(shelf.id, isAdded)) { books in
            (isAdded ? Message.addedToShelf : .removedFromShelf).text(books, shelf.name)
        }
    }
}
