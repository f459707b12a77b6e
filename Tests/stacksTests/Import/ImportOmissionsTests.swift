import Books
import JSON
import Testing

@testable import stacks

@Suite("Import: what is left out") struct ImportOmissionsTests {
    private func read(_ text: String) throws -> ImportedBooks {
        try ImportedBooks(try ImportedFile(Array(text.utf8), shownPath: "f"), destination: .favourites)
    }

    private func lines(_ read: ImportedBooks) -> [String] {
        read.omissions.values.map { "\($0.count) \($0.name): \($0.text), line \($0.line)" }
    }

    @Test func valuesThatCannotBeReadAreCounted() throws {
        let read = try read(
            """
            Title,Author,My Rating,Date Read,Exclusive Shelf,Owned Copies,Publisher
            A,B,4.25,2023/01/02,read,1,Press
            C,D,0,soon,read,,
            E,F,nine,3020/01/01,read,,

            """)
        #expect(
            lines(read) == [
                "2 My Rating: 4.25, line 2", "1 Date Read: soon, line 3",
                "1 Date Read, in the future: 3020/01/01, line 4",
            ])
        #expect(read.unusedColumns == ["Owned Copies"])
        #expect(read.books.map(\.rating) == [nil, nil, nil])
        #expect(read.books.map { $0.readingLog.finishedCount } == [1, 1, 1])
    }

    @Test func quartersOfStarsAreRoundedAndTold() throws {
        let read = try read("Title,Authors,Read Status,Star Rating,Moods\nA,B,read,4.25,dark\nC,D,perused,4.0,\n")
        #expect(
            lines(read) == [
                "1 Star Rating, as rounded to half stars: 4.25, line 2", "1 Read Status: perused, line 3",
            ])
        #expect(read.books.map { $0.rating?.stars } == [4.5, 4])
        #expect(read.unusedColumns == ["Moods"])
    }

    @Test func aTableOfStacksLeavesNothingOut() throws {
        let read = try read(
            "id,title,authors,status,rating\nisbn:9780306406157,A,B,done,4.5\nt:1,C,D,,6\nt:2,E,F,,4.25\n")
        #expect(lines(read) == ["1 status: done, line 2", "2 rating: 6, line 3"])
        #expect(read.unusedColumns == [])
    }
}
