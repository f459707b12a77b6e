public import Storage

extension UserData {
    /// Creates a shelf after the others.
    ///
    /// - Parameter name: A name that no other shelf has, ignoring case; runs of white space become one blank.
    /// - Throws: `ShelvesError`.
    @discardableResult
    public func makeShelf(named name: String) throws(ShelvesError) -> Shelf {
        let entry = try make(.shelves, named: name, text: nil, sort: nil)
        return Shelf(id: entry.id, name: entry.name)
    }

    /// Renames a shelf; see `makeShelf(named:)` for the name.
    ///
    /// - Throws: `ShelvesError`.
    public func renameShelf(_ id: Shelf.ID, to name: String) throws(ShelvesError) {
        try rename(.shelves, id, to: name)
    }

    /// Moves a shelf to `index`, clamped to the existing ones.
    ///
    /// - Throws: `FileError`; see `apply(_:to:)`.
    public func moveShelf(_ id: Shelf.ID, to index: Int) throws(FileError) { try move(.shelves, id, to: index) }

    /// Deletes a shelf but not its books; undo restores the shelf with them.
    ///
    /// - Throws: `FileError`; see `apply(_:to:)`.
    public func deleteShelf(_ id: Shelf.ID) throws(FileError) { try delete(.shelves, id) }

    /// Creates a saved search after the others; see `makeShelf(named:)` for the name.
    ///
    /// - Throws: `ShelvesError`.
    @discardableResult
    public func saveQuery(named name: String, text: String, sort: String?) throws(ShelvesError) -> SavedSearch {
        let entry = try make(.queries, named: name, text: text, sort: sort)
        return SavedSearch(id: entry.id, name: entry.name, text: text, sort: sort)
    }

    /// Renames a saved search; see `makeShelf(named:)` for the name.
    ///
    /// - Throws: `ShelvesError`.
    public func renameQuery(_ id: SavedSearch.ID, to name: String) throws(ShelvesError) {
        try rename(.queries, id, to: name)
    }

    /// Changes the query and the sort order of a saved search.
    ///
    /// - Throws: `FileError`; see `apply(_:to:)`.
    public func changeQuery(_ id: SavedSearch.ID, text: String, sort: String?) throws(FileError) {
        try set(.queries, id, .query, to: .query(text, sort: sort))
    }

    /// Moves a saved search to `index`, clamped to the existing ones.
    ///
    /// - Throws: `FileError`; see `apply(_:to:)`.
    public func moveQuery(_ id: SavedSearch.ID, to index: Int) throws(FileError) { try move(.queries, id, to: index) }

    /// Deletes a saved search.
    ///
    /// - Throws: `FileError`; see `apply(_:to:)`.
    public func deleteQuery(_ id: SavedSearch.ID) throws(FileError) { try delete(.queries, id) }

    private func make(
        _ kind: ListKind, named name: String, text: String?, sort: String?
    ) throws(ShelvesError) -> EntryList.Entry {
        takeInOthers()
        let name = try freeName(name, in: kind, except: nil)
        var step: Int?
        let id = addEntry(to: kind, named: name, text: text, sort: sort, at: moment, step: &step)
        do throws(FileError) {
            try commit()
        } catch {
            throw .notSaved(error)
        }
        // Another instance may have taken the id or the name at the same moment.
        return replay.state[kind].entries.last ?? EntryList.Entry(id: id, name: name)
    }

    /// Returns the id of the shelf with this name; if there is none, adds the line that creates it to `step`.
    ///
    /// - Returns: Nil if the name is blank.
    func shelf(named name: String, at moment: Timestamp, step: inout Int?) -> Shelf.ID? {
        do throws(ShelvesError) {
            let name = try freeName(name, in: .shelves, except: nil)
            return addEntry(to: .shelves, named: name, text: nil, sort: nil, at: moment, step: &step)
        } catch {
            guard case .nameIsTaken(let name) = error else { return nil }
            return replay.state.shelves.entry(named: name)?.id
        }
    }

    /// Adds the line that creates an entry after the others, to be saved by `commit()`.
    ///
    /// - Returns: The id of the entry.
    private func addEntry(
        to kind: ListKind, named name: String, text: String?, sort: String?, at moment: Timestamp, step: inout Int?
    ) -> String {
        let list = replay.state[kind]
        let id = "\(kind == .shelves ? "s" : "q")\(list.lastNumber + 1)"
        let entry = ListEntry(index: list.entries.count, name: name, text: text, sort: sort)
        let line = JournalEntry(
            subject: .entry(kind, id, .existence), value: .entry(entry), old: .nothing, name: name)
        step = add(line, at: moment, step: step)
        return id
    }

    private func rename(_ kind: ListKind, _ id: String, to name: String) throws(ShelvesError) {
        takeInOthers()
        let name = try freeName(name, in: kind, except: id)
        do throws(FileError) {
            try set(kind, id, .name, to: .text(name))
        } catch {
            throw .notSaved(error)
        }
    }

    private func move(_ kind: ListKind, _ id: String, to index: Int) throws(FileError) {
        try set(kind, id, .index, to: .number(min(max(0, index), replay.state[kind].entries.count - 1)))
    }

    private func delete(_ kind: ListKind, _ id: String) throws(FileError) {
        try set(kind, id, .existence, to: .nothing)
    }

    private func set(
        _ kind: ListKind, _ id: String, _ field: EntryField, to value: LineValue
    ) throws(FileError) {
        loadOnce()
        let list = replay.state[kind]
        // A deleted entry can only be restored by an undo.
        guard let index = list.index(of: id) else { return }
        let name = list.entries[index].name
        let line = JournalEntry(subject: .entry(kind, id, field), value: value, old: .nothing, name: name)
        if add(line, at: moment, step: nil) != nil { try commit() }
    }

    /// Reads the changes of other instances if possible, since names must be compared with theirs.
    func takeInOthers() { try? load() }

    private func freeName(_ name: String, in kind: ListKind, except id: String?) throws(ShelvesError) -> String {
        let name = name.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        if name.isEmpty { throw .nameIsBlank }
        if let other = replay.state[kind].entry(named: name, except: id) { throw .nameIsTaken(other.name) }
        return name
    }
}
