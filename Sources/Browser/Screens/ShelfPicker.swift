internal import Library
internal import Shelves
internal import TerminalUI

/// The reader's shelves, found by their names, to put books on one or take them off.
final class ShelfPicker: Picker, TableViewDataSource {
    /// What can be picked.
    enum Choice: Hashable {
        case shelf(Shelf)
        /// A shelf of this name that is yet to be made.
        case new(String)
    }

    /// Whether books are put on the shelf; else they are taken off.
    let isPutting: Bool
    var title: String { isPutting ? "Put on a shelf" : "Take off a shelf" }
    let prompt = ">"
    var size: Size { Size(rows: min(14, table.rowCount + 3), columns: 44) }
    /// What is typed to find one, or the name of a new one.
    var editor = LineEditor()
    /// Those that were found.
    let table = TableView(columns: [
        TableColumn("Shelf", width: .share(1), minimumWidth: 10),
        TableColumn("Books", width: .fixed(10), priority: 0, isRightAligned: true),
    ])
    private let shelves: [(shelf: Shelf, count: Int)]
    private var choices: [Choice] = []
    private let isTaken: (String) -> Bool

    /// A picker of these shelves, each with the number of its books; `isTaken` says whether any list has a name.
    init(_ shelves: [(shelf: Shelf, count: Int)], isPutting: Bool, isTaken: @escaping (String) -> Bool) {
        self.shelves = shelves
        self.isTaken = isTaken
        self.isPutting = isPutting
        table.dataSource = self
        table.surface = .popup
        table.placeholder = isPutting ? "No shelves yet: type the name of one." : "None of the shelves is called so."
        find()
    }

    /// Finds the shelves for what is typed: those in whose names all of its words are. A name that none has can be given
    /// to a new one.
    func find() {
        let words = editor.text.lowercased().split(separator: " ")
        let found = shelves.filter { entry in words.allSatisfy(entry.shelf.name.lowercased().contains) }
        choices = found.map { .shelf($0.shelf) }
        let name = words.isEmpty ? "" : editor.text.split(separator: " ").joined(separator: " ")
        if isPutting && !name.isEmpty && !isTaken(name) { choices.append(.new(name)) }
        table.reloadData()
        table.select(0, top: 0)
    }

    /// The selected one.
    var selection: Choice? { table.selectedRow.map { choices[$0] } }

    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { choices.count }

    func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
        switch choices[indexPath.row] {
        case .shelf(let shelf):
            let count = shelves.first { $0.shelf.id == shelf.id }?.count ?? 0
            return TableViewCell([.init(shelf.name), .init(count.grouped)])
        case .new(let name): return TableViewCell([.init("New shelf: \(name)", style: .strong), .init("")])
        }
    }
}
