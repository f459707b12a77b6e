internal import Catalog
internal import Library
internal import Search

/// Where the reader was: what was listed, and the book that was current.
struct HistoryEntry: Hashable {
    /// The list that was open.
    var list: NamedList
    /// What was asked of it.
    var request: ListRequest
    /// The current book.
    var anchor: ScrollAnchor
}

/// The way that the reader came, to go back and forward on.
struct NavigationHistory {
    /// What became of the positions of books, one shift after the other.
    private(set) var shifts: [BookShift] = []
    private var earlier: [HistoryEntry] = []
    private var later: [HistoryEntry] = []
    /// Whether the last command went back or forward: then Tab, which terminals send for ^i, goes forward.
    private(set) var hasJustGone = false

    /// Whether the last command went back or forward, which it is no more.
    mutating func forgetHavingGone() -> Bool {
        defer { hasJustGone = false }
        return hasJustGone
    }

    /// Notes that books have other positions.
    mutating func note(_ shift: BookShift) {
        if shift.isEmpty { return }
        shifts.append(shift)
        for index in earlier.indices { earlier[index].anchor.id = earlier[index].anchor.id.flatMap { shift($0) } }
        for index in later.indices { later[index].anchor.id = later[index].anchor.id.flatMap { shift($0) } }
    }

    /// Remembers `visit`, as the reader goes on from there.
    mutating func leave(_ visit: HistoryEntry) {
        earlier.append(visit)
        later = []
    }

    /// The visit before, or the one that the reader went back from; nil if there is none in one of `lists`.
    ///
    /// - Parameter visit: Where the reader is.
    mutating func go(forward isForward: Bool, from visit: HistoryEntry, in lists: [NamedList]) -> HistoryEntry? {
        if isForward {
            return Self.go(along: &later, leaving: &earlier, from: visit, in: lists, &hasJustGone)
        }
        return Self.go(along: &earlier, leaving: &later, from: visit, in: lists, &hasJustGone)
    }

    private static func go(
        along trail: inout [HistoryEntry], leaving other: inout [HistoryEntry], from visit: HistoryEntry,
        in lists: [NamedList],
        _ hasJustGone: inout Bool
    ) -> HistoryEntry? {
        trail.removeAll { !lists.contains($0.list) }
        guard let next = trail.popLast() else { return nil }
        other.append(visit)
        hasJustGone = true
        return next
    }
}
