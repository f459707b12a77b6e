internal import Books
internal import Catalog
internal import Editing
internal import Indexing
internal import Library
internal import Shelves
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
    /// Whether the next change of the books is a merge made here, after which the other groups still hold.
    private var awaitsMerge = false
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
        proposals = [:]
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
        found = moved
        groups = session.library.withoutDistinct(found)
        return true
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
        var isChanged = false
        if session.history.shifts.count != shiftCount || changes.contains(.reloaded) {
            let isOwn = awaitsMerge
            awaitsMerge = false
            if isOwn, let moved = moved(found, since: shiftCount) {
                shiftCount = session.history.shifts.count
                found = moved
                proposals = [:]
            } else {
                shiftCount = session.history.shifts.count
                search()
            }
            isChanged = true
        }
        if !changes.isDisjoint(with: [.lists, .reloaded]) || isChanged {
            groups = session.library.withoutDistinct(found)
            isChanged = true
        }
        if changes.contains(.background), takeFound() { isChanged = true }
        // A merge that was refused changes nothing.
        if session.changing.bulkChange == nil { awaitsMerge = false }
        return isChanged || isSearching
    }

    /// Undoes or redoes a change; the groups are sought again if it was one of the books.
    func reverse(_ body: () -> Void) {
        awaitsMerge = false
        body()
    }

    // MARK: - Merging

    /// Returns how the books of a group become one; nil if one of them cannot be read.
    func proposal(for group: DuplicateGroup) -> MergeProposal? {
        if let chosen = proposals[group] { return chosen }
        let books = group.books.compactMap(session.library.store.bookAtHand)
        return books.count == group.books.count ? MergeProposal(books, in: session.library.store.schema) : nil
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

    /// The number of values that merging the groups would leave out.
    func droppedValueCount(of groups: [DuplicateGroup]) -> Int {
        groups.reduce(0) { $0 + (proposal(for: $1)?.droppedValueCount ?? 0) }
    }

    /// Makes the edit.
    ///
    /// - Returns: The reason why it was not made, if that is known by then.
    func make(_ edit: BookEdit, _ activity: String) -> EditRefusal? {
        awaitsMerge = true
        let refusal = session.edit(edit, activity)
        if refusal != nil { awaitsMerge = false }
        return refusal
    }
}
