@testable package import Books
@testable package import Indexing
@testable internal import Search
@testable internal import Threading

/// Holds what the search finds in books against what a slow one finds, in every way in which it can be asked.
package struct SearchComparison {
    private let books: [Book]
    private let userData: UserDataFilter
    private let reference: ReferenceSearch
    private let whole: SearchedIndex
    /// The first segments alone.
    private let beginning: SearchedIndex
    private let pool = ThreadPool(threadCount: 3)

    /// Of `books`, which `index` has.
    package init(_ books: [Book], _ index: BookIndex) {
        self.books = books
        whole = SearchedIndex(index)
        userData = UserDataFilter(
            favourites: (0..<UInt32(books.count)).filter { $0 % 3 == 1 },
            shelves: ["shelf": (0..<UInt32(books.count)).filter { $0 % 7 == 2 }])
        reference = ReferenceSearch(books, userData: userData)
        var first = BookIndex()
        for segment in index.segments.prefix(index.segments.count / 2) { first.append(segment) }
        beginning = SearchedIndex(first)
    }

    /// An index of `books` in segments of such sizes, in turn.
    package static func index(of books: [Book], segments sizes: [Int]) -> BookIndex {
        var index = BookIndex()
        var start = 0
        var turn = 0
        while start < books.count {
            let end = min(books.count, start + sizes[turn % sizes.count])
            for segment in BookIndex(of: Array(books[start..<end])).segments { index.append(segment) }
            start = end
            turn += 1
        }
        return index
    }

    /// What is wrong with what `text` finds; nil where nothing is.
    package func complaint(about text: String) -> String? {
        let query = Query(text)
        let expected = reference.search(query)
        func differs(_ result: SearchResult, _ expected: [Int]) -> Bool {
            !result.isComplete || result.list.rows != expected
        }
        let found = whole.search(query, userData: userData)
        if differs(found, expected) { return "\(text): found \(described(found, expected))" }
        if differs(whole.search(query, userData: userData, on: pool), expected) {
            return "\(text): threads find other books"
        }
        let first = beginning.search(query, userData: userData)
        if differs(whole.search(query, userData: userData, after: first, isSame: true), expected) {
            return "\(text): going on finds other books"
        }
        if differs(whole.search(query, userData: userData, after: found), expected) {
            return "\(text): again finds other books"
        }
        let ordered = stride(from: books.count - 1, to: 0, by: -3).map(\.self)
        let members = Set(ordered)
        let list = BookList(ordered)
        if differs(whole.search(query, in: list, userData: userData), expected.filter(members.contains)) {
            return "\(text): some books are searched otherwise"
        }
        let isFound = Set(expected)
        if differs(whole.search(query, in: list, isSorted: true, userData: userData), ordered.filter(isFound.contains))
        {
            return "\(text): the order is not kept"
        }
        return nil
    }

    /// What is wrong when `word`, of letters alone, is typed behind `before`; nil where nothing is.
    package func complaintWhenTyping(_ word: String, behind before: String) -> String? {
        var earlier: (query: Query, result: SearchResult)?
        var typed = before
        for character in word {
            typed.append(character)
            let query = Query(typed)
            let fresh = whole.search(query, userData: userData).list.rows
            if let earlier {
                if !Set(fresh).isSubset(of: earlier.result.list.rows) { return "\(typed): more than before" }
                if !query.refines(earlier.query) { return "\(typed): is not known to find less" }
            }
            let narrowed = whole.search(query, userData: userData, after: earlier?.result)
            if narrowed.list.rows != fresh { return "\(typed): narrowing finds other books" }
            earlier = (query, narrowed)
        }
        return nil
    }

    private func described(_ result: SearchResult, _ expected: [Int]) -> String {
        let rows = result.list.rows
        let surplus = rows.filter { !expected.contains($0) }.prefix(3).map { books[$0] }
        let missing = expected.filter { !rows.contains($0) }.prefix(3).map { books[$0] }
        return surplus.isEmpty && missing.isEmpty
            ? "in the order \(rows.prefix(20)), not \(expected.prefix(20))" : "\(surplus) and not \(missing)"
    }
}
