import Testing

@testable import Books
@testable import Shelves

/// Marks by the identities of their books.
@Suite("User data: the table of books") struct MarksTests {
    private func mark(_ title: String) -> UserBookData {
        UserBookData(title: title, keys: MatchKeys(of: .make(title: title)))
    }

    private func element(_ number: Int) -> Marks.Element {
        let mark = mark("\(number)")
        return (BookIdentity(key: mark.keys.hash), mark)
    }

    @Test func whatIsAddedIsFoundUntilItIsTakenAway() {
        var marks = Marks()
        let elements = (0..<20).map(element)
        for (identity, mark) in elements { marks.append(mark, as: identity) }
        #expect(marks.count == 20)
        for number in [19, 0, 7, 12] {
            guard let place = marks.place(of: elements[number].key) else {
                Issue.record("\(number) is not there")
                continue
            }
            #expect(marks[place] == elements[number].value)
            marks.remove(at: place)
            #expect(marks[elements[number].key] == nil)
        }
        #expect(marks.count == 16)
        for (number, (identity, mark)) in elements.enumerated() where ![19, 0, 7, 12].contains(number) {
            #expect(marks[identity] == mark)
        }
        #expect(Set(marks.map(\.key)) == Set(elements.map(\.key)).subtracting([19, 0, 7, 12].map { elements[$0].key }))
    }

    @Test func theyAreTheSameInWhateverOrder() {
        let elements = (0..<5).map(element)
        #expect(Marks(elements) == Marks(elements.reversed()))
        #expect(Marks(elements) != Marks(Array(elements.dropLast())))
        #expect(Marks(Array(elements.dropFirst())) != Marks(Array(elements.dropLast())))
        var changed = Marks(elements)
        if let place = changed.place(of: elements[3].key) { changed[place].rating = 1 }
        #expect(Marks(elements) != changed)
    }

    @Test func ofSeveralWithOneIdentityTheFirstCounts() {
        let elements = (0..<3).map(element)
        let other = (key: elements[1].key, value: mark("another"))
        #expect(Marks(elements + [other]) == Marks(elements))
        #expect(Marks([other] + elements)[other.key] == other.value)
        #expect(Marks([other] + elements).count == 3)
    }

    @Test func bothHalvesAreTakenIn() {
        let elements = (0..<9).map(element)
        var (first, second) = (Array(elements.prefix(4)), Array(elements.dropFirst(4)))
        #expect(Marks(taking: &first, &second) == Marks(elements))
        #expect(first.isEmpty && second.isEmpty)
    }
}
