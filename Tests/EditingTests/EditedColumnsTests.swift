import Books
import Foundation
import JSON
import Storage
import TestSupport
import Testing

@testable import Catalog
@testable import CatalogTesting
@testable import Editing
@testable import Indexing

@Suite("Columns of edited catalogs") struct EditedColumnsTests: CatalogEditing {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// A catalog of books in rooms.
    private func text(_ count: Int) -> String {
        "["
            + (0..<count).map { number in
                #"{"title": "Book \#(number)", "authors": ["Author \#(number % 5)"], "room": "Room \#(number % 4)", "#
                    + #""price": \#(number % 3 + 1), "words": ["w\#(number % 2)", "v"]}"#
            }.joined(separator: ",\n") + "]"
    }

    private func sources(_ catalog: EditedCatalog) throws -> [ColumnSource] {
        let mapping = try #require(catalog.format).mapping
        return try ["room", "price", "words"].map { .own(try #require(mapping.schema.ownField(named: $0))) }
            + [.lines(.author), .lines(.subject)]
    }

    /// Checks that the columns are those that the books would have anew.
    private func check(_ catalog: EditedCatalog, comment: Comment? = nil) throws {
        let mapping = try #require(catalog.format).mapping
        for source in try sources(catalog) {
            let column = try #require(catalog.column(of: source), comment)
            let content = ColumnContent(column)
            let expected: ColumnContent
            switch source {
            case .own(let field):
                let values = (0..<catalog.index.count).map { number in
                    mapping.columnValues(of: field, in: catalog.record(BookID(number)) ?? .null)
                }
                expected = ColumnContent(of: values, isList: field.info.own?.kind == .list)
            case .lines(let field):
                let task = ColumnTask(of: [field], in: catalog.index)
                task.wait { false }
                expected = ColumnContent(try #require(task.columns[source]))
            }
            #expect(content.values == expected.values, comment)
            #expect(content.books == expected.books, comment)
            #expect(content.places == expected.places, comment)
        }
    }

    @Test func columnsFollowEditsAndSaving() throws {
        let path = try write(text(40))
        let catalog = try open(path)
        let sources = try sources(catalog)
        #expect(catalog.column(of: sources[0]) == nil)
        #expect(catalog.waitForColumns(of: sources))
        try check(catalog)
        let room = try #require(catalog.format?.mapping.schema.ownField(named: "room"))
        _ = try catalog.set([room], of: [3, 7]) { room.set(.text("Attic"), in: &$0) }
        try check(catalog)
        _ = try catalog.set([.authors], of: [0]) { $0.authors = ["Nobody", "Author 1"] }
        try check(catalog)
        let column = catalog.column(of: sources[0])
        #expect(column === catalog.column(of: sources[0]))
        guard case .saved = try save(catalog) else {
            Issue.record("not saved")
            return
        }
        #expect(catalog.isUnchanged)
        try check(catalog)
        #expect(catalog.base.column(of: sources[0]) != nil)
        _ = try catalog.set([.title], of: [5]) { $0.title = "Other" }
        try check(catalog)
        try catalog.reload()
        catalog.base.readRest()
        _ = catalog.receive()
        #expect(catalog.column(of: sources[0]) == nil)
    }

    @Test func theValuesOfManyChangedBooksAreReadInTheBackground() throws {
        let catalog = try open(try write(text(3000)))
        let sources = try sources(catalog)
        #expect(catalog.waitForColumns(of: sources))
        let room = try #require(catalog.format?.mapping.schema.ownField(named: "room"))
        _ = try catalog.set([room], of: (0..<2000).map { BookID($0) }) { room.set(.text("Attic"), in: &$0) }
        #expect(catalog.column(of: sources[0]) == nil)
        let task = try #require(catalog.makeColumns(of: sources) {})
        task.wait { false }
        #expect(task.columns[sources[0]]?.bookCount == 3000)
        try check(catalog)
    }
}
