internal import Books

/// What the names of a table's columns say about their cells.
struct TableColumns {
    /// The later columns with the same name as one of authors or subjects, by the number of the first one.
    private(set) var repetitions: [Int: [Int]] = [:]
    /// The columns of ISBNs.
    let isbns: [Int]

    /// Creates a description of the columns with these names.
    init(_ names: [String]) {
        let keys = names.map(FieldNames.key)
        isbns = keys.indices.filter { BookField.isbn.names.weight(of: keys[$0]) != nil }
        var firsts: [String: Int] = [:]
        for (number, key) in keys.enumerated()
        where [BookField.authors, .subjects].contains(where: { $0.names.telling.contains(key) }) {
            // "Author 2" is not a repetition of "Author".
            if let first = firsts[names[number]] {
                repetitions[first, default: []].append(number)
            } else {
                firsts[names[number]] = number
            }
        }
    }

    /// Whether the cells of this column are read with those of an earlier one.
    func isRepetition(_ number: Int) -> Bool { repetitions.contains { $0.value.contains(number) } }
}
