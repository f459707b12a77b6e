import Shelves
import Testing

@testable import Books
@testable import CatalogTesting
@testable import Indexing
@testable import Library

/// The books in each list that depends on user data.
@Suite("User data of a catalog") struct UserDataByListTests {
    @Test func updatedListsEqualRecomputedOnes() throws {
        let books = (0..<40).map { Book.make(title: "\($0)") }
        let index = BookIndex(of: books)
        let shelves = UserData(directory: nil)
        let shelf = try shelves.makeShelf(named: "Summer")
        let lists = [
            NamedList.favourites, .status(.reading), .status(.read), NamedList(.shelf(shelf.id), name: ""),
        ]
        var byList = UserDataByList(UserDataIndex(shelves, in: index))
        var random = SystemRandomNumberGenerator()
        for turn in 0..<300 {
            let change: UserDataChange =
                switch turn % 4 {
                case 0: .favourite(.random(using: &random))
                case 1: .status([.reading, .read, nil].randomElement(using: &random) ?? nil)
                case 2: .shelf(shelf.id, .random(using: &random))
                default: .rating([nil, 3].randomElement(using: &random) ?? nil)
                }
            let chosen = Array(books.indices.shuffled(using: &random).prefix(turn % 50 == 0 ? 40 : 2))
            let identities = try shelves.apply(
                change,
                to: chosen.map {
                    UserDataTarget(
                        book: books[$0], identity: index.identity(of: BookID($0)),
                        identities: byList.index.identities(of: BookID($0)),
                        catalog: nil)
                })
            byList.take(identities[...], of: chosen.map { BookID($0) })
            var anew = UserDataByList(UserDataIndex(shelves, in: index))
            for list in lists { #expect(byList.members(of: list).books == anew.members(of: list).books) }
        }
    }
}
