import Catalog
import Indexing

@testable import Books
@testable import JSON
@testable import Search

/// The fields of any records must have names of their own by which queries find them, and their values must be read,
/// written back unchanged, and in their columns.
func readAsSchema(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: UInt8(ascii: "\n")).compactMap { JSONValue(parsing: $0) }
    let records = (lines + lines.flatMap { $0.elements ?? [] }).filter { $0.members != nil }
    guard let native = Profile.builtIn(named: "native")?.mapping else { fatalError("there is no native profile") }
    let fields = native.ownFields(in: records)
    let schema = Schema(own: fields)
    precondition(fields.count <= FieldMapping.ownFieldLimit, "\(fields.count) fields")
    precondition(Set(fields.map { OwnField.key(of: $0.id) }).count == fields.count, "\(fields) share a name")
    for field in fields {
        precondition(!field.info.label.isEmpty || field.info.own?.path.soleName == "", "\(field) has no label")
        let query = Query("has:\(field.id)", of: schema)
        precondition(
            query.syntaxError == nil && query.columnFields == [field], "has:\(field.id) does not find \(field)")
        precondition(SortOrder(field.id, of: schema)?.ownFields == [field], "\(field) does not sort")
    }
    let mapping = native.with(own: fields)
    let books = records.map(mapping.book)
    for (record, book) in zip(records, books) {
        precondition(mapping.record(of: book, in: record) == record, "\(record) is written otherwise")
        precondition(book.own.allSatisfy { $0.field.value(in: book) == $0.value }, "\(book) has a value twice")
    }
    if books.isEmpty { return }
    let catalog = InMemoryCatalog(name: "", books: books)
    for field in fields.prefix(4) {
        guard let column = catalog.column(of: .own(field)) else { fatalError("\(field) has no column") }
        precondition(column.bookCount == books.count)
        for (number, book) in books.enumerated() {
            let isKnown = column.numbers[number] > 0
            precondition(isKnown == (field.value(in: book) != nil), "\(field) of \(book) in its column")
        }
        if field.info.own?.kind.isNumeric == true, column.valueCount > 1 {
            let numbers = (0..<column.valueCount).map { column.number(ofValue: $0) }
            precondition(zip(numbers, numbers.dropFirst()).allSatisfy(<), "\(numbers) do not ascend")
        }
    }
}
