internal import CatalogTesting
import Testing

@testable import Books
@testable import Shelves

/// User data by the identities of the books.
@Suite("User data: the table of books") struct UserDataTableTests {
    private func mark(_ title: String) -> UserBookData {
        UserBookData(title: title, keys: MatchKeys(of: .make(title: title)))
    }

    private func element(_ number: Int) -> UserDataTable.Element {
        let bookData = mark("\(number)")
        return (BookIdentity(key: bookData.keys.hash), bookData)
    }

    @Test func recordsAreFoundUntilTheyAreRemoved() {
        var books = UserDataTable()
        let elements = (0..<20).map(element)
        for (identity, bookData) in elements { books.append(bookData, as: identity) }
        #expect(books.count == 20)
        for number in [19, 0, 7, 12] {
            guard let position = books.position(of: elements[number].key) else {
                Issue.record("\(number) is not there")
                continue
            }
            #expect(books[position] == elements[number].value)
            books.remove(at: position)
            #expect(books[elements[number].key] == nil)
        }
        #expect(books.count == 16)
        for (number, (identity, bookData)) in elements.enumerated() where ![19, 0, 7, 12].contains(number) {
            #expect(books[identity] == bookData)
        }
        #expect(Set(books.map(\.key)) == Set(elements.map(\.key)).subtracting([19, 0, 7, 12].map { elements[$0].key }))
    }

    @Test func theyAreTheSameInWhateverOrder() {
        let elements = (0..<5).map(element)
        #expect(UserDataTable(elements) == UserDataTable(elements.reversed()))
        #expect(UserDataTable(elements) != UserDataTable(Array(elements.dropLast())))
        #expect(UserDataTable(Array(elements.dropFirst())) != UserDataTable(Array(elements.dropLast())))
        var changed = UserDataTable(elements)
        if let position = changed.position(of: elements[3].key) { changed[position].rating = 1 }
        #expect(UserDataTable(elements) != changed)
    }

    @Test func ofSeveralWithOneIdentityTheFirstCounts() {
        let elements = (0..<3).map(element)
        let other = (key: elements[1].key, value: mark("another"))
        #expect(UserDataTable(elements + [other]) == UserDataTable(elements))
        #expect(UserDataTable([other] + elements)[other.key] == other.value)
        #expect(UserDataTable([other] + elements).count == 3)
    }

    @Test func bothHalvesAreTakenIn() {
        let elements = (0..<9).map(element)
        var (first, second) = (Array(elements.prefix(4)), Array(elements.dropFirst(4)))
        #expect(UserDataTable(taking: &first, &second) == UserDataTable(elements))
        #expect(first.isEmpty && second.isEmpty)
    }
}
