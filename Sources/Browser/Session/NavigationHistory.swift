internal import Editing
internal import Library
internal import Search

/// A position in the navigation history: a list, its request, and the current book.
struct HistoryEntry: Hashable {
    /// The list that was open.
    var list: NamedList
    /// The query, order and grouping of the list.
    var request: ListRequest
    /// The current book.
    var anchor: ScrollAnchor
}

/// The positions that the user can go back and forward to, and the bookmarks.
struct NavigationHistory {
    /// The bookmarks.
    var bookmarks: [Bookmark] = []
    /// The shifts of book positions, in order.
    private(set) var shifts: [BookShift] = []
    private var earlier: [HistoryEntry] = []
    private var later: [HistoryEntry] = []
    /// Whether the last command went back or forward. If so, Tab goes forward, because terminals send Tab for ^i.
    private(set) var hasJustMoved = false

    /// Returns whether the last command went back or forward, and resets that.
    mutating func resetHasJustMoved() -> Bool {
        defer { hasJustMoved = false }
        return hasJustMoved
    }

    /// Updates the books of all entries for a shift of positions.
    mutating func note(_ shift: BookShift) {
        if shift.isEmpty { return }
        shifts.append(shift)
        for index in earlier.indices { earlier[index].anchor.id = earlier[index].anchor.id.flatMap { shift($0) } }
        for index in later.indices { later[index].anchor.id = later[index].anchor.id.flatMap { shift($0) } }
    }

    /// Adds `entry` as the latest position and removes those ahead.
    mutating func leave(_ entry: HistoryEntry) {
        earlier.append(entry)
        later = []
    }

    /// Returns the previous position, or the next one if the user went back; nil if there is none in one of `lists`.
    ///
    /// - Parameter entry: The current position.
    mutating func go(forward isForward: Bool, from entry: HistoryEntry, in lists: [NamedList]) -> HistoryEntry? {
        if isForward {
            return Self.go(along: &later, leaving: &earlier, from: entry, in: lists, &hasJustMoved)
        }
        return Self.go(along: &earlier, leaving: &later, from: entry, in: lists, &hasJustMoved)
    }

    private static func go(
        along trail: inout [HistoryEntry], leaving other: inout [HistoryEntry], from entry: HistoryEntry,
        in lists: [NamedList],
        _ hasJustMoved: inout Bool
    ) -> HistoryEntry? {
        trail.removeAll { !lists.contains($0.list) }
        guard let next = trail.popLast() else { return nil }
        other.append(entry)
        hasJustMoved = true
        return next
    }
}
