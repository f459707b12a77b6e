import Testing

@testable import Books
@testable import Catalog
@testable import JSON
@testable import stacks

/// The suggestions for records in unknown formats.
@Suite("Validation: suggesting a mapping") struct MappingSuggestionTests {
    private static func rules(for records: [String], knownAs profile: String? = nil) throws -> [BookField: String] {
        let values = try records.map { try #require(JSONValue(parsing: $0.utf8), "\($0)") }
        let known = profile.flatMap(Profile.builtIn(named:))?.mapping
        return MappingSuggestion(for: values, knownAs: known).rules.mapValues { rule in
            rule.candidates.map(text(of:)).joined(separator: " | ")
        }
    }

    private static func text(of candidate: FieldMapping.Candidate) -> String {
        var text = candidate.path.description
        if let split = candidate.split { text += " split \"\(split)\"" }
        if let scale = candidate.scale { text += " scale \(Int(scale))" }
        if let tag = candidate.tag { text += " role \(tag)" }
        return text + candidate.values.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
    }

    /// Records in a format, and the right paths for them.
    struct Shape: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let records: [String]
        let rules: [BookField: String]

        init(_ name: String, _ records: [String], _ rules: [BookField: String]) {
            testDescription = name
            self.records = records
            self.rules = rules
        }
    }

