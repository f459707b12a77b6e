import Editing
import Testing

@testable import Books
@testable import Indexing
@testable import Library

@Suite("What becomes of duplicates that are merged") struct MergeProposalTests {
    private func book(_ title: String, _ authors: [String] = [], _ change: (inout Book) -> Void = { _ in }) -> Book {
        var book = Book(title: title, authors: authors)
        change(&book)
        return book
    }

    private func merged(_ books: [Book], keeping kept: Int? = nil) -> Book {
        let proposal = MergeProposal(books, in: .ofEveryBook, keeping: kept)
        let merging = proposal.merging(books.indices.map { BookID($0) })
        var book = books[merging.ids[0].index]
        merging.change(&book)
        return book
    }

    @Test("the fuller record stays, and gets what it lacks") func fuller() {
        let first = book("Emma", ["Jane Austen"])
        let second = book("Emma", ["Jane Austen"]) { ($0.pageCount, $0.published) = (474, PartialDate(year: 1815)) }
        let proposal = MergeProposal([first, second], in: .ofEveryBook)
        #expect(proposal.kept == 1 && proposal.order == [1, 0])
        #expect(merged([first, second]).pageCount == 474)
        #expect(merged([second, first]).published == PartialDate(year: 1815))
    }

    @Test(
        "the better spelt and fuller text is chosen",
        arguments: [
            (["NAQDĪ BARĀ-YI TAMĀM", "Naqdī barā-yi tamām"], "Naqdī barā-yi tamām"),
            (["the lord of the rings", "The Lord of the Rings"], "The Lord of the Rings"),
            (["Les miserables", "Les misérables"], "Les misérables"),
            (["Emma", "Emma : a novel"], "Emma : a novel"),
            (["Les mis\u{FFFD}rables et autres", "Les misérables"], "Les misérables"),
            (["罪と罰", "罪と罰 下"], "罪と罰 下"), (["1984", "1984"], "1984"),
            (["Emma!!!!", "Emma"], "Emma!!!!"),
        ])
    func texts(titles: [String], best: String) {
        #expect(merged(titles.map { book($0) }).title == best)
        if titles[0] != "Emma!!!!" { #expect(merged(titles.reversed().map { book($0) }).title == best) }
    }

    @Test("lists are joined, nothing twice; names of authors are those of one record") func lists() {
        let first = book("A", ["TOLKIEN"]) { $0.subjects = ["Fantasy", "elves"] }
        let second = book("A", ["Tolkien, J. R. R."]) { $0.subjects = ["Élves", "Rings"] }
        let result = merged([first, second])
        #expect(result.subjects == ["Fantasy", "Élves", "Rings"])
        #expect(result.authors == ["Tolkien, J. R. R."])
    }

    @Test("of numbers, the one of most records is chosen; of dates, the most exact") func numbers() {
        let pages = [100, 120, 120].map { count in book("A") { $0.pageCount = count } }
        #expect(merged(pages).pageCount == 120)
        let dates = [PartialDate(year: 1990), PartialDate(year: 1990, month: 5)].map { date in
            book("A") { $0.published = date }
        }
        #expect(merged(dates).published == PartialDate(year: 1990, month: 5))
    }

    @Test("a book that is named to be kept keeps its values") func named() {
        let first = book("EMMA") { ($0.pageCount, $0.subjects) = (1, ["b"]) }
        let second = book("Emma", ["Jane Austen"]) { ($0.pageCount, $0.subjects) = (474, ["a"]) }
        let result = merged([first, second], keeping: 0)
        #expect(result.title == "EMMA" && result.pageCount == 1 && result.authors == ["Jane Austen"])
        #expect(result.subjects == ["b", "a"])
    }

    @Test("other values are chosen in turn, and so is the record that stays") func choosing() throws {
        var proposal = MergeProposal([book("Emma"), book("Emma : a novel")], in: .ofEveryBook)
        let title = try #require(proposal.choices.firstIndex { $0.field == .title })
        #expect(proposal.choices[title].value == .text("Emma : a novel") && proposal.droppedValueCount == 1)
        proposal.chooseNext(at: title)
        #expect(proposal.choices[title].value == .text("Emma"))
        proposal.chooseNext(at: title)
        #expect(proposal.choices[title].value == .text("Emma : a novel"))
        #expect(proposal.kept == 0)
        proposal.keepNext()
        #expect(proposal.order == [1, 0])
    }
}
