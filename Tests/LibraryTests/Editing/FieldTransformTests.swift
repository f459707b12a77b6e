import Testing

@testable import Books
@testable import Editing
@testable import Library

@Suite("Changes of the values of a field") struct FieldTransformTests {
    private func applied(_ text: String, to field: BookField, of book: Book) throws -> Book {
        var book = book
        try FieldTransform(text, of: field).apply(to: &book)
        return book
    }

    private func title(_ title: String, _ text: String) throws -> String {
        try applied(text, to: .title, of: Book(title: title)).title
    }

    private func subjects(_ subjects: [String], _ text: String) throws -> [String] {
        var book = Book(title: "Emma")
        book.subjects = subjects
        return try applied(text, to: .subjects, of: book).subjects
    }

    private func error(_ text: String, _ field: BookField = .title) -> FieldTransformError? {
        do throws(FieldTransformError) {
            _ = try FieldTransform(text, of: field)
            return nil
        } catch {
            return error
        }
    }

    private func failure(_ text: String, of field: BookField, in book: Book) throws -> CatalogEditError? {
        var changed = book
        let transform = try FieldTransform(text, of: field)
        do throws(CatalogEditError) {
            try transform.apply(to: &changed)
            return nil
        } catch {
            #expect(changed == book)
            return error
        }
    }

    @Test func aReplacementMakesNoControlCharactersAndNoLines() throws {
        #expect(try title("Emma", #"s/m/\n/"#) == "E ma")
        #expect(try failure(#"s/m/\x00/"#, of: .title, in: Book(title: "Emma")) != nil)
        var book = Book(title: "Emma")
        book.description = "One two"
        #expect(try applied(#"s/ /\n/"#, to: .description, of: book).description == "One\ntwo")
    }

    // MARK: - Substitutions

    @Test func aSubstitutionHasDelimitersAndFlags() throws {
        #expect(try title("banana", "s/a/o/") == "bonana")
        #expect(try title("bAnana", "s/a/o/gi") == "bonono")
        #expect(try title("and/or", #"s/\//, /"#) == "and, or")
        #expect(try title("and/or", "s#/#, #") == "and, or")
        #expect(try title("a|b", #"s|\||/|"#) == "a/b")
        #expect(try title("a.b", "s→\\.→:→") == "a:b")
        #expect(try title("Dune (Paperback)", #"s/ *\((.*)\)/: $1/"#) == "Dune: Paperback")
        #expect(try title("x", #"s,x,a\,b,"#) == "a,b")
        #expect(try title("Emma", "s/Dune/x/") == "Emma")
    }

    @Test func everyScriptIsReplaced() throws {
        #expect(try title("Война и мир", "s/мир/война/") == "Война и война")
        #expect(try title("Οδύσσεια", "s/ΟΔ/οδ/i") == "οδύσσεια")
        #expect(try title("Straße", "s/ß/ss/") == "Strasse")
        #expect(try title("日本の歴史", "s/日本/中国/") == "中国の歴史")
        // Another normalization form is a change, too.
        let composed = try title("cafe\u{301}", "s/e\u{301}/\u{E9}/")
        #expect(composed.utf8.elementsEqual("caf\u{E9}".utf8))
    }

    @Test func malformedChangesAreRefused() {
        for text in ["", "x", "science", "sabac", "s", "s\\a\\b\\", "s a b ", "s1a1b1", "TRIM", "trim ", "title"] {
            #expect(error(text) == .unknown(text))
        }
        #expect(error("s/a") == .unfinished)
        #expect(error("s/a/b") == .unfinished)
        #expect(error(#"s/a/b\/"#) == .unfinished)
        #expect(error("s//b/") == .noPattern)
        #expect(error("s/a/b/gx") == .unknownFlag("x"))
        #expect(error("s/a/b/c/") == .unknownFlag("c"))
        #expect(error("s/é(/b/") == .pattern(reason: "missing closing parenthesis", column: 5))
        #expect(error("s/é/$1/") == .replacement(reason: "unknown substring", column: 7))
        #expect(error("s/a/$1/")?.sentence == "invalid replacement at column 7: unknown substring")
        #expect(error("+a", .title) == .notAList(.title))
        #expect(error("-a", .isbn) == .notAList(.isbn))
        #expect(error("+xyzzy", .languages) == .value(FieldInputError(field: .languages, text: "xyzzy")))
    }

