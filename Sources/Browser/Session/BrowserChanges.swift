internal import Indexing
internal import Library
internal import Search
internal import Shelves
internal import Storage
internal import TerminalUI

/// Showing what changed of the reader's own, here or in another stacks.
extension Browser {
    /// Shows what is another now that the reader's own was changed, here or by another stacks.
    func showChanges() {
        isDetailStale = true
        listsTable.reloadData()
        if let current = library.lists.first(where: { $0 == list }) {
            // It may be called something else now.
            list = current
            if list == .all, !listing.request.asksForMarks {
                bookTable.reloadData()
            } else {
                refillKeepingSelection()
            }
        } else {
            leaveListThatIsGone()
        }
        library.countQueries(notifying: notify)
    }

    /// Shows what is the reader's own, where it was read meanwhile.
    func takeInShelves() {
        do throws(FileError) {
            guard try library.takeInShelves(notifying: notify) else { return }
            if let notice = library.shelves.notice { addNotice(notice) }
        } catch {
            addNotice("favourites and shelves are missing, as they cannot be read: \(error.savingSentence)")
        }
        let pendingJump = pendingJump
        showChanges()
        if let pendingJump { resumeJump(pendingJump) }
    }

    /// Says what the reader must know, behind what is said already.
    private func addNotice(_ notice: String) { message += (message.isEmpty ? "" : "; ") + notice }

    /// Shows all books in place of the list that was open, as it is gone.
    private func leaveListThatIsGone() {
        if message.isEmpty { message = "The list \(list.name) is gone: it was deleted elsewhere" }
        let row = focus == .lists ? listsTable.selectedRow : nil
        if overlays.contains(.facets) || overlays.contains(.statistics) { closeOverlays() }
        if focus == .detail { focus = .list }
        show(.all)
        guard let row else { return }
        showLists()
        listsTable.select(row)
    }

    /// Shows the books that the open list has now. The selected one stays selected; where it left the list, the one behind
    /// it is.
    private func refillKeepingSelection() {
        let (index, missing) = (selectedIndex, selectedMissing)
        let (row, top) = (bookTable.selectedRow ?? 0, bookTable.topRow)
        anchor = nil
        refill()
        guard listing.progress == nil else {
            anchor = index.map { ScrollAnchor(index: $0, offset: row - top) }
            return
        }
        let place =
            index.flatMap { bookSource.list.row(of: $0) }
            ?? missing.flatMap { identity in bookSource.missing.firstIndex { $0.identity == identity } }
            .map { $0 + bookSource.list.count }
        if let place {
            if place != row { bookTable.select(place, top: place - (row - top)) }
        } else if focus == .detail {
            // Another book takes the place of one that left the list: not the moment to read on.
            focus = .list
        }
    }

    /// Shows how many books the saved queries find, where that was counted meanwhile.
    func takeInCounts() {
        if !library.shelves.queries.isEmpty { listsTable.reloadData() }
    }

    /// Takes in what other instances changed, where they did.
    func takeInChangesOfOthers() {
        guard library.shelves.isRead else { return }
        let before = library.shelves.changeCount
        // What cannot be read now is read the next time.
        try? library.shelves.load()
        if library.shelves.changeCount != before { showChanges() }
    }
}
