internal import Library
internal import Shelves

/// The shelf picker: putting books on a shelf, and taking them off.
extension Browser {
    /// Lets the reader pick a shelf to put the books on, or to take them off.
    func openShelfPicker(isPutting: Bool) {
        guard let targets = ownTargets() else { return }
        let marks = targets.books.map(library.mark(at:)) + targets.missing.map { library.shelves.marks[$0] }
        var shelves = library.shelves.shelves
        if !isPutting {
            shelves = shelves.filter { shelf in marks.contains { $0?.shelves.contains(shelf.id) ?? false } }
            guard let first = shelves.first else {
                let isOne = targets.books.count + targets.missing.count == 1
                message = isOne ? "This book is on no shelf" : "These books are on no shelf"
                return
            }
            if shelves.count == 1 {
                apply(.shelf(first.id, false), to: targets, saying: "No longer on \(first.name): \(targets.name)")
                return
            }
        }
        shelfPicker = ShelfPicker(
            shelves.map { ($0, library.count(of: NamedList(.shelf($0.id), name: $0.name)) ?? 0) },
            isPutting: isPutting, isTaken: { [library] in library.list(named: $0) != nil })
        pickedFor = targets
        overlays.append(.shelves)
    }

    /// Puts the books on the shelf that is selected in the picker, or takes them off.
    func pickShelf() {
        guard let picker = shelfPicker, let choice = picker.selection else { return }
        closeOverlay()
        guard let targets = ownTargets() else { return }
        guard targets.isLike(pickedFor) else {
            message = "Nothing was done, as the list has changed meanwhile: choose the book again"
            return
        }
        switch choice {
        case .shelf(let shelf):
            apply(
                .shelf(shelf.id, picker.isPutting), to: targets,
                saying: (picker.isPutting ? "On \(shelf.name): " : "No longer on \(shelf.name): ") + targets.name)
        case .new(let name):
            guard let shelf = makeShelf(named: name) else { return }
            apply(.shelf(shelf.id, true), to: targets, saying: "On \(shelf.name), which is new: \(targets.name)")
        }
    }

    private func makeShelf(named name: String) -> Shelf? {
        do throws(ShelvesError) {
            try checkName(name)
            return try library.shelves.makeShelf(named: name)
        } catch {
            message = error.sentence
            // Where it could not be saved it is there all the same, in memory.
            return library.shelves.shelves.first { $0.name == name }
        }
    }
}
