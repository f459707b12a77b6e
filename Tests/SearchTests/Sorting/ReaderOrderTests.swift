import Testing

@testable import Books
@testable import CatalogTesting
@testable import Indexing
@testable import Search

@Suite("Sorting by what the reader says, and by chance") struct ReaderOrderTests {
    private let index: BookIndex
    private let userData: UserDataFilter

    init() {
        var catalogRead = Book.make(title: "A")
        catalogRead.status = .read
        index = BookIndex(of: [catalogRead] + ["B", "C", "D", "E"].map { Book.make(title: $0) })
        var userData = UserDataFilter()
        userData.ratings = [StarRating(halves: 9): [3], StarRating(halves: 10): [1], StarRating(halves: 0): [4]]
        userData.statuses = [.reading: [2], .toRead: [4]]
        userData.logs[.read] = [(3, 20_240_101), (1, 20_190_101), (1, 20_260_101)]
        self.userData = userData
    }

    private func order(_ text: String, by sorter: SortOrderCache = SortOrderCache()) throws -> [UInt32] {
        let order = try #require(SortOrder(text))
        while true {
            let made = sorter.order(
                order, of: index, userData: { userData }, isComplete: true, waiting: 1000, notifying: {})
            if let made, made.isFinal { return made.indices }
        }
    }

    @Test(arguments: [
        // No stars are a rating, too.
        ("-mine", [1, 3, 4, 0, 2]), ("mine", [4, 3, 1, 0, 2]), ("-read", [1, 3, 0, 2, 4]), ("read", [3, 1, 0, 2, 4]),
        ("status", [4, 2, 0, 1, 3]), ("-status", [0, 2, 4, 1, 3]), ("status,-title", [4, 2, 0, 3, 1]),
    ])
    func ofTheReader(order: String, expected: [UInt32]) throws {
        #expect(try self.order(order) == expected)
    }

    @Test("a number gives the same order each time, and another one another") func random() throws {
        let (first, second) = (try order("random:1"), try order("random:2"))
        #expect(try order("random:1") == first)
        #expect(first.sorted() == [0, 1, 2, 3, 4])
        #expect(try first != second || order("random:3") != first)
        #expect(SortOrder("random") != SortOrder("random"))
        #expect(SortOrder("random:7")?.description == "random:7")
        #expect(SortOrder("random:x") == nil && SortOrder("random:") == nil)
    }

    @Test("asking for a random order again gives another one") func again() throws {
        let order = try #require(SortOrder("random:7"))
        #expect(order.asking(for: .random(seed: 0)) != order)
        #expect(SortOrder.list.asking(for: .mine).description == "-mine")
        #expect(SortOrder.list.asking(for: .status).description == "status")
    }

    @Test("orders of the reader's data are forgotten when that changes") func forgotten() throws {
        let sorter = SortOrderCache()
        #expect(try order("-mine", by: sorter) == [1, 3, 4, 0, 2])
        let mine = try #require(SortOrder("-mine"))
        func again() -> [UInt32]? {
            sorter.order(mine, of: index, isComplete: true, waiting: 60_000, notifying: {})?.indices
        }
        #expect(again() == [1, 3, 4, 0, 2])
        sorter.forgetReaderOrders()
        #expect(again() == [0, 1, 2, 3, 4])
    }
}
