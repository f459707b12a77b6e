internal import JSON

/// A book to export, from a row in the native fields of stacks.
struct ExportedBook {
    /// The row.
    let row: JSONValue

    /// Creates a book from its row.
    init(row: JSONValue) { self.row = row }

    /// The identity in stacks, such as "isbn:9780141439587".
    var identity: String { text("id") ?? "" }
    /// The authors.
    var authors: [String] { texts("authors") }
    /// The languages, as language tags or names.
    var languages: [String] { texts("language") }
    /// The subjects.
    var subjects: [String] { texts("subjects") }

    /// The identifiers that are not ISBNs.
    var identifiers: [(scheme: String, value: String)] {
        (row["identifiers"]?.elements ?? []).compactMap { item in
            guard let scheme = item["scheme"]?.string, let value = item["value"]?.string else { return nil }
            return (scheme, value)
        }
    }

    /// The contributors who are not authors.
    var contributors: [(name: String, role: String?)] {
        (row["contributors"]?.elements ?? []).compactMap { item in
            item["name"]?.string.map { ($0, item["role"]?.string) }
        }
    }

    /// The text of a field; nil if it is unknown or blank.
    func text(_ key: String) -> String? { row[key]?.string.flatMap { $0.isEmpty ? nil : $0 } }

    private func texts(_ key: String) -> [String] { (row[key]?.elements ?? []).compactMap(\.string) }
}
