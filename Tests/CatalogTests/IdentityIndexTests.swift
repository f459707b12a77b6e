import Testing

@testable import Catalog

struct IdentityIndexTests {
    private let a = BookIdentity.Key(of: .make(title: "A"))
    private let b = BookIdentity.Key(of: .make(title: "B"))
    private let c = BookIdentity.Key(of: .make(title: "C"))

    @Test func doublesAreCountedInFileOrder() {
        let index = IdentityIndex(keys: [a, b, a, c, a, b])
        let expected = [(a, 1), (b, 1), (a, 2), (c, 1), (a, 3), (b, 2)].map(BookIdentity.init(key:occurrence:))
        #expect((0..<6).map(index.identity(at:)) == expected)
    }

    @Test func anIdentityLeadsBackToItsBook() {
        let index = IdentityIndex(keys: [a, b, a, c, a, b])
        #expect(index.index(of: BookIdentity(key: a)) == 0)
        #expect(index.index(of: BookIdentity(key: a, occurrence: 2)) == 2)
        #expect(index.index(of: BookIdentity(key: a, occurrence: 3)) == 4)
        #expect(index.index(of: BookIdentity(key: b, occurrence: 2)) == 5)
        #expect(index.index(of: BookIdentity(key: c)) == 3)
    }

    @Test func anIdentityThatIsNotThereIsNowhere() {
        let index = IdentityIndex(keys: [a, b, a])
        #expect(index.index(of: BookIdentity(key: c)) == nil)
        #expect(index.index(of: BookIdentity(key: a, occurrence: 3)) == nil)
        #expect(index.index(of: BookIdentity(key: b, occurrence: 2)) == nil)
        #expect(IdentityIndex(keys: []).index(of: BookIdentity(key: a)) == nil)
    }

    @Test func manyDoublesAreAllToldApart() {
        let index = IdentityIndex(keys: (0..<101).map { $0.isMultiple(of: 2) ? a : b })
        for row in 0..<101 {
            let identity = BookIdentity(key: row.isMultiple(of: 2) ? a : b, occurrence: row / 2 + 1)
            #expect(index.identity(at: row) == identity)
            #expect(index.index(of: identity) == row)
        }
    }
}
