import TerminalTesting
import TerminalUI
import Testing

@testable import Books
@testable import Browser
@testable import Catalog
@testable import Editing
@testable import Library

@Suite("Book form") struct BookFormTests {
    private static let emma: Book = {
        var book = Book.make(title: "Emma", authors: ["Jane Austen"], isbn: "9780141439587", pageCount: 474)
        book.published = PartialDate(year: 1815)
        book.languages = ["en"]
        book.description = "First line.\nSecond line."
        return book
    }()

    private static let persuasion: Book = {
        var book = Book.make(title: "Persuasion", authors: ["Jane Austen"], pageCount: 249)
        book.languages = ["en"]
        return book
    }()

    /// The result of a form.
    private final class Result {
        var accepted: [BookField: FieldValue?]?
        var isSaved = false
        var acceptedCount = 0
        var refusal: String?
        var refusedField: BookField?
    }

    /// A form for `books` in an app with the catalog `catalog`.
    private struct Desk {
        let user: User
        let app: App
        let form: BookForm
        let result = Result()
        let size: Size

        init(
            _ books: [Book], title: String = "Edit", catalog: [Book] = [emma, persuasion],
            usedFields: Set<BookField> = Set(BookField.inForm), size: Size = Size(rows: 40, columns: 120)
        ) {
            user = User(books: catalog)
            app = user.makeApp(resumes: false)
            self.size = size
            let result = result
            form = BookForm(title: title, books: books, usedFields: usedFields) { changes, _ in
                result.acceptedCount += 1
                if result.refusal == nil { (result.accepted, result.isSaved) = (changes.values, changes.isSaved) }
                return result.refusal.map { EditRefusal(sentence: $0, field: result.refusedField) }
            }
            app.push(form)
            _ = app.draw(size: size)
        }

        @discardableResult
        func press(_ keys: String) -> Desk {
            for step in ScriptedTerminal.Step.keys(keys) {
                if case .events(let events) = step { events.forEach { _ = app.handle($0) } }
                app.update()
                _ = app.draw(size: size)
            }
            return self
        }

        @discardableResult
        func type(_ text: String) -> Desk { press(typed(text)) }

        var screen: [String] {
            let canvas = app.draw(size: size).canvas
            return (0..<size.rows).map(canvas.text(ofRow:))
        }

        /// The line of a field, starting with its marker.
        func line(_ label: String) -> String? {
            screen.compactMap { row -> String? in
                guard let start = row.firstIndex(of: "│") else { return nil }
                let line = row[start...].dropFirst(2).prefix { $0 != "│" }
                return line.dropFirst(2).hasPrefix(label + " ")
                    ? String(String(line).reversed().drop { $0 == " " }.reversed()) : nil
            }.first
        }

        /// The label of the field with the cursor.
        var current: String {
            let typed = form.spoken(app).typed ?? ""
            return String(typed.prefix { $0 != ":" })
        }

        /// The value of the current field as announced by a screen reader.
        var value: String { String((form.spoken(app).typed ?? "").drop { $0 != ":" }.dropFirst(2)) }
        var notes: String {
            if case .text(let lines, _, _) = form.spoken(app).content { return lines.joined(separator: " ") }
            return ""
        }
        var isOpen: Bool { app.screens.contains { $0 === form } }
        var hints: String { screen.last ?? "" }
        var status: String { app.session.status.text }
    }

    // MARK: - Typing

    @Test func theFieldsOfABookAreShownInOrder() {
        let desk = Desk([Self.emma])
        #expect(desk.line("Title") == "▌ Title             Emma")
        #expect(desk.line("Authors") == "  Authors           Jane Austen")
        #expect(desk.line("Published") == "  Published         1815")
        #expect(desk.line("Languages") == "  Languages         English")
        #expect(desk.line("Description") == "  Description       First line.⏎Second line.")
        #expect(desk.line("Series") == "  Series")
        let labels = ["Title", "Authors", "Published", "Series", "Number in series", "Publisher", "ISBN", "Pages"]
        // The first row belongs to the list.
        let shown = desk.screen.dropFirst(2).compactMap { row in
            labels.first { row.contains("  \($0) ") || row.contains("▌ \($0) ") }
        }
        #expect(shown == labels)
    }