    private static let shapes = [
        Shape(
            "properties of Notion",
            [
                #"{"object": "page", "properties": {"Name": {"id": "title", "type": "title", "title": [{"plain_text": "The Lake", "href": null}]}, "Author": {"id": "a", "type": "rich_text", "rich_text": [{"plain_text": "Ann Alpha"}]}, "Pages": {"id": "p", "type": "number", "number": 320}, "Genre": {"id": "g", "type": "multi_select", "multi_select": [{"id": "1", "name": "Novel"}]}}}"#,
                #"{"object": "page", "properties": {"Name": {"id": "title", "type": "title", "title": [{"plain_text": "The Hill", "href": null}]}, "Author": {"id": "a", "type": "rich_text", "rich_text": [{"plain_text": "Bob Beta"}]}, "Pages": {"id": "p", "type": "number", "number": 88}, "Genre": {"id": "g", "type": "multi_select", "multi_select": []}}}"#,
            ],
            [
                .title: "properties.Name.title.plain_text", .authors: "properties.Author.rich_text.plain_text",
                .pageCount: "properties.Pages.number", .subjects: "properties.Genre.multi_select.name",
            ]),
        Shape(
            "minutes, which are no pages",
            [
                #"{"title": "The Lake", "authors": "Ann Alpha", "length_in_minutes": 540}"#,
                #"{"title": "The Hill", "authors": "Bob Beta", "length_in_minutes": 312}"#,
            ],
            [.title: "title", .authors: "authors"]),
        Shape(
            "years under a name that is like that of pages",
            [
                #"{"Title": "Emma", "Author": "Jane Austen", "Length": 1815}"#,
                #"{"Title": "Nana", "Author": "Émile Zola", "Length": 1880}"#,
                #"{"Title": "Dracula", "Author": "Bram Stoker", "Length": 1897}"#,
            ],
            [.title: "Title", .authors: "Author", .published: "Length"]),
        Shape(
            "German keys",
            [
                #"{"Titel": "Der Prozess", "Verfasser": "Franz Kafka", "Seiten": 312, "Verlag": "Fischer", "Erscheinungsjahr": 1925, "Sprache": "ger", "Schlagworte": ["Roman"]}"#,
                #"{"Titel": "Die Verwandlung", "Verfasser": "Franz Kafka", "Seiten": 80, "Verlag": "Wolff", "Erscheinungsjahr": 1915, "Sprache": "ger", "Schlagworte": ["Novelle"]}"#,
            ],
            [
                .title: "Titel", .authors: "Verfasser", .pageCount: "Seiten", .publisher: "Verlag",
                .published: "Erscheinungsjahr", .languages: "Sprache", .subjects: "Schlagworte",
            ]),
        Shape(
            "French keys, with accents and blanks",
            [
                #"{"titre": "La Peste", "auteur": "Albert Camus", "nombre de pages": 279, "éditeur": "Gallimard", "année": 1947, "résumé": "Oran, une ville comme les autres, jusqu'à la peste."}"#,
                #"{"titre": "L'Étranger", "auteur": "Albert Camus", "nombre de pages": 184, "éditeur": "Gallimard", "année": 1942, "résumé": "Aujourd'hui, maman est morte, ou peut-être hier."}"#,
            ],
            [
                .title: "titre", .authors: "auteur", .pageCount: "nombre de pages", .publisher: "éditeur",
                .published: "année", .description: "résumé",
            ]),
        Shape(
            "prefixes and underscores",
            [
                #"{"book_title": "Dune", "book_author": "Frank Herbert", "book_isbn": "9780441478125", "num_pages": "604", "publication_year": "1965", "avg_rating": 4.2}"#,
                #"{"book_title": "Emma", "book_author": "Jane Austen", "book_isbn": "", "num_pages": "474", "publication_year": "1815", "avg_rating": 4.0}"#,
            ],
            [
                .title: "book_title", .authors: "book_author", .isbn: "book_isbn", .pageCount: "num_pages",
                .published: "publication_year", .rating: "avg_rating",
            ]),
        Shape(
            "objects within objects",
            [
                #"{"work": {"title": {"main": "Dune", "sub": "A novel"}, "creators": [{"name": "Frank Herbert"}]}, "edition": {"publisher": {"name": "Chilton"}, "pages": 412, "date": "1965-08-01"}}"#,
                #"{"work": {"title": {"main": "Emma", "sub": null}, "creators": [{"name": "Jane Austen"}]}, "edition": {"publisher": {"name": "Murray"}, "pages": 474, "date": "1815-12-23"}}"#,
            ],
            [
                .title: "work.title.main", .subtitle: "work.title.sub", .authors: "work.creators.name",
                .publisher: "edition.publisher.name", .pageCount: "edition.pages", .published: "edition.date",
            ]),
        Shape(
            "keys that say nothing, values that do",
            [
                #"{"f1": "The Left Hand of Darkness", "f2": "Ursula Le Guin", "f3": "978-0-441-47812-5", "f4": "304 p.", "f5": "https://x.org/1.jpg", "f6": 1969}"#,
                #"{"f1": "A Wizard of Earthsea", "f2": "Ursula Le Guin", "f3": "0441478123", "f4": "183 p.", "f5": "https://x.org/2.jpg", "f6": 1968}"#,
                #"{"f1": "The day before the revolution", "f2": "Frank Herbert", "f3": null, "f4": "20 pages", "f5": "https://x.org/3.jpg", "f6": 1974}"#,
            ],
            [.title: "f1", .authors: "f2", .isbn: "f3", .pageCount: "f4", .cover: "f5", .published: "f6"]),
        Shape(
            "names in one string",
            [
                #"{"name": "Good Omens", "by": "Terry Pratchett & Neil Gaiman", "len": 412, "tags": "humour; fantasy"}"#,
                #"{"name": "Mort", "by": "Terry Pratchett", "len": 272, "tags": "humour; death"}"#,
            ],
            [
                .title: "name", .authors: #"by split " & ""#, .pageCount: "len", .subjects: #"tags split "; ""#,
            ]),
        Shape(
            "roles",
            [
                #"{"headline": "Omon Ra", "people": [{"role": "author", "name": "Victor Pelevin"}, {"role": "translator", "name": "Andrew Bromfield"}], "lang": "en"}"#,
                #"{"headline": "Solaris", "people": [{"role": "author", "name": "Stanisław Lem"}, {"role": "translator", "name": "Bill Johnston"}], "lang": "en"}"#,
            ],
            [
                .title: "headline", .authors: "people[?@.role=='author'].name", .languages: "lang",
                .contributors: "people[?@.role=='translator'].name role translator",
            ]),
        Shape(
            "numbers in schemes",
            [
                #"{"title": "A", "ids": [{"type": "ISBN_13", "value": "9780441478125"}, {"type": "OTHER", "value": "X1"}]}"#,
                #"{"title": "B", "ids": [{"type": "ISBN_13", "value": "9780393039764"}, {"type": "OTHER", "value": "X2"}]}"#,
            ],
            [.title: "title", .isbn: "ids[?@.type=='ISBN_13'].value", .identifiers: "ids"]),
        Shape(
            "two numbers, each in some records",
            [
                #"{"title": "A", "isbn13": "9780441478125", "isbn10": ""}"#,
                #"{"title": "B", "isbn13": "", "isbn10": "0441478123"}"#,
            ],
            [.title: "title", .isbn: "isbn13 | isbn10"]),
        Shape(
            "a reading diary",
            [
                #"{"Book Title": "Dune", "Written By": "Frank Herbert", "My Rating": 9, "Shelf": "finished", "Added On": "2024-02-01"}"#,
                #"{"Book Title": "Emma", "Written By": "Jane Austen", "My Rating": 7, "Shelf": "currently reading", "Added On": "2024-03-01"}"#,
                #"{"Book Title": "Ulysses", "Written By": "James Joyce", "My Rating": 3, "Shelf": "dnf", "Added On": "2024-04-01"}"#,
            ],
            [
                .title: "Book Title", .authors: "Written By", .rating: "My Rating scale 10",
                .status: "Shelf currently reading=reading dnf=abandoned finished=read", .dateAdded: "Added On",
            ]),
        Shape(
            "a series with its place",
            [
                #"{"id": 1, "title": "Mort", "author": "Terry Pratchett", "series": {"name": "Discworld", "number": 4}, "is_fiction": true}"#,
                #"{"id": 2, "title": "Sourcery", "author": "Terry Pratchett", "series": {"name": "Discworld", "number": 5}, "is_fiction": true}"#,
            ],
            [
                .sourceID: "id", .title: "title", .authors: "author", .series: "series.name",
                .seriesPosition: "series.number",
                .fiction: "is_fiction",
            ]),
        Shape(
            "Russian keys",
            [
                #"{"название": "Мастер и Маргарита", "автор": "Михаил Булгаков", "страниц": 480, "издательство": "АСТ", "год": 1967}"#,
                #"{"название": "Белая гвардия", "автор": "Михаил Булгаков", "страниц": 320, "издательство": "АСТ", "год": 1925}"#,
            ],
            [
                .title: "название", .authors: "автор", .pageCount: "страниц", .publisher: "издательство",
                .published: "год",
            ]),
        Shape(
            "Chinese keys",
            [
                #"{"书名": "三体", "作者": ["刘慈欣"], "页数": 302, "出版社": "重庆出版社", "出版年": "2008"}"#,
                #"{"书名": "活着", "作者": ["余华"], "页数": 191, "出版社": "作家出版社", "出版年": "1993"}"#,
            ],
            [.title: "书名", .authors: "作者", .pageCount: "页数", .publisher: "出版社", .published: "出版年"]),
        Shape(
            "Dublin Core",
            [
                #"{"dc:title": "Dune", "dc:creator": "Herbert, Frank", "dc:date": "1965", "dc:language": "en", "dc:publisher": "Chilton", "dc:subject": ["Deserts"]}"#,
                #"{"dc:title": "Emma", "dc:creator": "Austen, Jane", "dc:date": "1815", "dc:language": "en", "dc:publisher": "Murray", "dc:subject": ["Marriage"]}"#,
            ],
            [
                .title: "dc:title", .authors: "dc:creator", .published: "dc:date", .languages: "dc:language",
                .publisher: "dc:publisher", .subjects: "dc:subject",
            ]),
        Shape(
            "keys with points",
            [#"{"book.name": "Dune", "book.pages": 604}"#, #"{"book.name": "Emma", "book.pages": 474}"#],
            [.title: "['book.name']", .pageCount: "['book.pages']"]),
        Shape(
            "names of one key in several objects",
            [
                #"{"name": "Dune", "author": {"name": "Frank Herbert", "born": 1920}, "publisher": {"name": "Chilton", "founded": 1904}, "released": 1965}"#,
                #"{"name": "Emma", "author": {"name": "Jane Austen", "born": 1775}, "publisher": {"name": "Murray", "founded": 1768}, "released": 1815}"#,
            ],
            [.title: "name", .authors: "author.name", .publisher: "publisher.name", .published: "released"]),
    ]

    @Test(arguments: shapes)
    func fieldsAreFoundInRecordsOfAnyFormat(shape: Shape) throws {
        let rules = try Self.rules(for: shape.records)
        for field in BookField.builtIn { #expect(rules[field] == shape.rules[field], "\(field)") }
    }

    @Test func otherMembersAreNotSuggested() throws {
        let rules = try Self.rules(for: [
            #"{"title": "A", "price": 9.99, "in_stock": true, "weight_g": 300, "colour": "red", "status": "PUBLISH", "notes": "old"}"#,
            #"{"title": "B", "price": 5, "in_stock": false, "weight_g": 250, "colour": "red", "status": "MEAP", "notes": "old"}"#,
        ])
        #expect(rules == [.title: "title"])
        #expect(try Self.rules(for: [#"{"n": 1}"#, #"{"n": 2}"#]) == [:])
        #expect(try Self.rules(for: []) == [:])
    }

    @Test func aKnownFormatComesFirst() throws {
        let rules = try Self.rules(
            for: [
                #"{"metadata": {"title": "A", "author": "B C", "identifier": "urn:isbn:9780441478125", "belongsTo": {"series": {"name": "S", "position": 2}}}, "images": [{"href": "x.jpg"}]}"#
            ], knownAs: "opds")
        #expect(rules[.title] == "metadata.title")
        #expect(rules[.authors] == "metadata.author")
        #expect(rules[.series] == "metadata.belongsTo.series.name")
        #expect(rules[.isbn] == "metadata.identifier")
        #expect(rules[.cover] == "images[0].href")
        #expect(rules[.subtitle] == nil)
    }

    @Test func aPathIsSummarizedByCountAndExamples() throws {
        let records = ["1", "2", "2", "3", "4", "null"].map { number in
            JSONValue.object([
                .init(key: "t", value: .string("T" + number)),
                .init(key: "p", value: number == "null" ? .null : .number(number)),
            ])
        }
        let proposal = MappingSuggestion(for: records)
        let rule = FieldMapping.Rule([.init(try FieldPath("p"))])
        let look = proposal.look(at: rule, of: .pageCount)
        #expect(look == .init(count: 5, recordCount: 6, samples: ["1", "2", "3"]))
        #expect(look.share == 5.0 / 6)
        #expect(proposal.look(at: .init([.init(try FieldPath("none"))]), of: .title).count == 0)
        #expect(proposal.allPaths.map(\.path.description) == ["t", "p"])
        #expect(proposal.allPaths.map(\.sample) == [#""T1""#, "1"])
        #expect(proposal.allPaths[1].share == 5.0 / 6)
    }

    @Test func aSuggestionIsSavedAsAnEquivalentProfile() throws {
        for shape in Self.shapes {
            let values = try shape.records.map { try #require(JSONValue(parsing: $0.utf8)) }
            let rules = MappingSuggestion(for: values).rules
            let text = Profile.text(
                name: "x", label: "X \"y\"", records: [try FieldPath("data.books[*]")], rules: rules, catalogs: ["/a/b"]
            )
            let profile = try Profile(parsing: text.utf8)
            #expect(profile.mapping.rules == FieldMapping(rules: rules).rules)
            #expect(profile.label == "X \"y\"")
            #expect(profile.catalogs == ["/a/b"])
            #expect(profile.records.map(\.description) == ["data.books[*]"])
        }
    }

    @Test func theBuiltInProfilesAreWrittenAsTheyAreRead() throws {
        for name in Profile.builtInNames {
            let profile = try #require(Profile.builtIn(named: name))
            let text = Profile.text(name: name, records: profile.records, rules: profile.mapping.rules)
            #expect(try Profile(parsing: text.utf8).mapping.rules == profile.mapping.rules)
        }
    }
}