    @Test func aPatternWithTooManyStepsIsAnError() throws {
        let book = Book(title: String(repeating: "a", count: 40) + "b")
        let failure = try failure("s/(a+)+$/x/", of: .title, in: book)
        #expect(failure == .tooManySteps(.title, title: book.title))
        #expect(failure?.sentence(changing: "").hasPrefix("pattern too slow for Title of aaa") == true)
    }

    // MARK: - Blanks and case

    @Test func blanksAreTrimmed() throws {
        #expect(try title("\u{3000} The  Stand\t(1978) ", "trim") == "The Stand (1978)")
        // A blank that does not break stays.
        #expect(try title("Qui\u{A0}?", "trim") == "Qui\u{A0}?")
        var book = Book(title: "Emma")
        book.description = "\n One  two \u{2003}three. \r\n\n  Four.\u{A0}\n\n"
        #expect(try applied("trim", to: .description, of: book).description == "One two three.\r\n\nFour.")
    }

    @Test func titlesGetTitleCase() throws {
        #expect(try title("the lord of the rings", "titlecase") == "The Lord of the Rings")
        #expect(try subjects(["science fiction", "SPACE OPERA"], "titlecase") == ["Science Fiction", "Space Opera"])
    }

    // MARK: - Lists

    @Test func itemsAreAddedAndRemoved() throws {
        #expect(try subjects(["x", "y"], "+z; x;a\\;b") == ["x", "y", "z", "a;b"])
        #expect(try subjects([], "+z") == ["z"])
        #expect(try subjects(["x", "y"], "-y; z") == ["x"])
        #expect(try subjects(["x"], "-x").isEmpty)
        var book = Book(title: "Emma")
        book.contributors = [.init(name: "A", role: "editor"), .init(name: "A", role: "translator")]
        #expect(try applied("-A (editor)", to: .contributors, of: book).contributors.map(\.role) == ["translator"])
        #expect(try applied("-A", to: .contributors, of: book).contributors.isEmpty)
        // What the catalog has can be removed, even if it could not be typed.
        book.languages = ["Klingonisch", "fr"]
        #expect(try applied("-Klingonisch", to: .languages, of: book).languages == ["fr"])
    }

    @Test func eachItemIsChangedOnItsOwn() throws {
        #expect(try subjects(["sci-fi", "a", "Sci-Fi"], "s/^sci-fi$/Science fiction/i") == ["Science fiction", "a"])
        #expect(try subjects(["a", "b"], "s/a//") == ["b"])
        #expect(try subjects(["a", "b"], "s/.*//").isEmpty)
        // A semicolon in an item does not divide it.
        #expect(try subjects(["a/b"], "s:/:;:") == ["a;b"])
        #expect(try subjects([" a", "b  c"], "trim") == ["a", "b c"])
    }

    @Test func namesChangeWithTheirRolesOnlyIfTheyAreReplaced() throws {
        var book = Book(title: "Emma")
        book.contributors = [.init(name: "constance garnett", role: "translator")]
        let titled = try applied("titlecase", to: .contributors, of: book).contributors
        #expect(titled.map(\.name) == ["Constance Garnett"] && titled.map(\.role) == ["translator"])
        let replaced = try applied(#"s/\(translator\)/(editor)/"#, to: .contributors, of: book).contributors
        #expect(replaced.map(\.role) == ["editor"])
        book.languages = ["fr", "de"]
        #expect(try applied("s/French/German/", to: .languages, of: book).languages == ["de"])
        #expect(
            try failure("s/French/Frensh/", of: .languages, in: book)
                == .notAValue(.languages, text: "Frensh", title: "Emma"))
    }