    @Test func onlyEditedFieldsAreSaved() {
        let desk = Desk([Self.emma]).press("^u").type("Emma, a novel").press("Down Down ^u").type("12 Mar 1816")
        desk.press("Enter")
        #expect(
            desk.result.accepted == [
                .title: .text("Emma, a novel"), .published: .date(PartialDate(year: 1816, month: 3, day: 12)),
            ])
        #expect(!desk.isOpen)
    }

    @Test func anEditedFieldHasAMarker() {
        let desk = Desk([Self.emma]).type("!")
        #expect(desk.line("Title") == "▌*Title             Emma!")
        desk.press("Backspace")
        #expect(desk.line("Title") == "▌ Title             Emma")
    }

    @Test func typedTextIsShownAsParsed() {
        let desk = Desk([Self.emma]).press("Down Down ^u").type("23.12.1815").press("Down")
        #expect(desk.line("Published") == " *Published         1815-12-23")
        desk.press("Up ^u").type("1815").press("Down")
        #expect(desk.line("Published") == "  Published         1815")
    }

    @Test func anErasedFieldBecomesEmpty() {
        let desk = Desk([Self.emma]).press("Down ^u Enter")
        #expect(desk.result.accepted == [.authors: nil as FieldValue?])
    }

    @Test func enterMakesTheChangeFromEachField() {
        for downs in ["", "Down Down ", "PgDn "] {
            let desk = Desk([Self.emma]).type("!").press(downs + "Enter")
            #expect(desk.result.accepted == [.title: .text("Emma!")] && !desk.result.isSaved && !desk.isOpen)
        }
    }

    @Test func theSaveKeyMakesTheChangeAndSavesTheFile() {
        let desk = Desk([Self.emma])
        #expect(desk.hints.contains("Enter change") && desk.hints.contains("^s save the file"))
        desk.type("!").press("^s")
        #expect(desk.result.accepted == [.title: .text("Emma!")] && desk.result.isSaved && !desk.isOpen)
    }

    @Test func fieldsThatNoBookUsesAreFolded() {
        let desk = Desk([Self.emma], usedFields: [.publisher])
        #expect(desk.line("Publisher") != nil && desk.line("Series") == nil)
        #expect(desk.screen.contains { $0.contains("▸ ") && $0.contains(" more fields") })
        desk.press("PgDn")
        #expect(desk.current == "Description" && desk.line("Series") == nil)
        desk.press("Down")
        #expect(desk.current == "Series" && desk.line("Series") != nil)
        #expect(!desk.screen.contains { $0.contains(" more fields") })
        desk.type("Novels").press("Enter")
        #expect(desk.result.accepted == [.series: .text("Novels")])
    }

    @Test func aClickOnTheFoldShowsTheOtherFields() throws {
        let desk = Desk([Self.emma], usedFields: [])
        let row = try #require(desk.screen.firstIndex { $0.contains(" more fields") })
        _ = desk.app.handle(.mouse(Mouse(.press, at: Position(row: row, column: 40), time: 0)))
        _ = desk.app.draw(size: desk.size)
        #expect(desk.current == "Series" && desk.line("Series") != nil)
    }

    @Test func arrowsInTheBorderShowThatThereIsMore() {
        let desk = Desk([Self.emma], size: Size(rows: 15, columns: 50))
        func marks() -> (above: Bool, below: Bool) {
            (desk.screen.contains { $0.contains("▲") }, desk.screen.contains { $0.contains("▼") })
        }
        #expect(marks() == (false, true))
        desk.press("PgDn")
        #expect(marks() == (true, true))
        desk.press("PgDn PgDn PgDn PgDn")
        #expect(marks() == (true, false))
    }

    @Test func lineBreaksOfADescriptionAreEditableSymbols() {
        let desk = Desk([Self.emma]).press("PgDn")
        #expect(desk.current == "Description")
        desk.press("^o").type("Third").press("Enter")
        #expect(desk.result.accepted == [.description: .text("First line.\nSecond line.\nThird")])
    }

    @Test func theLinesOfADescriptionAreShownBelowTheForm() {
        let desk = Desk([Self.emma]).press("PgDn")
        #expect(desk.screen.contains { $0.contains("│ First line.  ") })
        #expect(desk.screen.contains { $0.contains("│ Second line.  ") })
        desk.press("Up")
        #expect(!desk.screen.contains { $0.contains("│ Second line.  ") })
    }

    @Test func theLinesAroundTheCursorOfALongDescriptionAreShown() {
        var book = Self.emma
        book.description = (1...40).map { "Line \($0)." }.joined(separator: "\n")
        var field = BookFormField(.description, of: [book], count: 1)
        #expect(field.preview(width: 60, limit: 4) == ["Line 37.", "Line 38.", "Line 39.", "Line 40."])
        _ = field.editor.react(to: .home)
        #expect(field.preview(width: 60, limit: 4) == ["Line 1.", "Line 2.", "Line 3.", "Line 4."])
        for _ in 0..<75 { _ = field.editor.react(to: .right) }
        // The tenth line has two digits and begins after nine lines of eight characters.
        #expect(field.preview(width: 60, limit: 4) == ["Line 8.", "Line 9.", "Line 10.", "Line 11."])
        #expect(BookFormField(.description, of: [.make()], count: 1).preview(width: 60, limit: 4) == [])
    }

    @Test func aPastedDescriptionKeepsItsLines() {
        let desk = Desk([Self.emma]).press("PgDn ^u")
        _ = desk.app.handle(.paste("One\nTwo"))
        desk.press("Up")
        _ = desk.app.handle(.paste("x\ny"))
        desk.press("Enter")
        #expect(desk.result.accepted == [.description: .text("One\nTwo"), .sourceID: .text("x y")])
    }

    @Test func arrowsAndTabsGoFromFieldToField() {
        let desk = Desk([Self.emma])
        #expect(desk.press("Down").current == "Authors")
        #expect(desk.press("Tab").current == "Published")
        #expect(desk.press("BackTab").current == "Authors")
        #expect(desk.press("Up Up Up").current == "Title")
        #expect(desk.press("BackTab Down PgDn Down").current == "Description")
        #expect(desk.press("Tab").current == "Title")
    }

    @Test func aClickGoesToItsField() throws {
        let desk = Desk([Self.emma])
        let row = try #require(desk.screen.firstIndex { $0.contains("  Publisher ") })
        _ = desk.app.handle(.mouse(Mouse(.press, at: Position(row: row, column: 40), time: 0)))
        #expect(desk.current == "Publisher")
    }

    @Test func anUneditedFormClosesWithoutAChange() {
        let desk = Desk([Self.emma]).press("Enter")
        #expect(desk.result.acceptedCount == 0)
        #expect(!desk.isOpen)
        #expect(desk.status == "Unchanged: Emma")
    }

    @Test func aFailedSaveIsReportedAndTheFormStaysOpen() {
        let desk = Desk([Self.emma])
        desk.result.refusal = "This catalog cannot hold “x”"
        desk.type("x").press("Enter")
        #expect(desk.isOpen)
        #expect(desk.notes == "This catalog cannot hold “x”")
        desk.result.refusal = nil
        #expect(desk.type("y").notes == "")
        desk.press("Enter")
        #expect(desk.result.accepted == [.title: .text("Emmaxy")])
    }

    // MARK: - Checks

    @Test func aFieldIsCheckedWhenItIsLeft() {
        let desk = Desk([Self.emma]).press("Down Down ^u").type("soon")
        #expect(!desk.notes.contains("cannot"))
        desk.press("Down")
        #expect(desk.notes == "")
        #expect(desk.line("Published") == " !Published         soon")
        // What is wrong stands below its field.
        let row = desk.screen.firstIndex { $0.contains("!Published") } ?? 0
        #expect(desk.screen[row + 1].contains("   Published: “soon” is not a date such as 1815"))
        desk.press("Up")
        #expect(desk.notes == "Published: “soon” is not a date such as 1815, 1815-12 or 1815-12-23")
        desk.press("^u").type("1816").press("Down")
        #expect(desk.notes == "")
    }

    @Test func savingGoesToTheFirstInvalidField() {
        let desk = Desk([Self.emma]).press("Down Down ^u").type("soon").press("Down Down Enter")
        #expect(desk.current == "Published")
        #expect(desk.result.acceptedCount == 0)
        #expect(desk.isOpen)
    }

    @Test func aBookKeepsATitle() {
        let desk = Desk([Self.emma]).press("^u Enter")
        #expect(desk.notes == "A book needs a title. Type one")
        #expect(desk.isOpen)
        let new = Desk([]).press("Down Down Enter")
        #expect(new.current == "Title" && new.notes == "")
        new.press("Enter")
        #expect(new.notes == "A book needs a title. Type one")
    }

    @Test func anInvalidISBNThatWasThereBeforeDoesNotStopOtherChanges() {
        var book = Self.emma
        book.isbn = ISBN("123")
        let desk = Desk([book]).type("!").press("Enter")
        #expect(desk.result.accepted == [.title: .text("Emma!")])
    }

    // MARK: - Cancelling

    @Test func escapeClosesAnUneditedForm() {
        #expect(!Desk([Self.emma]).press("Down Esc").isOpen)
        #expect(!Desk([Self.emma]).type("x").press("Backspace Esc").isOpen)
    }

    @Test(arguments: ["Esc", "n", "Enter"])
    func changesAreDiscardedOnlyByY(key: String) {
        let desk = Desk([Self.emma]).type("x").press("Esc")
        #expect(desk.isOpen)
        #expect(desk.status == "Discard the changes? y discard, Esc keep")
        #expect(desk.hints.contains("y discard"))
        desk.press(key)
        #expect(desk.isOpen && desk.app.top === desk.form)
        desk.press("Esc y")
        #expect(!desk.isOpen)
        #expect(desk.result.acceptedCount == 0)
    }

    @Test func interruptingTwiceQuits() {
        let desk = Desk([Self.emma]).type("x").press("^c")
        #expect(desk.isOpen)
        guard case .quit = desk.app.handle(.key(.control("c"))) else {
            Issue.record("it goes on")
            return
        }
    }

    // MARK: - Several books

    @Test func differingFieldsAreNotShown() {
        let desk = Desk([Self.emma, Self.persuasion])
        #expect(desk.line("Title") == "▌ Title             (locked)")
        #expect(desk.line("ISBN") == "  ISBN              (locked)")
        #expect(desk.line("Authors") == "  Authors           Jane Austen")
        #expect(desk.line("Languages") == "  Languages         English")
        #expect(desk.line("Description") == "  Description       (differ)")
    }

    @Test func onlyEditedFieldsOfSeveralBooksAreChanged() {
        let desk = Desk([Self.emma, Self.persuasion]).press("Down Down").type("1817").press("Down").type("Novels")
            .press("Enter")
        #expect(desk.result.accepted == [.published: .date(PartialDate(year: 1817)), .series: .text("Novels")])
    }

    @Test func aFieldTypedAndErasedAgainIsUnchanged() {
        let desk = Desk([Self.emma, Self.persuasion]).press("Down Down").type("x").press("Backspace")
        #expect(desk.line("Published") == "▌ Published         (differ)")
        #expect(!desk.press("Esc").isOpen)
    }

    @Test func aSpecialKeyClearsAFieldInAllBooks() {
        let desk = Desk([Self.emma, Self.persuasion]).press("Down Down")
        #expect(desk.hints.contains("^u clear"))
        desk.press("^u")
        #expect(desk.line("Published") == "▌*Published         (cleared)")
        desk.press("^u")
        #expect(desk.line("Published") == "▌ Published         (differ)")
        desk.press("^u Enter")
        #expect(desk.result.accepted == [.published: nil as FieldValue?])
    }

    @Test func theTitlesOfSeveralBooksCannotBeCleared() {
        let desk = Desk([Self.emma, Self.persuasion]).press("^u y Enter")
        #expect(desk.notes == "A book needs a title. Type one")
    }

    @Test("Several books do not get one value that tells books apart without a question")
    func identifyingFieldsAreLocked() {
        let desk = Desk([Self.emma, Self.persuasion]).type("x")
        #expect(desk.status == "Give 2 books the same title? y unlock, Esc keep")
        #expect(desk.press("n").line("Title") == "▌ Title             (locked)")
        #expect(desk.type("x").press("y").line("Title") == "▌*Title             x")
        desk.type("y").press("Enter")
        #expect(desk.result.accepted == [.title: .text("xy")])
        let cleared = Desk([Self.emma, Self.persuasion]).press("Down Down Down Down Down Down ^u")
        #expect(cleared.status == "Give 2 books the same ISBN? y unlock, Esc keep")
        cleared.press("y Enter")
        #expect(cleared.result.accepted == [.isbn: nil as FieldValue?])
        var twin = Self.persuasion
        twin.title = "Emma"
        let shared = Desk([Self.emma, twin]).press("^u y").type("Both").press("Enter")
        #expect(shared.result.accepted == [.title: .text("Both")])
        let pasted = Desk([Self.emma, Self.persuasion])
        _ = pasted.app.handle(.paste("Emma"))
        #expect(
            pasted.status == "Give 2 books the same title? y unlock, Esc keep"
                && pasted.line("Title")?.contains("Emma") == false
        )
        pasted.press("y")
        #expect(pasted.line("Title") == "▌*Title             Emma")
    }

    @Test("A value that all books share is shown beside the lock, and moving needs no question")
    func sharedLockedValues() {
        var other = Self.persuasion
        other.title = "Emma"
        let desk = Desk([Self.emma, other]).press("Left Right Down Up")
        #expect(desk.line("Title") == "▌ Title             Emma  (locked)" && desk.status == "")
        #expect(Desk([Self.emma]).line("Title") == "▌ Title             Emma")
    }

    @Test func theNumberOfComparedBooksIsShown() {
        let authors = BookFormField(.authors, of: [Self.emma, Self.persuasion], count: 3000)
        #expect(authors.placeholder == "(not compared)")
        #expect(authors.advice == "The same in the first 2 of 3,000 books; the others were not compared")
        let dates = BookFormField(.published, of: [Self.emma, Self.persuasion], count: 3000)
        #expect(dates.placeholder == "(differ)")
    }

    @Test func aValueThatTheCatalogCannotHoldIsReportedAtItsField() {
        let desk = Desk([Self.emma])
        (desk.result.refusal, desk.result.refusedField) = ("Pages cannot be “5” in this catalog", .pageCount)
        desk.press("Down Down Down Down Down Down Down ^u").type("5").press("Up Enter")
        #expect(desk.current == "Pages")
        #expect(desk.notes == "Pages cannot be “5” in this catalog")
        #expect(desk.line("Pages") == "▌!Pages             5")
        #expect(!desk.press("Up").notes.contains("cannot"))
        #expect(desk.press("Down").notes == "Pages cannot be “5” in this catalog")
        #expect(desk.type("6").notes == "")
        desk.result.refusal = nil
        desk.press("Enter")
        #expect(desk.result.accepted == [.pageCount: .integer(56)])
    }

    // MARK: - Completion

    @Test func tabCompletesAnAuthorOfTheCatalog() {
        let desk = Desk([]).press("Down Down").type("aus").press("Tab")
        #expect(desk.current == "Authors" && desk.value == "Jane Austen")
        #expect(desk.press("Tab").current == "Published")
    }

    @Test func tabCompletesTheItemBeforeTheCursor() {
        let desk = Desk([]).press("Down Down").type("Seth Grahame-Smith; Ja").press("Tab")
        #expect(desk.value == "Seth Grahame-Smith; Jane Austen")
    }

    @Test("A name that is already in the list is not a completion") func namesOfTheListAreNotCompletions() {
        let catalog = [Self.emma, Self.persuasion, Book.make(title: "Sense", authors: ["Paul Auster"])]
        let desk = Desk([], catalog: catalog).press("Down Down").type("jane austen; aus").press("Tab")
        #expect(desk.value == "jane austen; Paul Auster")
    }

    @Test func tabGoesThroughSeveralCompletions() {
        let catalog = [
            Self.emma, Self.persuasion, Book.make(title: "Sense", authors: ["Paul Auster"]),
        ]
        let desk = Desk([], catalog: catalog).press("Down Down").type("aus").press("Tab")
        #expect(desk.value == "Jane Austen")
        #expect(desk.status == "Jane Austen (2) · Paul Auster (1)")
        #expect(desk.press("Tab").value == "Paul Auster")
        #expect(desk.press("Tab").value == "Jane Austen")
        #expect(desk.press("Down").current == "Published")
    }

    @Test func tabCompletesLanguagesByTheirNames() {
        let desk = Desk([]).press("PgDn Up Up Up Up Up Up Up Up Up Up Up Up Up")
        #expect(desk.current == "Languages")
        #expect(desk.type("engl").press("Tab").value == "English")
    }

    @Test func anItemWithASemicolonIsCompletedAsOneItem() {
        let catalog = [Book.make(title: "x", authors: ["Marx; Engels"])]
        let desk = Desk([], catalog: catalog).press("Down").type("t").press("Down").type("mar").press("Tab Enter")
        #expect(desk.result.accepted == [.title: .text("t"), .authors: .list([.init(text: "Marx; Engels")])])
    }

    @Test func aSlowCompletionAppearsOnceFound() throws {
        let user = User(books: [Self.emma, Self.persuasion])
        user.settings.timeBudget = 0
        let source = user.edited(try user.writeCatalog())
        let steps =
            ScriptedTerminal.Step.keys("A Down Down a u s Tab") + [
                .wakeUps { $0.text.contains("▌*Authors           Jane Austen") }
            ]
        let terminal = try user.browse(steps: steps, columns: 120, rows: 40, source: source, resumes: false)
        #expect(terminal.popup("Add a book").contains("▌*Authors           Jane Austen"))
    }

    @Test func withoutACompletionTabGoesToTheNextField() {
        let desk = Desk([Self.emma]).press("Down")
        #expect(desk.press("Tab").current == "Published")
        #expect(desk.press("Up ^u").type("xyzzy").press("Tab").current == "Published")
        // A complete value has no completion, and the cursor must be at the end of the word.
        #expect(desk.press("Up ^u").type("jane austen").press("Tab").current == "Published")
        #expect(desk.press("Up ^u").type("aus x").press("Left Left Tab").current == "Published")
    }

    // MARK: - What other catalogs know

    private static let elsewhere: Book = {
        var book = emma
        book.publisher = "Penguin"
        book.sourceID = "77"
        return book
    }()

    @Test func aNewBookBeginsWithItsISBN() {
        let desk = Desk([], title: "Add a book")
        #expect(desk.current == "ISBN")
        #expect(desk.press("Down").current == "Title")
    }

    /// Findings of the books of sources.
    private static func findings(
        of query: LookupQuery = .isbn(ISBN("9780141439587")), _ found: [(String, Book)], isComplete: Bool = true,
        failed: [(String, String)] = []
    ) -> BookFormFindings {
        var answer = LookupSession.Answer()
        answer.found = found.map { .init(source: $0.0, book: $0.1) }
        answer.failures = failed.map { ($0.0, LookupSource.Failure(sentence: $0.1, exitStatus: 69)) }
        answer.isComplete = isComplete
        return BookFormFindings(query, answer)
    }

    @Test func aValidISBNOfANewBookIsLookedUpOnce() {
        let desk = Desk([])
        var asked: [LookupQuery] = []
        desk.form.lookUp = { query, isAsked, _, found in
            #expect(!isAsked)
            asked.append(query)
            found(Self.findings(of: query, [], isComplete: false))
        }
        desk.type("9780141439588").press("Down Up")
        #expect(asked == [])
        desk.press("Backspace").type("7")
        #expect(asked == [.isbn(ISBN("9780141439587"))])
        #expect(desk.notes == "Looking up 978-0141439587 …")
        desk.press("Down Up Down")
        #expect(asked.count == 1)
        let edited = Desk([Self.emma])
        edited.form.lookUp = { query, _, _, _ in asked.append(query) }
        edited.press("Down Down Down Down Down Down").type("x").press("Backspace Down")
        #expect(asked.count == 1)
    }

    @Test func theKeyLooksUpByISBNOrElseByTitle() {
        var asked: [LookupQuery] = []
        for book in [Self.emma, Self.persuasion, Book(title: "")] {
            let desk = Desk([book])
            desk.form.lookUp = { query, isAsked, _, _ in
                #expect(isAsked)
                asked.append(query)
            }
            #expect(desk.hints.contains("^g look up"))
            desk.press("^g")
            if book.title.isEmpty { #expect(desk.notes == "Type an ISBN or a title, then look it up") }
        }
        #expect(asked == [.isbn(ISBN("9780141439587")), .title("Persuasion", author: "Jane Austen")])
        #expect(!Desk([Self.emma, Self.persuasion]).hints.contains("^g"))
    }

    @Test func emptyFieldsAreFilledAndTypedTextStays() {
        let desk = Desk([])
        desk.form.lookUp = { query, _, _, found in found(Self.findings(of: query, [("classics", Self.elsewhere)])) }
        desk.type("9780141439587").press("Enter").type("My Emma")
        #expect(desk.notes == "Emma · classics classics: Emma")
        #expect(desk.hints.contains("^y fill") && desk.hints.contains("^t take"))
        #expect(desk.screen.contains { $0.contains("Publisher") && $0.contains("Penguin · classics") })
        desk.press("^y Enter")
        var expected: [BookField: FieldValue?] = [:]
        for field in BookField.builtIn {
            if let value = field.value(in: Self.elsewhere), field != .sourceID { expected[field] = value }
        }
        expected[.title] = .text("My Emma")
        #expect(desk.result.accepted == expected)
    }

    @Test func whatDiffersIsShownAndNotFilled() {
        var other = Self.emma
        other.pageCount = 512
        let desk = Desk([Book(title: "Emma")])
        desk.form.show(Self.findings([("loc", Self.emma), ("dnb", other), ("bnf", Self.emma)]))
        #expect(desk.screen.contains { $0.contains("Pages") && $0.contains("474 · loc, bnf | 512 · dnb") })
        desk.press("^y")
        #expect(desk.current == "Pages")
        #expect(desk.notes.hasPrefix("474 · loc, bnf 512 · dnb"))
        desk.press("^t")
        #expect(desk.value == "474")
        desk.press("^t")
        #expect(desk.value == "512")
        #expect(desk.press("^t").value == "474")
        desk.press("Enter")
        #expect(desk.result.accepted?[.pageCount] == .integer(474))
        #expect(desk.result.accepted?[.authors] == .list([.init(text: "Jane Austen")]))
    }

    @Test func aValueThatDiffersStandsBesideTheTypedOne() {
        var mine = Self.emma
        mine.pageCount = 300
        let desk = Desk([mine])
        desk.form.show(Self.findings([("loc", Self.emma)]))
        #expect(desk.screen.contains { $0.contains("300  ≠ 474 · loc") })
        // Nothing that is there is overwritten.
        desk.press("^y")
        #expect(desk.screen.contains { $0.contains("300  ≠ 474 · loc") })
        // The same in another spelling is no difference.
        #expect(!desk.screen.contains { $0.contains("≠ Jane") })
    }

    @Test func theISBNOfAScannedBookGivesWayToATitle() {
        let desk = Desk([Book(title: "978-0141439587", isbn: ISBN("9780141439587"))])
        desk.form.show(Self.findings([("loc", Self.emma)]))
        desk.press("^y Enter")
        #expect(desk.result.accepted?[.title] == .text("Emma"))
    }

    @Test func findingsAreOfTheISBNInTheForm() {
        let desk = Desk([Self.emma])
        desk.form.show(Self.findings([("loc", Self.elsewhere)]))
        #expect(desk.screen.contains { $0.contains("Penguin · loc") })
        while desk.current != "ISBN" { desk.press("Down") }
        desk.press("Backspace")
        #expect(!desk.screen.contains { $0.contains("Penguin · loc") })
    }

    @Test func tenDigitsThatBeginThirteenAreNotLookedUp() {
        let desk = Desk([])
        var asked: [LookupQuery] = []
        desk.form.lookUp = { query, _, _, _ in asked.append(query) }
        // Its first ten digits are an ISBN, too.
        #expect(ISBN("9783462008").isValid)
        desk.type("9783462008760")
        #expect(asked == [.isbn(ISBN("9783462008760"))])
    }

    @Test func failuresOfSourcesAreReported() {
        let desk = Desk([])
        let failed = [("old", "cannot read old: gone. Check it"), ("new", "no route"), ("far", "no route")]
        desk.form.show(Self.findings([], failed: failed))
        #expect(
            desk.notes
                == "978-0141439587 was not found in the other sources. Type what you know "
                + "Cannot read old: gone. Check it Nor did new, far answer. Press ^g to ask again in a minute")
        desk.form.show(Self.findings([]))
        #expect(desk.notes == "978-0141439587 was not found. Type what you know")
    }

    @Test(arguments: [80, 50]) func theKeysForFindingsAreShownInNarrowWindows(columns: Int) {
        let desk = Desk([], size: Size(rows: 24, columns: columns))
        desk.form.show(Self.findings([("a", Self.emma)]))
        for hint in ["^y fill", "^t take", "Enter add", "Esc cancel"] { #expect(desk.hints.contains(hint)) }
    }

    @Test func oneOfSeveralBooksIsChosenFromAList() throws {
        let desk = Desk([Book(title: "Emma")])
        let query = LookupQuery.title("Emma", author: "")
        var other = Self.persuasion
        other.title = "Emma and others"
        desk.form.show(Self.findings(of: query, [("a", Self.emma), ("b", other), ("c", Self.emma)]))
        #expect(desk.notes == "2 books found. Choose one with ^n")
        #expect(desk.hints.contains("^n books found") && !desk.hints.contains("^y"))
        desk.press("^n")
        #expect(desk.screen.contains { $0.contains("Emma and others") && $0.contains("Jane Austen") })
        #expect(desk.screen.contains { $0.contains("a, c") })
        desk.press("Down Enter")
        #expect(desk.notes.contains("b: Emma and others"))
        desk.press("^y Enter")
        #expect(desk.result.accepted?[.pageCount] == .integer(249))
        #expect(desk.result.accepted?[.title] == nil)
    }

    // MARK: - The record

    @Test func twoKeysOpenTheRecord() {
        let desk = Desk([Self.emma])
        #expect(!desk.hints.contains("^x^e"))
        var count = 0
        desk.form.editRecord = { _ in
            count += 1
            return .none
        }
        #expect(desk.hints.contains("^x^e record"))
        desk.press("^x ^e")
        #expect(count == 1)
        // A single ^e goes to the end of the line, and a single ^x does nothing.
        desk.press("^e ^x Left ^e").type("!")
        #expect(count == 1 && desk.value == "Emma!")
    }

    // MARK: - Windows

    @Test(arguments: [Size(rows: 40, columns: 120), Size(rows: 24, columns: 80), Size(rows: 15, columns: 50)])
    func theCurrentFieldIsVisibleInEveryWindow(size: Size) {
        let desk = Desk([Self.emma], size: size)
        for step in 0..<BookField.inForm.count {
            let rows = desk.screen.filter { $0.contains("▌ ") && $0.contains("│") }
            #expect(rows.contains { $0.contains("▌ " + desk.current.prefix(11)) }, "field \(step)")
            desk.press("Down")
        }
        desk.press("Up Up Up Up ^u").type("soon").press("Up Down")
        #expect(desk.screen.contains { $0.contains("is not") })
    }

    @Test func theFieldAndItsTextAreAnnounced() throws {
        let user = User(books: [Self.emma])
        let app = user.makeApp(resumes: false)
        app.push(BookForm(title: "Edit Emma", books: [Self.emma]) { _, _ in nil })
        var output = ScreenReaderOutput()
        _ = app.draw(size: ScreenReaderOutput.windowSize)
        #expect(output.lines(of: app) == ["Title: Emma", "Edit Emma"])
        _ = app.handle(.key(.down))
        #expect(output.lines(of: app) == ["Authors: Jane Austen", "Several are separated by ;"])
        _ = app.handle(.key(.character("!")))
        #expect(output.lines(of: app) == ["Authors: Jane Austen!"])
    }
}
