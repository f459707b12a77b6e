internal import Indexing

extension NativeBlock {
    /// Appends the row of a book to the table of the books.
    mutating func add(_ row: PublishedRow, number: Int, batch: Int) {
        add(number, to: 0)
        add(batch, to: 1)
        for (index, bytes) in ([row.id, row.record] + row.keys).enumerated() { add(bytes, to: 2 + index) }
        add(Int(row.facts.year), to: 7)
        add(Int(row.facts.pages), to: 8)
        add(Int(row.facts.rating), to: 9)
        add(Int(row.facts.added), to: 10)
        for (index, field) in SearchField.withColumns.enumerated() { add(row.text(field), to: 11 + index) }
        add(row.languages, to: 16)
        add(row.isbn, to: 17)
        add(row.fiction, to: 18)
        add(Int(row.traits.rawValue), to: 19)
        endRow()
    }

    /// Appends the words of a book to the table of the tokens.
    mutating func addWords(of row: PublishedRow, number: Int, batch: Int) {
        for (word, fields) in row.words {
            add(word, to: 0)
            add(Int(fields.rawValue), to: 1)
            add(number, to: 2)
            add(batch, to: 3)
            endRow()
        }
    }
}
