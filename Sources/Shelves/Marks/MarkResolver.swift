internal import Books
public import Indexing

/// Which books of a catalog the marks are on: where each mark's book is now, though the catalog was sorted anew, edited,
/// downloaded again, or is another one.
///
/// A mark goes to the book that matches it best; where several marks match one book, it is the surest one's, and the
/// others go to the next best. Records that are alike in all their keys are told apart by their order. The catalog's own
/// keys for its books are no help: the index of a catalog does not have them, and reading all records for them would cost
/// more than all else at the start.
public struct MarkResolver: Sendable {
    /// What is to be known of a mark to find its book; and its title, by which those without one are ordered.
    private struct Sought {
        var identity: BookIdentity
        var keys: MatchKeys
        var title: String
    }

    private let sought: [Sought]
    private var finder: BookLookup
    /// Which of the marks that are sought is the best one of each book that was found, by the book's number, and 1 more; 0
    /// where there is none. A dictionary takes three times as long to make.
    private var best: [UInt32] = []
    /// The names of all marks of each book that has several, of a book.
    private var several: [BookID: [BookIdentity]] = [:]
    /// The names of the marks of each book whose marks were changed since.
    private var changed: [BookID: [BookIdentity]] = [:]
    /// The names of the marks that are on no book, by their titles.
    private(set) var orphans: [BookIdentity] = []
    /// Whether all marks are among those that are sought.
    public private(set) var knowsAllMarks = true

    /// The places of `marks` among the books in `index`. Linear in the index, a few nanoseconds a book, and in the marks, a few
    /// hundred each.
    init(of marks: Marks, in index: BookIndex) {
        // By their places: an iterator would copy each mark.
        sought = marks.elements.indices.map { place in
            Sought(
                identity: marks.elements[place].key, keys: marks.elements[place].value.keys,
                title: marks.elements[place].value.title)
        }
        var keys: [BookIdentity.Key] = []
        keys.reserveCapacity(2 * sought.count)
        for mark in sought {
            keys.append(mark.keys.hash)
            if let isbn = mark.keys.isbn { keys.append(isbn) }
            let key = mark.identity.key
            if key != mark.keys.hash, key != mark.keys.isbn { keys.append(key) }
        }
        finder = BookLookup(of: keys, in: index)
        place()
    }

    /// How many books are known.
    public var bookCount: Int { finder.count }

    /// Takes in the books that came to the end of `index`. Linear in them, and, where a mark may be on one of them, in the
    /// marks.
    ///
    /// - Returns: Whether marks may be on other books now.
    @discardableResult
    public mutating func extend(to index: BookIndex) -> Bool {
        guard finder.extend(to: index) else { return false }
        place()
        return true
    }

    private mutating func place() {
        best = Array(repeating: 0, count: finder.numberCount)
        several = [:]
        var orphans: [UInt32] = []
        // No two marks have one name, and no two books one identity: the order does not matter yet.
        for (mark, sought) in sought.enumerated() {
            if let number = finder.number(of: sought.identity, having: sought.keys) {
                best[number] = UInt32(mark) + 1
            } else {
                orphans.append(UInt32(mark))
            }
        }
        orphans.sort { sought[Int($0)].identity < sought[Int($1)].identity }
        for match in MatchKeys.Match.allCases {
            orphans.removeAll { mark in
                let numbers = finder.ids(matching: sought[Int(mark)].keys, by: match).lazy.compactMap(finder.number)
                guard let number = numbers.first(where: { best[$0] == 0 }) else { return false }
                best[number] = mark + 1
                return true
            }
        }
        // A mark whose books all have one already goes with the best of them.
        orphans.removeAll { mark in
            let mark = sought[Int(mark)]
            guard let book = finder.ids(bestMatching: mark.keys).first else { return false }
            several[book] = (several[book] ?? [bestIdentity(of: book)].compactMap(\.self)) + [mark.identity]
            return true
        }
        let marks = orphans.map { sought[Int($0)] }
        self.orphans = marks.sorted {
            $0.title == $1.title ? $0.identity < $1.identity : $0.title < $1.title
        }.map(\.identity)
    }

    /// The name of the best mark that was found for a book.
    private func bestIdentity(of id: BookID) -> BookIdentity? {
        guard let number = finder.number(of: id), best[number] > 0 else { return nil }
        return sought[Int(best[number]) - 1].identity
    }

    /// The names of the marks of a book, the best first.
    func identities(of id: BookID) -> [BookIdentity] {
        changed[id] ?? several[id] ?? bestIdentity(of: id).map { [$0] } ?? []
    }

    /// The name of the mark of a book, if it has one and no more.
    func onlyIdentity(of id: BookID) -> BookIdentity? {
        if let identities = changed[id] ?? several[id] { return identities.count == 1 ? identities[0] : nil }
        return bestIdentity(of: id)
    }

    /// The books that have marks, in the catalog's order.
    var books: [BookID] {
        let found = best.indices.lazy.filter { best[$0] > 0 }.compactMap(finder.id(ofNumber:))
        if changed.isEmpty { return Array(found) }
        return (found.filter { changed[$0] == nil } + changed.keys.filter { changed[$0] != [] }).sorted()
    }

    /// Says that a book has the marks of these names.
    mutating func setMarks(_ identities: [BookIdentity], of id: BookID) {
        if identities == self.identities(of: id) { return }
        knowsAllMarks = false
        changed[id] = identities
    }
}

extension UserData {
    /// The places of the marks among the books in `index`.
    public func places(in index: BookIndex) -> MarkResolver { MarkResolver(of: marks, in: index) }
}

extension UserData.Content {
    /// The places of the marks among the books in `index`.
    public func places(in index: BookIndex) -> MarkResolver { MarkResolver(of: ledger.kept.marks, in: index) }
}