    // MARK: - Values that are no texts

    @Test func theResultMustBeAValue() throws {
        var book = Book(title: "Emma", authors: ["Jane Austen"])
        book.pageCount = 474
        book.published = PartialDate(year: 1815, month: 12, day: 23)
        book.isbn = ISBN("978-0141439587")
        book.rating = 4.5
        #expect(try applied("s/4$/5/", to: .pageCount, of: book).pageCount == 475)
        #expect(try applied("s/-.*//", to: .published, of: book).published == PartialDate(year: 1815))
        #expect(try applied("s/-//g", to: .isbn, of: book).isbn?.text == "9780141439587")
        #expect(try applied("s/.*//", to: .pageCount, of: book).pageCount == nil)
        #expect(
            try failure("s/$/ pages/", of: .pageCount, in: book)
                == .notAValue(.pageCount, text: "474 pages", title: "Emma"))
        #expect(try failure("s/7$/8/", of: .isbn, in: book) != nil)
        #expect(try failure("s/^4/9/", of: .rating, in: book) != nil)
        #expect(
            try failure("s/4/x/", of: .pageCount, in: book)?.sentence(changing: "")
                == "Pages of Emma cannot become “x74”. Give a whole number above 0")
    }

    @Test func anEmptyTextClearsTheFieldButNotTheTitle() throws {
        var book = Book(title: "Emma")
        book.publisher = "Murray"
        #expect(try applied("s/.*//", to: .publisher, of: book).publisher == nil)
        #expect(try failure("s/.*//", of: .title, in: book) == .notAValue(.title, text: "", title: "Emma"))
        // An empty field stays empty.
        #expect(try applied("s/^/A /", to: .series, of: book).series == nil)
    }

    @Test func whatCannotBeTypedStaysUntilItChanges() throws {
        var book = Book(title: "Emma")
        book.isbn = ISBN("12345")
        #expect(try applied("trim", to: .isbn, of: book) == book)
        #expect(try applied("s/x/y/", to: .isbn, of: book) == book)
    }

    // MARK: - Fields that only the catalog has

    @Test func ownFieldsChangeInTheSameWay() throws {
        func field(_ name: String, _ kind: OwnField.Kind) -> BookField {
            BookField(OwnField(name, label: name, kind, at: FieldPath(steps: [.name(name)])))
        }
        let (room, price, tags, signed) =
            (field("room", .text), field("price", .number), field("tags", .list), field("signed", .boolean))
        var book = Book(title: "Emma")
        room.set(.text("the  study"), in: &book)
        price.set(.number(3.75), in: &book)
        tags.set(.list([.init(text: "a"), .init(text: "b")]), in: &book)
        signed.set(.boolean(true), in: &book)
        #expect(try room.value(in: applied("titlecase", to: room, of: book)) == .text("The  Study"))
        #expect(try room.value(in: applied("trim", to: room, of: book)) == .text("the study"))
        #expect(try price.value(in: applied(#"s/\.75/.5/"#, to: price, of: book)) == .number(3.5))
        #expect(try tags.value(in: applied("s/b/a/", to: tags, of: book)) == .list([.init(text: "a")]))
        #expect(try tags.value(in: applied("+c", to: tags, of: book))?.texts == ["a", "b", "c"])
        #expect(try signed.value(in: applied("s/yes/no/", to: signed, of: book)) == .boolean(false))
        #expect(try failure("s/yes/perhaps/", of: signed, in: book) != nil)
        #expect(try failure("s/3/x/", of: price, in: book) == .notAValue(price, text: "x.75", title: "Emma"))
    }

    // MARK: - Many books

    @Test func fieldsThatTellBooksApartAreLocked() {
        let locked = BookField.builtIn.filter(\.isLockedForSeveral)
        #expect(Set(locked) == [.title, .isbn, .sourceID, .identifiers])
        #expect(FieldTransform(setting: .title, to: .text("x")).isSetting)
        #expect(FieldTransform(setting: .isbn, to: nil).isClearing)
    }
}
