import TestSupport
import Testing
import Text

@testable import Books
@testable import Library

@Suite("Typed values of fields") struct FieldInputTests {
    private func value(_ field: BookField, _ text: String) -> FieldValue? {
        do throws(FieldInputError) {
            return try FieldInput.value(of: field, text)
        } catch {
            return nil
        }
    }

    private func sentence(_ field: BookField, _ text: String) -> String? {
        do throws(FieldInputError) {
            _ = try FieldInput.value(of: field, text)
            return nil
        } catch {
            return error.sentence
        }
    }

    @Test(
        arguments: [
            ("1815", 1815, nil, nil), ("Dec 1815", 1815, 12, nil), ("December 1815", 1815, 12, nil),
            ("12 Mar 1815", 1815, 3, 12), ("1815-12-23", 1815, 12, 23), ("1815-12", 1815, 12, nil),
            ("23.12.1815", 1815, 12, 23), (" 23/12/1815 ", 1815, 12, 23), ("-750", -750, nil, nil),
            ("750 BC", -750, nil, nil), ("18151223", 1815, 12, 23), ("c. 1815", 1815, nil, nil),
        ] as [(String, Int, Int?, Int?)])
    func typedDatesAreParsed(text: String, year: Int, month: Int?, day: Int?) {
        #expect(value(.published, text) == .date(PartialDate(year: year, month: month, day: day)))
    }

