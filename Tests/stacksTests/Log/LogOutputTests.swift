import Testing

@testable import Books
@testable import Graphemes
@testable import Indexing
@testable import Library
@testable import Shelves
@testable import stacks

@Suite("stacks log: output") struct LogOutputTests {
    init() { useUTF8Locale() }

    private func book(
        _ id: String, _ title: String, _ author: String, toRead: String? = nil, _ readings: [Reading],
        isInCatalog: Bool = true
    ) -> IdentifiedBook {
        let identity = BookIdentity(id) ?? BookIdentity(key: .init(hashOf: Book(title: title)))
        let number = UInt32(title.utf8.first ?? 0)
        let book = LoggedBook(
            place: isInCatalog ? .catalog(BookID(number)) : .missing(identity), title: title, authors: [author],
            isbn: isInCatalog ? "0141439580" : nil, log: ReadingLog(toRead: toRead, readings: readings))
        return IdentifiedBook(id: identity, book: book)
    }

    private var emma: IdentifiedBook {
        book(
            "isbn:9780141439587", "Emma\u{1B}", "Jane Austen", toRead: "2018-12",
            [
                Reading(outcome: .finished), Reading(start: "2019-05-01", end: "2019-06-02", outcome: .finished),
                Reading(start: "2026-03-09", progress: [ReadingProgress(.page(180), on: "2026-03-12")]),
            ])
    }
    private var dune: IdentifiedBook {
        book(
            "isbn:9780441172719", "Dune, \"new\"", "Frank Herbert",
            [Reading(end: "2020", outcome: .abandoned, progress: [ReadingProgress(.percent(30), on: "2020-01-01")])],
            isInCatalog: false)
    }

    @Test("the readings of all books are a table on a terminal, the latest first") func table() {
        #expect(
            LogOutput(.text, width: 60).text(of: [emma, dune]) == """
                Started     Ended                          Book
                2026-03-09              reading, page 180  Emma\u{FFFD}, Jane Aust…
                            2020        abandoned, 30\u{A0}%    Dune, "new", Fra…
                2019-05-01  2019-06-02  read               Emma\u{FFFD}, Jane Aust…
                                        read               Emma\u{FFFD}, Jane Aust…

                """)
    }

    @Test("for programs, each line has fields separated by tabs") func lines() {
        #expect(
            LogOutput(.text, width: nil).text(of: [emma, dune]) == """
                2026-03-09\t\t\tp. 180 on 2026-03-12\tisbn:9780141439587\tEmma�\tJane Austen
                \t2020\tabandoned\t30 % on 2020-01-01\tisbn:9780441172719\tDune, "new"\tFrank Herbert
                2019-05-01\t2019-06-02\tread\t\tisbn:9780141439587\tEmma�\tJane Austen
                \t\tread\t\tisbn:9780141439587\tEmma�\tJane Austen

                """)
        #expect(LogOutput(.text, width: nil).text(of: [IdentifiedBook]()).isEmpty)
    }

    @Test("csv guards formulas if asked") func formulas() {
        let book = book("isbn:9780441172719", "=1+1", "@x", [Reading(end: "2020", outcome: .abandoned)])
        func row(_ guardsFormulas: Bool) -> Substring? {
            let output = LogOutput(.csv, width: nil, guardsFormulas: guardsFormulas)
            return output.text(of: [book]).split(separator: "\r\n").last
        }
        #expect(row(true) == ",2020,abandoned,,isbn:9780441172719,'=1+1,'@x")
        #expect(row(false) == ",2020,abandoned,,isbn:9780441172719,=1+1,@x")
    }

    @Test("csv and json have the same") func others() {
        #expect(
            LogOutput(.csv, width: nil).text(of: [dune])
                == "start,end,outcome,progress,id,title,authors\r\n"
                + ",2020,abandoned,30 % on 2020-01-01,isbn:9780441172719,\"Dune, \"\"new\"\"\",Frank Herbert\r\n")
        let json =
            #"{"id":"isbn:9780441172719","title":"Dune, \"new\"","authors":["Frank Herbert"],"isbn":null,"#
            + #""inCatalog":false,"end":"2020","outcome":"abandoned","progress":[{"day":"2020-01-01","percent":30}]}"#
        #expect(LogOutput(.jsonl, width: nil).text(of: [dune]) == json + "\n")
        #expect(LogOutput(.json, width: nil).text(of: [dune]) == "[\n" + json + "\n]\n")
        #expect(LogOutput(.json, width: nil).text(of: [IdentifiedBook]()) == "[]\n")
        #expect(LogOutput(.json, width: nil).text(of: emma).contains("\"isbn\":\"0141439580\",\"outcome\":\"read\"}"))
    }

    @Test("the readings of one book have numbers and words, the earliest first") func oneBook() {
        #expect(
            LogOutput(.text, width: 80).text(of: emma) == """
                Emma�, Jane Austen
                to read since December 2018
                1  read, on unknown days
                2  read from 1 May 2019 to 2 June 2019
                3  reading since 9 March 2026, page 180 on 12 March 2026

                """)
        #expect(
            LogOutput(.text, width: 80).text(of: dune).hasSuffix(
                "\n1  abandoned, ended in 2020, 30\u{A0}% on 1 January 2020\n"))
        let none = book("isbn:9780141439587", "Emma", "Jane Austen", [])
        #expect(
            LogOutput(.text, width: 80).text(of: none)
                == "Emma, Jane Austen\nNo readings yet. Enter one with: stacks log ID --started today\n")
    }

    @Test("what was entered is said in words") func sentences() {
        var entry = ReadingEntry()
        (entry.start, entry.outcome, entry.end) = ("2026-03-09", .finished, "2026-03")
        entry.progress = ReadingProgress(.page(1285), on: "2026-03-12")
        #expect(entry.sentence == "started on 9 March 2026, page 1,285 on 12 March 2026, finished in March 2026")
        #expect(ReadingSentence(Reading(start: "2019", outcome: .abandoned)).days == "that began in 2019")
        #expect(ReadingSentence(Reading(end: "2019-05-01", outcome: .finished)).days == "that ended on 1 May 2019")
    }

    @Test("a problem says what to do") func problems() {
        let ended = Reading(end: "2019-06-02", outcome: .finished)
        #expect(
            ReadingEntry.Problem.hasEnded(ended).sentence(of: "Emma")
                == "Emma was read on 2 June 2019. Add --again for a further reading")
        #expect(
            ReadingEntry.Problem.isBeingRead(since: nil).sentence(of: "Emma")
                == "Emma is being read. Leave --again out, or finish that reading")
        #expect(
            ReadingEntry.Problem.endsBeforeStart(end: "2019", start: "2020-05").sentence(of: "Emma")
                == "The end in 2019 is before the start in May 2020. Check the days")
    }
}
