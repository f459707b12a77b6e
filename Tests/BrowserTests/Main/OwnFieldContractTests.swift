import Testing

@testable import Books
@testable import Browser
@testable import Catalog
@testable import CatalogTesting
@testable import Graphemes
@testable import Indexing
@testable import JSON
@testable import Library
@testable import Search
@testable import Threading

/// A field of each kind that only a catalog has, in every place where a column is needed.
@Suite("Fields: the contract of a catalog's own") struct OwnFieldContractTests {
    init() { useUTF8Locale() }

    /// A catalog of two books, of which the second has the value, with its column.
    private struct Shelf {
        let field: BookField
        let store: BookStore
        let schema: Schema
        let columns: FieldColumns

        init(_ sample: FieldSample) {
            field = sample.field
            schema = Schema(own: [field])
            store = BookStore(of: [Book(title: ""), sample.book])
            columns = store.columnsNow(in: schema)
        }

        func found(_ text: String) -> [Int] {
            let query = Query(text, of: schema)
            #expect(query.syntaxError == nil && query.columnFields == [field], "\(text)")
            let scope = BookSearch.Scope(BookList(allOf: 2), of: store.index, columns: columns)
            let search = BookSearch(query, in: scope, on: ThreadPool(threadCount: 0))
            #expect(search.wait(milliseconds: 20_000))
            return search.result.list.rows
        }
    }

    private func value(of kind: BookField.Kind) -> String {
        switch kind {
        case .number: "3"
        case .date: "1815"
        case .boolean: "yes"
        case .list: "fr"
        case .link: "example"
        default: "quaestio"
        }
    }

    @Test("Its name, its label and its path find it in queries", arguments: FieldSample.own)
    func query(sample: FieldSample) {
        let shelf = Shelf(sample)
        let kind = sample.field.info.kind
        for name in [sample.field.id, "\"\(sample.field.info.label)\"", "own_\(kind)", sample.field.id.uppercased()] {
            #expect(shelf.found("\(name):\(value(of: kind))") == [1], "\(name)")
        }
        #expect(shelf.found("has:\(sample.field.id)") == [1])
        #expect(shelf.found("-has:\(sample.field.id)") == [0])
        if kind != .boolean { #expect(shelf.found("\(sample.field.id):2999") == []) }
    }

    @Test("Lists are sorted by it, and those without a value come last", arguments: FieldSample.own)
    func order(sample: FieldSample) throws {
        let shelf = Shelf(sample)
        for text in [sample.field.id, "-\(sample.field.id)"] {
            let order = try #require(SortOrder(text, of: shelf.schema))
            #expect(order.description == text && order.ownFields == [sample.field])
            let sorted = SortOrderCache().order(
                order, of: shelf.store.index, columns: shelf.columns, isComplete: true, waiting: 20_000
            ) {}
            #expect(sorted?.indices == [1, 0])
        }
    }

    @Test("Lists are grouped by it", arguments: FieldSample.own) func group(sample: FieldSample) throws {
        let shelf = Shelf(sample)
        let key = try #require(SectionKey(rawValue: sample.field.id, of: shelf.schema))
        let grouping = shelf.store.index.sections(
            of: BookList(allOf: 2), by: key, columns: shelf.columns, on: ThreadPool(threadCount: 0))
        #expect(grouping.wait(milliseconds: 20_000) != nil)
        let sections = try #require(grouping.value)
        #expect(sections.count == 2 && sections.list.rows == [1, 0])
        let titles = SectionTitles(of: sections, in: shelf.store)
        let shown = sample.field.info.kind == .boolean ? "Yes" : value(of: sample.field.info.kind)
        #expect(titles[0].lowercased().contains(shown.lowercased()) && titles[1] == key.absenceTitle, "\(titles[0])")
    }

    @Test("Books are counted by it, and the query of a count finds them", arguments: FieldSample.own)
    func facet(sample: FieldSample) throws {
        guard sample.field.info.isFacet else { return }
        let shelf = Shelf(sample)
        let facet = Facet.own(sample.field)
        let count = shelf.store.index.countFacets(
            of: BookList(allOf: 2), facets: [facet], columns: shelf.columns, on: ThreadPool(threadCount: 0))
        let facets = try #require(count.wait(milliseconds: 20_000))
        #expect(!facets[facet].values.isEmpty && facets[facet].unknownCount == 1)
        for value in facets[facet].values {
            #expect(value.count == 1)
            #expect(shelf.found(value.query(in: shelf.store)) == [1])
            #expect(shelf.found(Query.text(excluding: value.query(in: shelf.store))) == [0])
        }
        #expect(shelf.found(facets.unknownQuery(of: facet)) == [0])
    }

    @Test("Its values complete what is typed", arguments: FieldSample.own) func completion(sample: FieldSample) throws {
        guard sample.field.info.own?.kind.isNumeric == false else { return }
        let shelf = Shelf(sample)
        let column = try #require(shelf.columns[sample.field])
        let scope = BookSearch.Scope(BookList(allOf: 2), of: shelf.store.index)
        let task = scope.completions(of: column, in: shelf.store.index, startingWith: value(of: sample.field.info.kind))
        let names = task.wait(milliseconds: 20_000)?.map(\.name)
        #expect(names?.first.map { sample.value?.texts.contains($0) == true } == true)
        let text = "\(sample.field.id):\(value(of: sample.field.info.kind))"
        let unfinished = try #require(
            Query.unfinishedValue(of: text, at: text.utf8.count, in: shelf.schema))
        #expect(unfinished.kind == .own(sample.field))
        let (_, candidates) = Query.completions(of: "own-", at: 4, in: shelf.schema)
        #expect(candidates == ["\(sample.field.id):"])
    }