    @Test(arguments: [
        "2004-02-30", "2004-13", "03/05/2004", "31 June 2004", "1997-98", "soon", "12", "Dez 1815", "1815 mai",
    ])
    func aPartlyUnderstoodDateIsRejected(text: String) {
        #expect(
            sentence(.published, text)
                == "Published: “\(text)” is not a date such as 1815, 1815-12 or 1815-12-23")
    }

    @Test(arguments: ["French", "fre", "fr", "français", "FR", "fra"])
    func languagesHaveNamesAndCodes(text: String) {
        #expect(value(.languages, text) == .list([.init(text: "fr")]))
    }

    @Test func languagesAreShownByTheirNames() {
        var book = Book(title: "Emma")
        book.languages = ["fr", "pt-BR", "Klingonisch"]
        #expect(FieldInput.text(of: .languages, in: book) == "French; Brazilian Portuguese; Klingonisch")
    }

    @Test func semicolonsSeparateTheItemsOfAList() {
        #expect(value(.authors, " A B ;; C;A B; ") == .list([.init(text: "A B"), .init(text: "C")]))
        #expect(value(.subjects, #"a\;b; c"#) == .list([.init(text: "a;b"), .init(text: "c")]))
        #expect(value(.subjects, #"C:\x; d\"#) == .list([.init(text: #"C:\x"#), .init(text: #"d\"#)]))
        #expect(value(.subjects, " ; ") == nil)
    }

    @Test func contributorsHaveRolesAndIdentifiersSchemes() {
        #expect(
            value(.contributors, "Anna K (editor); B (Jr.) (illustrator); C; D (Jr.) ()")
                == .list([
                    .init(text: "Anna K", tag: "editor"), .init(text: "B (Jr.)", tag: "illustrator"), .init(text: "C"),
                    .init(text: "D (Jr.)"),
                ]))
        #expect(
            value(.identifiers, "doi:10.1000/182:x; oclc:77")
                == .list([.init(text: "10.1000/182:x", tag: "doi"), .init(text: "77", tag: "oclc")]))
    }

    @Test func numbersAndWordsHaveTheirUsualForms() {
        #expect(value(.pageCount, " 474 ") == .integer(474))
        for text in ["1,200", "1.200", "1 200", "1'200"] { #expect(value(.pageCount, text) == .integer(1200)) }
        #expect(value(.rating, "4,5") == .number(4.5))
        #expect(value(.seriesPosition, "1.5") == .number(1.5))
        #expect(value(.fiction, "Yes") == .boolean(true))
        #expect(value(.fiction, "non-fiction") == .boolean(false))
        #expect(value(.status, "To read") == .status(.toRead))
    }

    @Test(arguments: [
        (BookField.pageCount, "many", "Pages: “many” is not a whole number above 0"),
        (.pageCount, "0", "Pages: “0” is not a whole number above 0"),
        (.pageCount, "1,20", "Pages: “1,20” is not a whole number above 0"),
        (
            .languages, "fr; Klingonese",
            "Languages: “Klingonese” is not the name or code of a language, such as French or fr"
        ),
        (.identifiers, "doi:10.1; 77", "Identifiers: “77” is not a number with its scheme, such as doi:10.1000/182"),
        (.rating, "6", "Rating: “6” is not a number from 0 to 5"),
        (.fiction, "maybe", "Fiction: “maybe” is not yes or no"),
        (.isbn, "9780141439588", "“9780141439588” is not a valid ISBN. Check its digits"),
        (.title, "  ", "A book needs a title. Type one"),
    ])
    func invalidTextIsRejectedWithTheExpectedForm(field: BookField, text: String, expected: String) {
        #expect(sentence(field, text) == expected)
    }

    @Test func existingInvalidValuesMayStay() throws {
        #expect(
            try FieldInput.value(of: .languages, "xx; French", besides: "xx")
                == .list([.init(text: "xx"), .init(text: "fr")]))
        #expect(throws: FieldInputError(field: .languages, text: "yy")) {
            try FieldInput.value(of: .languages, "xx; yy", besides: "xx")
        }
    }

    @Test(arguments: BookField.builtIn.filter { $0 != .title })
    func blankTextMakesAFieldEmpty(field: BookField) throws {
        #expect(try FieldInput.value(of: field, " \n") == nil)
    }

    @Test func theItemAtTheCursorIsCompleted() {
        #expect(FieldInput.item(endingAt: 3, in: "aus") == 0..<3)
        #expect(FieldInput.item(endingAt: 8, in: "Ann; aus; x") == 5..<8)
        #expect(FieldInput.item(endingAt: 7, in: #"a\; aus"#) == 0..<7)
        #expect(FieldInput.item(endingAt: 5, in: "Ann; ") == 5..<5)
    }

    // MARK: - Round trip

    /// Returns a text of pieces that resemble separators.
    private func text(_ numbers: inout SplitMix, _ extra: [String] = []) -> String {
        let pieces = ["a", "É", "日本", "\\", ",", "-", " b", "x (y)", "'", "\"", "5"] + extra
        let text = (0..<Int.random(in: 1...6, using: &numbers)).map { _ in
            pieces[Int.random(in: pieces.indices, using: &numbers)]
        }
        // Catalogs are read like this: every text except a description is on one line.
        return ("t" + text.joined()).onOneLine
    }

    private func randomBook(_ numbers: inout SplitMix) -> Book {
        func texts(_ numbers: inout SplitMix) -> [String] {
            var texts: [String] = []
            for _ in 0..<Int.random(in: 0...4, using: &numbers) {
                let text = text(&numbers, [";", "\\;", ": "])
                if !texts.contains(text) { texts.append(text) }
            }
            return texts
        }
        var book = Book(title: text(&numbers, [";"]), authors: texts(&numbers))
        book.isbn = ISBN(["978-0141439587", "9780307947307"][Int.random(in: 0...1, using: &numbers)])
        book.pageCount = Int.random(in: 1...100_000, using: &numbers)
        book.fiction = Bool.random(using: &numbers)
        book.sourceID = text(&numbers)
        book.subtitle = text(&numbers)
        book.sortTitle = text(&numbers)
        book.publisher = text(&numbers, [";"])
        let month = Int.random(in: 0...12, using: &numbers), day = Int.random(in: 0...28, using: &numbers)
        let date = PartialDate(
            year: [-750, 79, 1815, 2004][Int.random(in: 0...3, using: &numbers)], month: month == 0 ? nil : month,
            day: month == 0 || day == 0 ? nil : day)
        book.published = date
        book.dateAdded = date
        book.languages = ["fr", "pt-BR", "de", "sr-Cyrl-RS", "zh-Hant", "xx", "el"].filter { _ in
            Bool.random(using: &numbers)
        }
        book.subjects = texts(&numbers)
        book.series = text(&numbers, [";"])
        book.seriesPosition = Double.random(in: -1...1000, using: &numbers)
        book.description = text(&numbers, [";"]) + "\n" + text(&numbers, [";"]) + "\n\n x"
        book.cover = "https://example.org/?" + text(&numbers).replacing(" ", with: "")
        book.identifiers = texts(&numbers).map {
            .init(scheme: Bool.random(using: &numbers) ? "" : text(&numbers, [":", "\\"]), value: $0)
        }
        book.contributors = texts(&numbers).map {
            .init(name: $0, role: Bool.random(using: &numbers) ? nil : text(&numbers, [";"]))
        }
        book.rating = Double.random(in: 0...5, using: &numbers)
        book.status = Book.ReadingStatus.allCases[Int.random(in: 0...3, using: &numbers)]
        return book
    }

    @Test(arguments: BookField.builtIn)
    func theTextOfAValueIsReadAsTheSameValue(field: BookField) throws {
        var numbers = SplitMix(seed: 1815)
        for _ in 0..<500 {
            let book = randomBook(&numbers)
            let text = FieldInput.text(of: field, in: book)
            #expect(try FieldInput.value(of: field, text, besides: text) == field.value(in: book), "\(text)")
        }
    }
}
