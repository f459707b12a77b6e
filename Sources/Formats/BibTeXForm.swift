internal import Books
internal import Graphemes
internal import Text

/// Books as entries of BibTeX in UTF-8, which BibLaTeX reads too: `@book`, with the fields that either knows.
public struct BibTeXForm: BookFormatter {
    /// A form of entries of BibTeX.
    public init() {}

    /// Appends a book, or keeps it until others have come.
    public mutating func append(_ printed: PrintedBook, to text: inout [UInt8]) {
        let book = printed.book
        text += "@book{\(Self.key(of: book, identity: printed.knownIdentity)),\n".utf8
        func add(_ name: String, raw value: String) {
            if !value.isEmpty { text += "  \(name) = {\(value)},\n".utf8 }
        }
        func add(_ name: String, _ value: String?) { add(name, raw: value?.bibTeX ?? "") }
        func add(_ name: String, names: [String]) { add(name, raw: names.bibTeXNames) }
        func names(as roles: Set<String>) -> [String] {
            book.contributors.filter { roles.contains($0.role?.lowercased() ?? "") }.map(\.name)
        }
        add("author", names: book.authors)
        add("editor", names: names(as: Self.editors))
        add("translator", names: names(as: Self.translators))
        // An entry without any field is none for some programs.
        text += "  title = {\(book.title.bibTeX)},\n".utf8
        add("subtitle", book.subtitle)
        add("year", book.published.map { String($0.year) })
        add("month", book.published?.month.map { String($0) })
        add("publisher", book.publisher)
        add("series", book.series)
        add("number", book.seriesPosition.flatMap { $0.isFinite ? $0.inBibliography : nil })
        add("isbn", book.isbn?.text)
        add("pagetotal", book.pageCount.map { String($0) })
        add("language", book.languages.map { LanguageTag($0)?.englishName.lowercased() ?? $0 }.joined(separator: ", "))
        add("keywords", book.subjects.joined(separator: ", "))
        let others = book.contributors.filter {
            !Self.editors.union(Self.translators).contains($0.role?.lowercased() ?? "")
        }
        add("note", others.map { [$0.role ?? "Contributor", $0.name].joined(separator: ": ") }.joined(separator: "; "))
        add("abstract", book.description)
        text += "}\n\n".utf8
    }

    private static let editors: Set = ["editor", "edt"]
    private static let translators: Set = ["translator", "trl"]

    private static func isPlain(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// The key of an entry: family name and year to be read, and the identity, by which it is the only one, and the same
    /// each time.
    static func key(of book: Book, identity: BookIdentity) -> String {
        let author = book.authors.first.map { NameParts($0)?.family ?? $0 } ?? ""
        // The rules for keys differ between programs; what all of them take is letters and digits of ASCII.
        let name = String(decoding: author.folded.utf8.filter(Self.isPlain).prefix(24), as: UTF8.self)
        let year = book.published.map { String($0.year) } ?? ""
        let number = identity.description.drop { $0 != ":" }.dropFirst().replacing("~", with: "-")
        return (name.isEmpty && year.isEmpty ? "book" : name + year) + "-" + number
    }
}

extension String {
    /// This as the content of a field in braces.
    ///
    /// Braces are written by name: for the reader of the file those behind a backslash count, too, and have to be in pairs.
    fileprivate var bibTeX: String {
        // Looked at by bytes, as nearly all texts have none of these.
        let isOnOneLine = !utf8.contains(UInt8(ascii: "\n"))
        let plain = (isOnOneLine ? self : split(separator: "\n").joined(separator: " ")).sanitized
        guard plain.utf8.contains(where: Self.isSpecial) else { return plain }
        var text = ""
        for scalar in plain.unicodeScalars {
            switch scalar {
            case "\\": text += "\\textbackslash{}"
            case "{": text += "\\textbraceleft{}"
            case "}": text += "\\textbraceright{}"
            case "~": text += "\\textasciitilde{}"
            case "^": text += "\\textasciicircum{}"
            case "&", "%", "$", "#", "_":
                text += "\\"
                text.unicodeScalars.append(scalar)
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\\"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "~"), UInt8(ascii: "^"),
            UInt8(ascii: "&"), UInt8(ascii: "%"), UInt8(ascii: "$"), UInt8(ascii: "#"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

extension [String] {
    /// These names with "and" between them: "von Last, Jr, First", or in braces what is no person's name.
    fileprivate var bibTeXNames: String {
        map { name in
            guard let parts = NameParts(name) else { return "{\(name.bibTeX)}" }
            let family = [parts.particle, parts.family].filter { !$0.isEmpty }.joined(separator: " ")
            return [family, parts.suffix, parts.given].filter { !$0.isEmpty }.joined(separator: ", ").bibTeX
        }
        .joined(separator: " and ")
    }
}
