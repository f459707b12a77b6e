internal import Catalog
internal import Library
internal import Search

/// From a book to its like, and back to where the reader was.
extension Browser {
    /// Where the reader was in a list.
    struct ListPlace: Hashable {
        var list: NamedList
        /// The selected row, and the row at the top of the screen.
        var row: Int
        var top: Int
    }

    /// Where the reader was: what was listed, and the book that was selected.
    struct Visit: Hashable {
        /// The list that was open.
        var list: NamedList
        var request: ListPipeline.Request
        var anchor: ScrollAnchor
    }

    /// Where the reader is.
    var visit: Visit { Visit(list: list, request: listing.request, anchor: anchor ?? selection) }

    /// Lists the books that are like the selected one.
    func list(_ likeness: RelatedBooks) {
        guard let index = selectedIndex, let book = library.store.book(at: index) else { return }
        guard let text = likeness.query(for: book) else {
            message = "This book has no \(likeness.label)"
            return
        }
        goOn(to: text)
    }

    /// Lists what a query finds among all books, and remembers where the reader was.
    ///
    /// - Parameter isSameList: Whether it is among the books of this list.
    func goOn(to text: String, isSameList: Bool = false) {
        let visit = visit
        trail.append(visit)
        forwardTrail = []
        wholeList = nil
        if visit.list != .all && !isSameList { showBooks(of: .all) }
        var request = listing.request
        request.query = Query(text)
        anchor = anchor ?? visit.anchor
        change(to: request)
        settleListing()
        rememberSearch()
    }

    /// Goes to where the reader was before.
    func goBackward() {
        go(along: \.trail, leaving: \.forwardTrail, orElse: "There is nothing to go back to")
    }

    /// Goes to where the reader went back from.
    func goForward() {
        go(along: \.forwardTrail, leaving: \.trail, orElse: "There is nothing to go forward to")
    }

    private typealias Trail = ReferenceWritableKeyPath<Browser, [Visit]>

    private func go(along trail: Trail, leaving other: Trail, orElse refusal: String) {
        self[keyPath: trail].removeAll { !library.lists.contains($0.list) }
        guard let next = self[keyPath: trail].popLast() else {
            message = refusal
            return
        }
        self[keyPath: other].append(visit)
        wholeList = nil
        restore(next)
        hasJustGoneBack = true
    }

    func restore(_ visit: Visit) {
        if focus == .lists || list != visit.list { showBooks(of: visit.list) }
        anchor = visit.anchor
        focus = .list
        endRange()
        listing.change(to: visit.request)
        _ = listing.advance(milliseconds: timeBudget)
        takeListing()
    }
}

extension RelatedBooks {
    /// What is alike, for people.
    fileprivate var label: String {
        switch self {
        case .author: "author"
        case .series: "series"
        case .subject: "subject"
        case .year: "year of publication"
        }
    }
}