    @Test("Statistics count the books with it, and a chart shows it", arguments: FieldSample.own)
    func statistics(sample: FieldSample) throws {
        let shelf = Shelf(sample)
        let count = shelf.store.index.countStatistics(
            of: BookList(allOf: 2), columns: shelf.columns, on: ThreadPool(threadCount: 0))
        let counted = try #require(count.wait(milliseconds: 20_000))
        let own = try #require(counted.own.first)
        #expect(own.field == sample.field && own.knownCount == 1)
        switch sample.field.info.kind {
        case .number: #expect(own.numbers?.sum == 3 && own.numbers?.bins.map(\.count) == [1])
        case .date: #expect(own.years?.entries.map(\.number) == [1815])
        default: #expect(own.values?.values.isEmpty == false)
        }
    }

    @Test("A word without a field says where it stands", arguments: FieldSample.own)
    func elsewhere(sample: FieldSample) throws {
        guard sample.field.info.own?.kind.isNumeric == false else { return }
        let shelf = Shelf(sample)
        let word = value(of: sample.field.info.kind)
        let query = Query(word, of: shelf.schema)
        let scope = BookSearch.Scope(BookList(allOf: 2), of: shelf.store.index, columns: shelf.columns)
        let diagnosis = try #require(NoResultsDiagnosis(of: query, in: scope, on: ThreadPool(threadCount: 0)))
        #expect(diagnosis.elsewhere == [.init(field: sample.field, bookCount: 1)])
        #expect(
            diagnosis.sentence(of: query, acceptingKey: "Tab")
                == "No match. In \(sample.field.info.label): \(word) (1). Tab searches \(sample.field.info.label)")
        #expect(shelf.found(query.searching(diagnosis.term, in: sample.field)) == [1])
    }

    @Test("A file has it from its records, written back with the type that they have", arguments: FieldSample.own)
    func file(sample: FieldSample) throws {
        let key = "own_\(sample.field.info.kind)"
        let record = JSONValue.object([.init(key: "title", value: .string("Emma")), .init(key: key, value: sample.raw)])
        let native = try #require(Profile.builtIn(named: "native")).mapping
        let found = native.ownFields(in: Array(repeating: record, count: 3))
        #expect(found.map(\.id) == [sample.field.id] && found.map(\.info.kind) == [sample.field.info.kind])
        let mapping = native.with(own: found)
        let book = mapping.book(from: record)
        #expect(book.otherFields.isEmpty && found.first?.value(in: book) == sample.value)
        #expect(mapping.record(of: book, in: record) == record)
        let field = try #require(found.first)
        var changed = book
        field.clear(in: &changed)
        #expect(mapping.record(of: changed, in: record)[key] == nil)
        #expect(mapping.record(of: book, in: mapping.record(of: changed, in: record))[key] == sample.raw)
    }
}

extension BookStore {
    /// The columns of the fields of a schema.
    fileprivate func columnsNow(in schema: Schema) -> FieldColumns {
        var columns: FieldColumns = [:]
        for field in schema.own { columns[field] = columnBacked?.column(of: .own(field)) }
        return columns
    }
}
