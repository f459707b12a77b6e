@testable package import Books
@testable package import Indexing
@testable internal import Search
@testable internal import Threading

/// Compares the search with a slow reference search, for every way to run a query.
package struct SearchComparison {
    private let books: [Book]
    private let userData: UserDataFilter
    private let reference: ReferenceSearch
    private let whole: SearchedIndex
    /// The first segments only.
    private let beginning: SearchedIndex
    private let pool = ThreadPool(threadCount: 3)

    /// Creates a comparison for `books`, which `index` contains.
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

    /// Creates an index of `books` in segments of these sizes, used in turn.
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

    /// Returns a description of wrong results of the query `text`, or nil if they are right.
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

    /// Returns a description of wrong results while `word`, which consists of letters, is typed after `before`; nil if
    /// they are right.
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
