internal import Books
internal import Catalog
internal import Editing
internal import Indexing
internal import Library
internal import Shelves
internal import Storage
internal import TerminalUI
internal import Text

/// The groups of duplicates while the reader goes through them: the search for them, the values chosen for each, and
/// what becomes of them when books change.
final class DuplicateReview {
    /// The groups as they are now, without the books that are said not to be the same.
    private(set) var groups: [DuplicateGroup] = []
    /// All groups that were found, of the books as they are now.
    private var found: [DuplicateGroup] = []
    private var finder: DuplicateFinder
    /// The number of shifts of books at the start of the search.
    private var startCount: Int
    /// The number of shifts of books that `found` takes into account.
    private var shiftCount: Int
    /// The proposals in which the reader has chosen another value.
    private var proposals: [DuplicateGroup: MergeProposal] = [:]
    /// The number of shifts of books once the merge that is made here ends: the other groups still hold then.
    private var countAfterMerge: Int?
    /// The proposal that was asked for last.
    private var last: (group: DuplicateGroup, proposal: MergeProposal)?
    /// The number of times that the groups have changed.
    private(set) var version = 0
    private let session: Session

    /// Starts the search; nil if the source cannot be searched.
    init?(_ session: Session) {
        session.takeShift()
        guard session.library.store.local != nil,
            let finder = session.library.startFindingDuplicates(notifying: session.wake)
        else { return nil }
        (self.session, self.finder) = (session, finder)
        startCount = session.history.shifts.count
        shiftCount = startCount
        finder.wait(milliseconds: session.settings.timeBudget ?? Session.frame)
        _ = takeFound()
    }

    /// Whether groups are still being sought.
    var isSearching: Bool { !finder.isDone }

    /// The part of the search that is done, from 0 to 1; nil if it has ended.
    var fraction: Double? { isSearching ? finder.fraction : nil }

    /// Stops the search; what was found is kept.
    func stop() { finder.stop() }

    private func search() {
        guard let next = session.library.startFindingDuplicates(notifying: session.wake) else { return }
        finder.stop()
        finder = next
        startCount = session.history.shifts.count
        finder.wait(milliseconds: session.settings.timeBudget ?? Session.frame)
        _ = takeFound()
    }

    /// Takes over what was found so far.
    ///
    /// - Returns: Whether there are other groups now.
    private func takeFound() -> Bool {
        guard let new = finder.groups else { return false }
        guard let moved = moved(new, since: startCount) else { return false }
        shiftCount = session.history.shifts.count
        if moved == found { return false }
        take(moved)
        return true
    }

    /// Shows these groups; the values that were chosen for those that have only moved stay chosen.
    private func take(_ groups: [DuplicateGroup]) {
        found = groups
        last = nil
        showGroups()
    }

    /// Leaves out what the reader says is not the same.
    private func showGroups() {
        groups = session.library.withoutDistinct(found, certain: found)
        version += 1
    }

    /// Returns the groups at the present places of their books, without books that are gone; nil if the places are not
    /// known.
    private func moved(_ groups: [DuplicateGroup], since count: Int) -> [DuplicateGroup]? {
        let shifts = session.history.shifts[min(count, session.history.shifts.count)...]
        if shifts.contains(where: \.isUnknown) { return nil }
        if shifts.isEmpty { return groups }
        return groups.compactMap { group in
            let books = group.books.compactMap { id in
                shifts.reduce(Optional(id)) { id, shift in id.flatMap { shift($0) } }
            }
            return books.count > 1 ? DuplicateGroup(group.reason, books) : nil
        }
    }

    // MARK: - Changes

    /// Takes over what has changed in the session.
    ///
    /// - Returns: Whether the groups must be shown again.
    func receive(_ changes: SessionChanges) -> Bool {
        var isChanged = follow()
        if changes.contains(.background), takeFound() { isChanged = true }
        if !isChanged, changes.contains(.lists) {
            showGroups()
            isChanged = true
        }
        // A merge that was refused changes nothing.
        if session.changing.bulkChange == nil { countAfterMerge = nil }
        return isChanged || isSearching
    }

    /// Moves the groups with their books, and searches again unless the books were merged here.
    ///
    /// - Returns: Whether books have changed or moved since the last time.
    func follow() -> Bool {
        let shiftCount = session.history.shifts.count
        if shiftCount == self.shiftCount { return false }
        let isOwn = shiftCount == countAfterMerge
        let known = moved(found, since: self.shiftCount)
        let chosen = proposals
        proposals = [:]
        for (group, proposal) in chosen {
            guard let moved = moved([group], since: self.shiftCount)?.first, moved.books.count == group.books.count
            else {
                continue
            }
            proposals[moved] = proposal
        }
        self.shiftCount = shiftCount
        countAfterMerge = nil
        // Groups at places that are not known would be other books.
        take(known ?? [])
        if !isOwn || known == nil { search() }
        return true
    }

    // MARK: - Merging

    /// Returns how the books of a group become one; nil if one of them cannot be read.
    func proposal(for group: DuplicateGroup) -> MergeProposal? {
        if let chosen = proposals[group] { return chosen }
        if let last, last.group == group { return last.proposal }
        let books = group.books.compactMap(session.library.store.bookAtHand)
        guard books.count == group.books.count else { return nil }
        let proposal = MergeProposal(books, in: session.library.store.schema)
        last = (group, proposal)
        return proposal
    }

    /// Changes how the books of a group become one.
    func choose(in group: DuplicateGroup, _ change: (inout MergeProposal) -> Void) {
        guard var proposal = proposal(for: group) else { return }
        change(&proposal)
        proposals[group] = proposal
    }

    /// Returns the edit that merges the books of each group; nil if one of them cannot be read.
    func edit(merging groups: [DuplicateGroup]) -> BookEdit? {
        let all = groups.compactMap { group in proposal(for: group).map { ($0, $0.merging(group.books)) } }
        guard all.count == groups.count, let first = all.first?.0 else { return nil }
        return BookEdit(merging: all.map(\.1), title: first.books[first.kept].shownTitle)
    }

    /// The number of values, of the books and of the reader's data, that merging the groups would leave out.
    func droppedValueCount(of groups: [DuplicateGroup]) -> Int {
        groups.reduce(0) { count, group in
            let values = proposal(for: group)?.droppedValueCount ?? 0
            return count + values + session.library.droppedMarkCount(merging: group.books)
        }
    }

    /// Makes the edit of groups as they are now.
    ///
    /// - Returns: The reason why it was not made, if that is known by then.
    func make(_ edit: BookEdit, _ activity: String) -> EditRefusal? {
        countAfterMerge = shiftCount + 1
        let refusal = session.edit(edit, activity)
        if refusal != nil { countAfterMerge = nil }
        return refusal
    }

    /// Says that the books of a group are not the same.
    func setDistinct(_ group: DuplicateGroup) throws(FileError) {
        try session.library.setDistinct(group, certain: found)
    }
}
