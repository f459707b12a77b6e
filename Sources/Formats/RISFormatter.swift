internal import Books
internal import Text

/// RIS: one line per tag and value; all references have the type BOOK.
struct RISFormatter: BookFormatter {
    let needsUserData = false

    func expect(_ schema: Schema) -> [FieldLoss] {
        [FieldLoss].all(but: .bibliographic, in: schema) + [
            FieldLoss("years before 1") { $0.published.map { $0.year <= 0 } ?? false },
            .lineBreaks,
            FieldLoss("roles but editor and translator") { book in
                book.contributors.contains { person in
                    !["editor", "edt", "translator", "trl"].contains(person.role?.lowercased() ?? "editor")
                }
            },
            FieldLoss("where a title with a colon ends") { book in
                book.title.utf8.contains(UInt8(ascii: ":")) && book.title.contains(": ")
            },
        ]
    }

    func append(_ printed: PrintedBook, to text: inout [UInt8]) {
        let book = printed.book
        func add(_ tag: StaticString, _ value: String?) {
            guard let line = value.map(Self.line), !line.isEmpty else { return }
            text.append(contentsOf: UnsafeBufferPointer(start: tag.utf8Start, count: tag.utf8CodeUnitCount))
            text += "  - \(line)\r\n".utf8
        }
        add("TY", "BOOK")
        add("ID", printed.recordKey)
        let title = [book.recordTitle, book.subtitle?.nonEmpty].compactMap(\.self)
        add("TI", title.joined(separator: ": "))
        for author in book.authors { add("AU", author) }
        for person in book.contributors {
            switch person.role?.lowercased() {
            case "translator", "trl": add("A4", person.name)
            case "editor", "edt": add("ED", person.name)
            default: add("A2", person.name)
            }
        }
        if let date = book.published, date.year > 0 {
            add("PY", date.year.padded(4))
            add(
                "DA",
                [date.year.padded(4), date.month?.padded(2) ?? "", date.day?.padded(2) ?? "", ""].joined(separator: "/")
            )
        }
        add("PB", book.publisher)
        add("SN", book.isbn?.text)
        add("SP", book.pageCount.map { String($0) })
        add("T3", book.series)
        add("VL", book.seriesNumber)
        for language in book.languages { add("LA", language) }
        for subject in book.subjects { add("KW", subject) }
        add("AB", book.description)
        for item in book.identifiers {
            switch item.scheme.lowercased() {
            case "doi": add("DO", item.value)
            case "url", "uri": add("UR", item.value)
            default: add("AN", "\(item.scheme):\(item.value)")
            }
        }
        text += "ER  - \r\n\r\n".utf8
    }

    /// Returns a value as one line, without control characters.
    private static func line(_ value: String) -> String {
        var line = String.UnicodeScalarView()
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\u{0}"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
                if let last = line.last, last != " " { line.append(" ") }
            case "\u{200E}", "\u{200F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": break
            default: line.append(scalar)
            }
        }
        return String(line)
    }
}
