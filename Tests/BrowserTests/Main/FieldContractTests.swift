import Testing

@testable import Books
@testable import Browser
@testable import Catalog
@testable import CatalogTesting
@testable import Formats
@testable import Graphemes
@testable import Indexing
@testable import JSON
@testable import Library
@testable import Search
@testable import TerminalUI
@testable import Threading
@testable import stacks

/// Every field of the table, in every place where a reader meets it. SQLite is in the tests of the connectors.
@Suite("Fields: the contract of the table") struct FieldContractTests {
    init() { useUTF8Locale() }

    // MARK: - Records

    @Test("Names, keys and orders hold each field once") func names() {
        #expect(Set(BookField.builtIn.map(\.id)).count == BookField.builtIn.count)
        #expect(Set(BookField.builtIn.map(\.info.nativeKey)).count == BookField.builtIn.count)
        let names = BookField.builtIn.flatMap(\.info.queryNames)
        #expect(Set(names).count == names.count)
        for field in BookField.builtIn {
            #expect(BookField(id: field.id) == field && BookField(named: field.id.uppercased()) == field)
            #expect(!field.info.label.isEmpty && !field.info.noun.isEmpty)
        }
        for places in [
            BookField.inForm, BookField.inFacts, BookField.inPrint, BookField.inColumns, BookField.inStatistics,
            BookField.inCSV.map(\.field),
        ] { #expect(Set(places).count == places.count) }
        #expect(Set(BookField.inForm) == Set(BookField.builtIn))
        #expect(Set(BookField.inColumns) == Set(BookField.builtIn.filter { $0.info.column != nil }))
    }

    @Test("A name that tells a field by itself tells no other") func tellingNames() {
        var fields: [String: BookField] = [:]
        for field in BookField.builtIn where field != .sourceID {
            #expect(!field.names.all.isEmpty, "\(field)")
            for name in field.names.telling {
                #expect(FieldNames.key(of: name) == name, "\(name)")
                #expect(fields[name] == nil, "\(name) of \(field)")
                fields[name] = field
            }
        }
    }

    @Test("The headings that the profile for tables knows are names of the same field") func tableHeadings() throws {
        for profile in ["table", "native"] {
            for (field, rule) in try #require(Profile.builtIn(named: profile)).mapping.rules {
                for heading in rule.candidates.compactMap(\.path.soleName) where field != .sourceID && !field.gathers {
                    #expect(
                        BookField.named(heading)?.field == field
                            || ["Notes", "Series #"].contains(heading),
                        "\(heading) in \(profile)")
                }
            }
        }
    }

    @Test("A mapping reads, writes and removes it", arguments: FieldSample.all + FieldSample.own)
    func mapping(sample: FieldSample) throws {
        let field = sample.field
        let mapping = sample.mapping(at: "x y")
        let record = JSONValue.object([.init(key: "x y", value: sample.raw), .init(key: "other", value: .number("7"))])
        let book = mapping.book(from: record)
        let value = try #require(sample.value)
        #expect(field.value(in: book) == value)
        #expect(book.otherFields.map(\.path) == ["other"])
        #expect(mapping.record(of: book, in: record) == record)
        let new = mapping.record(of: book)
        #expect(field.value(in: mapping.book(from: new)) == value)
        var changed = book
        field.clear(in: &changed)
        #expect(field.value(in: changed) == nil && changed == Book(title: "").with(book.otherFields))
        let without = mapping.record(of: changed, in: record)
        #expect(field.value(in: mapping.book(from: without)) == nil && without["other"] == .number("7"))
    }

    @Test("Records of stacks have it and are read back", arguments: FieldSample.all) func native(sample: FieldSample)
        throws
    {
        let record = sample.book.nativeRecord(identity: BookIdentity(key: BookIdentity.Key(of: sample.book)))
        #expect(record[sample.field.info.nativeKey] != nil)
        // The id of a record is the identity, and the key of the catalog a member of its own.
        let profile = sample.field == .sourceID ? "library" : "native"
        let mapping = try #require(Profile.builtIn(named: profile)).mapping
        #expect(sample.field.value(in: mapping.book(from: record)) == sample.value)
    }

    @Test("stacks check counts it", arguments: FieldSample.all + FieldSample.own) func check(sample: FieldSample) {
        var validator = CatalogValidator(sample.mapping(at: "x"))
        validator.add(.object([.init(key: "x", value: sample.raw)]))
        validator.add(.object([.init(key: "y", value: .number("7"))]))
        #expect(validator.coverage[sample.field] == 1)
    }

    // MARK: - The screen

    /// A text that shows the value.
    private func shown(_ sample: FieldSample) -> String {
        switch sample.field.info.kind {
        case .text: "Quaestio \(sample.field.id)"
        case .number: sample.field == .rating ? "★★★" : "3"
        case .isbn: "978-0141439587"
        case .date: "1815"
        case .boolean: sample.field.isOwn ? "yes" : "Fiction"
        case .link: "https://a.example/"
        case .status: "Reading"
        case .list: sample.field == .languages ? "French" : "fr"
        case .gatheredList: sample.field == .identifiers ? "10.1/x" : "Ann Alpha"
        }
    }

    @Test("The card shows it", arguments: FieldSample.all + FieldSample.own) func card(sample: FieldSample) {
        let text = BookCard(book: sample.book).text.paragraphs.map { $0.label + " " + $0.text }.joined(separator: "\n")
        #expect(text.replacing("\u{A0}", with: " ").contains(shown(sample)))
    }

    @Test("Printed details have it", arguments: FieldSample.all + FieldSample.own) func printed(sample: FieldSample) {
        let text = LabelledBook(book: sample.book).paragraphs.map { $0.label + " " + $0.text }.joined(separator: "\n")
        #expect(text.contains(shown(sample)))
    }

    @Test("The form shows and reads it", arguments: FieldSample.all + FieldSample.own) func form(sample: FieldSample)
        throws
    {
        let line = BookFormField(sample.field, of: [sample.book], count: 1)
        #expect(!line.editor.text.isEmpty && line.label == sample.field.info.label)
        #expect(try line.value() == sample.value)
        #expect(try FieldInput.value(of: sample.field, line.editor.text) == sample.value)
    }

    @Test("A column shows it", arguments: (FieldSample.all + FieldSample.own).filter { $0.field.info.column != nil })
    func column(sample: FieldSample) throws {
        let column = ListColumn(sample.field)
        let schema = Schema(own: sample.field.isOwn ? [sample.field] : [])
        #expect(ListColumn.all(of: schema).contains(column))
        #expect(ListColumn.named(column.rawValue).resolved(in: schema) == column)
        #expect(column.label == sample.field.info.column?.heading)
        #expect(column.text(of: sample.book).text.contains(shown(sample)))
        #expect(column.text(of: Book(title: "")).text != column.text(of: sample.book).text)
    }

    // MARK: - Search

    /// The index of a book with the value and one without.
    private func index(_ sample: FieldSample) -> BookIndex {
        BookIndex(of: [Book(title: ""), sample.book], segments: [2])
    }

    private func found(_ query: String, _ sample: FieldSample) -> [Int] {
        let query = Query(query)
        #expect(query.syntaxError == nil, "\(query.text)")
        return SearchedIndex(index(sample)).search(query).list.rows
    }

    @Test("Each name finds it in queries", arguments: FieldSample.all.filter { !$0.field.info.queryNames.isEmpty })
    func query(sample: FieldSample) throws {
        let value: String? =
            switch sample.field.info.kind {
            case .text, .link: sample.field.info.indexing == .presence ? nil : "quaestio"
            case .number: "3"
            case .isbn: "9780141439587"
            case .date: "1815"
            case .boolean: "yes"
            case .status: "reading"
            case .list, .gatheredList: "fr"
            }
        for name in sample.field.info.queryNames {
            #expect(found("has:\(name)", sample) == [1], "has:\(name)")
            if let value { #expect(found("\(name):\(value)", sample) == [1], "\(name):\(value)") }
        }
    }

    @Test("Lists are sorted by it", arguments: FieldSample.all.filter { $0.field.info.order != nil })
    func order(sample: FieldSample) throws {
        let key = try #require(sample.field.info.queryNames.first.flatMap { SortOrder.Key(rawValue: $0) })
        let sorted = SortOrderCache().order(
            SortOrder([.init(key)]), of: index(sample), isComplete: true, waiting: 20_000
        ) {}
        #expect(sorted?.indices == [1, 0])
    }

    @Test(
        "Lists are grouped by it",
        arguments: FieldSample.all.filter { $0.field.info.queryNames.first.flatMap { SectionKey(rawValue: $0) } != nil }
    )
    func group(sample: FieldSample) throws {
        let index = index(sample)
        let key = try #require(sample.field.info.queryNames.first.flatMap { SectionKey(rawValue: $0) })
        let grouping = index.sections(
            of: BookList(allOf: index.count), by: key, .folded, isDescending: false, userData: UserDataFilter(),
            on: ThreadPool(threadCount: 0))
        let sections = try #require(grouping.value)
        #expect(sections.count == 2 && sections.list.rows == [1, 0])
        let titles = SectionTitles(of: sections, in: BookStore(of: [Book(title: ""), sample.book]))
        #expect(titles[0].contains(shown(sample)) && titles[1] == key.absenceTitle)
    }

    @Test("Books are counted by it", arguments: FieldSample.all.filter(\.field.info.isFacet))
    func facet(sample: FieldSample) throws {
        let index = index(sample)
        let name = try #require(sample.field.info.queryNames.first)
        let facet = try #require(Facet.allCases.first { "\($0)" == name })
        let count = index.countFacets(
            of: BookList(allOf: index.count), userData: UserDataFilter(), on: ThreadPool(threadCount: 0))
        let counts = try #require(count.value)[facet]
        #expect(counts.values.map(\.count).allSatisfy { $0 == 1 } && !counts.values.isEmpty)
        #expect(counts.unknownCount == 1)
    }

    @Test(
        "Its values complete what is typed",
        arguments: FieldSample.all.filter { Query.TextField($0.field)?.isCompleted == true })
    func completion(sample: FieldSample) throws {
        let index = index(sample)
        let field = try #require(Query.TextField(sample.field))
        let scope = BookSearch.Scope(BookList(allOf: index.count), of: index)
        let found = scope.completions(of: field, startingWith: "", on: ThreadPool(threadCount: 0)).value ?? []
        let names = found.map { $0.name(in: BookStore(of: [Book(title: ""), sample.book])) }
        #expect(
            names.first.map { sample.value?.texts.contains($0) == true || ["French", "German"].contains($0) } == true)
    }

    @Test(
        "Statistics count the books with it",
        arguments: FieldSample.all.filter { BookField.inStatistics.contains($0.field) })
    func statistics(sample: FieldSample) throws {
        let index = index(sample)
        let count = index.countStatistics(
            of: BookList(allOf: index.count), userData: UserDataFilter(), on: ThreadPool(threadCount: 0))
        #expect(try #require(count.value).count(of: sample.field) == 1)
    }

    @Test(
        "What is searched is in the index of a file, too",
        arguments: FieldSample.all.filter { $0.field.info.indexing != nil })
    func indexed(sample: FieldSample) throws {
        #expect(IndexedField.allCases.map(\.bookField).contains(sample.field))
        let record = sample.book.nativeRecord(identity: BookIdentity(key: BookIdentity.Key(of: sample.book)))
        let mapping = try #require(Profile.builtIn(named: "native")).mapping
        let book = RecordDecoder(mapping).indexed(record)
        #expect(sample.field.value(in: book) == sample.value)
    }

    // MARK: - Tables

    @Test(
        "A column of CSV has it and is read back",
        arguments: FieldSample.all.filter { sample in
            // The connector reads the roles of contributors.
            sample.field != .contributors
                && (BookField.inCSV + BookField.laterInCSV).contains { $0.field == sample.field }
        })
    func csv(sample: FieldSample) throws {
        var text: [UInt8] = []
        let form = CSVFormatter(includesUserData: false)
        form.begin(&text)
        form.append(PrintedBook(book: sample.book), to: &text)
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\r\n")
        let cells = zip(
            lines[0].split(separator: ",", omittingEmptySubsequences: false).map(String.init),
            lines[1].split(separator: ",", omittingEmptySubsequences: false).map(String.init))
        // As the connector reads them.
        let record = JSONValue.object(
            cells.map { heading, cell in
                let isList = (BookField.inCSV + BookField.laterInCSV).contains {
                    $0.heading == heading && $0.field.isList
                }
                let value: JSONValue = isList ? .array(EscapedList.items(of: cell).map { .string($0) }) : .string(cell)
                return JSONValue.Member(key: heading, value: cell.isEmpty ? .null : value)
            })
        #expect(ProfileRecognition.profile(of: [record], isTable: true) == ProfileRecognition.own)
        let book = try #require(Profile.builtIn(named: ProfileRecognition.own)).mapping.book(from: record)
        #expect(sample.field.value(in: book) == sample.value)
    }
}

extension Book {
    /// This book with other fields.
    fileprivate func with(_ otherFields: [OtherField]) -> Book {
        var book = self
        book.otherFields = otherFields
        return book
    }
}
