import Testing

@testable import Books
@testable import Catalog
@testable import Formats
@testable import Indexing
@testable import Library
@testable import Shelves

@Suite("Library: exports") struct BookExportTests {
    /// Keeps the identities that it gets.
    private struct Identities: BookFormatter {
        final class Found {
            var expected: [[BookIdentity]] = []
            var appended: [BookIdentity?] = []
        }

        let found = Found()
        var needsIdentities = true

        mutating func expect(_ identities: some Sequence<BookIdentity>) { found.expected.append(Array(identities)) }
        mutating func append(_ printed: PrintedBook, to text: inout [UInt8]) { found.appended.append(printed.identity) }
    }

    private let store = BookStore(
        source: InMemoryCatalog(
            name: "test",
            books: [
                Book(title: "Emma", isbn: ISBN("9780141439587")), Book(title: "Poems"), Book(title: "Poems"),
            ]))
    private let missing = {
        let book = Book(title: "Gone")
        let bookData = UserBookData(title: book.title, keys: MatchKeys(of: book))
        return (identity: BookIdentity(key: .init(of: book)), bookData: bookData)
    }()

    private func found(_ list: [UInt32], missing: Bool, by form: Identities) -> Identities.Found {
        var text: [UInt8] = []
        var export = BookExport(
            BookList(numbers: list), missing: missing ? [self.missing] : [], of: store, as: form, userDataOf: nil)
        #expect(export.write(.max, to: &text) == .finished)
        return form.found
    }

    /// A format can name its file after them; those of books that only the user data knows come last.
    @Test(arguments: [[2, 0, 1], [2], []] as [[UInt32]], [true, false])
    func theIdentitiesAreThoseOfTheBooks(list: [UInt32], missing: Bool) {
        let found = found(list, missing: missing, by: Identities())
        let names = ["isbn:9780141439587", nil, nil]
        #expect(found.expected.count == 1 && found.expected.first == found.appended.compactMap(\.self))
        #expect(found.appended.count == list.count + (missing ? 1 : 0))
        for (number, identity) in zip(list, found.appended) {
            #expect(identity?.occurrence == (number == 2 ? 2 : 1))
            if let name = names[Int(number)] { #expect(identity?.description == name) }
        }
        #expect(!missing || found.appended.last == self.missing.identity)
    }

    @Test func theyAreNotComputedForFormatsWithoutThem() {
        #expect(self.found([0, 1], missing: false, by: Identities(needsIdentities: false)).expected == [])
    }
}
