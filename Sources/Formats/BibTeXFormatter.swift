public import Books
internal import Graphemes
internal import Text

/// BibTeX output in UTF-8 for BibTeX and BibLaTeX: `@book` entries with fields of either.
public struct BibTeXFormatter: BookFormatter {
    /// Creates a BibTeX formatter.
    public init() {}

    /// Takes the catalog's own fields that BibTeX has under their names; those of BibLaTeX are among them.
    public mutating func expect(_ schema: Schema) -> [FieldLoss] {
        own = schema.own.compactMap { field in
            Self.ownKey(of: field).map { (field: field, key: $0) }
        }
        return [FieldLoss].all(but: .bibliographic.union(own.map(\.field)), in: schema) + [
            .lineBreaks,
            FieldLoss("further identifiers") { book in
                book.identifiers.contains { !Self.identifiers.contains($0.scheme.lowercased()) }
            },
        ]
    }

    /// The catalog's own fields that are written, with their keys.
    private var own: [(field: BookField, key: String)] = []

    /// Returns the name that BibTeX or BibLaTeX has for a field of a catalog; nil if there is none, or if another field
    /// is written with it.
    private static func ownKey(of field: BookField) -> String? {
        guard let path = field.info.own?.path, path.steps.count == 1, case .name(let name) = path.steps[0] else {
            return nil
        }
        return ownKeys[name] ?? (ownNames.contains(name) ? name : nil)
    }

    /// The keys for the members in which the records of bibliographies and libraries have the same.
    private static let ownKeys = [
        "containedIn": "booktitle", "notes": "note", "pageRange": "pages", "place": "address",
    ]
    /// The keys that mean the same in a catalog.
    private static let ownNames: Set = [
        "addendum", "annotation", "chapter", "crossref", "edition", "eprinttype", "eventtitle", "file", "howpublished",
        "institution", "mainsubtitle", "maintitle", "note", "organization", "origdate", "origlanguage", "origlocation",
        "origpublisher", "origtitle", "pagination", "part", "pubstate", "school", "shorttitle", "titleaddon", "urldate",
        "venue", "version", "volumes",
    ]
    private static let identifiers: Set = ["doi", "issn", "url"]

    /// Appends the entry of a book.
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
        // Some programs ignore an entry without fields.
        text += "  title = {\(book.title.bibTeX)},\n".utf8
        add("subtitle", book.subtitle)
        add("year", book.published.map { String($0.year) })
        add("month", book.published?.month.map { String($0) })
        // BibLaTeX prefers the date; BibTeX has no place for a day.
        if let date = book.published, date.day != nil { add("date", date.description) }
        add("publisher", book.publisher)
        add("series", book.series)
        add("number", book.seriesNumber)
        add("isbn", book.isbn?.text)
        for scheme in Self.identifiers.sorted() {
            let values = book.identifiers.filter { $0.scheme.lowercased() == scheme }.map(\.value)
            add(scheme, values.joined(separator: " "))
        }
        add("pagetotal", book.pageCount.map { String($0) })
        add("language", book.languages.map { LanguageTag($0)?.englishName.lowercased() ?? $0 }.joined(separator: ", "))
        let userData = printed.userData ?? PrintedUserData()
        let favourite = userData.isFavourite ? ["favourite"] : []
        let keywords = (book.subjects + userData.shelves + favourite).uniqued()
        add("keywords", raw: keywords.map(\.bibTeXKeyword).joined(separator: ", "))
        let others = book.contributors.filter {
            !Self.editors.union(Self.translators).contains($0.role?.lowercased() ?? "")
        }
        let roles = others.map { [$0.role ?? "Contributor", $0.name].joined(separator: ": ") }
        let notes = roles + own.filter { $0.key == "note" }.compactMap { $0.field.value(in: book)?.text }
        add("note", notes.joined(separator: "; "))
        for (field, key) in own where key != "note" { add(key, field.value(in: book)?.text) }
        add("abstract", book.description)
        // The fields of JabRef; for the note, the field of annotated bibliographies, as `note` is printed in all others.
        add("readstatus", userData.status?.rawValue)
        add("ranking", userData.rating.flatMap { $0.whole > 0 ? "rank\($0.whole)" : nil })
        add("annote", userData.note)
        text += "}\n\n".utf8
    }

    private static let editors: Set = ["editor", "edt"]
    private static let translators: Set = ["translator", "trl"]

    private static func isPlain(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// Returns the citation key: the family name and the year for readability, and the identity, which makes it unique
    /// and stable.
    static func key(of book: Book, identity: BookIdentity) -> String {
        let author = book.authors.first.map { NameParts($0)?.family ?? $0 } ?? ""
        // The rules for keys differ between programs, but all accept ASCII letters and digits.
        let name = String(decoding: author.folded.utf8.filter(Self.isPlain).prefix(24), as: UTF8.self)
        let year = book.published.map { String($0.year) } ?? ""
        let number = identity.description.drop { $0 != ":" }.dropFirst().replacing("~", with: "-")
        return (name.isEmpty && year.isEmpty ? "book" : name + year) + "-" + number
    }
}

extension String {
    /// This text as the content of a field in braces.
    ///
    /// Braces are written as commands: programs that read the file count even braces after a backslash and require
    /// pairs.
    fileprivate var bibTeX: String {
        // Check the bytes first: nearly all texts contain none of these characters.
        let isOnOneLine = !utf8.contains(UInt8(ascii: "\n"))
        let plain = (isOnOneLine ? self : split(separator: "\n").joined(separator: " ")).sanitized
        guard plain.utf8.contains(where: Self.isSpecial) else { return plain }
        var text = ""
        var last: Unicode.Scalar = " "
        for scalar in plain.unicodeScalars {
            // Two of these would be a dash or a quotation mark.
            if scalar == last, scalar == "-" || scalar == "'" { text += "{}" }
            last = scalar
            switch scalar {
            case "\\": text += "\\textbackslash{}"
            case "{": text += "\\textbraceleft{}"
            case "}": text += "\\textbraceright{}"
            case "~": text += "\\textasciitilde{}"
            case "^": text += "\\textasciicircum{}"
            case "`": text += "\\textasciigrave{}"
            case "&", "%", "$", "#", "_":
                text += "\\"
                text.unicodeScalars.append(scalar)
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// This text as a keyword, in braces if it contains a separator.
    fileprivate var bibTeXKeyword: String { contains { $0 == "," || $0 == ";" } ? "{\(bibTeX)}" : bibTeX }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\\"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "~"), UInt8(ascii: "^"),
            UInt8(ascii: "&"), UInt8(ascii: "%"), UInt8(ascii: "$"), UInt8(ascii: "#"), UInt8(ascii: "_"),
            UInt8(ascii: "-"), UInt8(ascii: "'"), UInt8(ascii: "`"):
            true
        default: false
        }
    }
}

extension [String] {
    /// These names joined with "and": "von Last, Jr, First", or in braces if a name is not personal.
    fileprivate var bibTeXNames: String {
        map { name in
            guard let parts = NameParts(name) else { return "{\(name.bibTeX)}" }
            let family = [parts.particle, parts.family].filter { !$0.isEmpty }.joined(separator: " ")
            return [family, parts.suffix, parts.given].filter { !$0.isEmpty }.joined(separator: ", ").bibTeX
        }
        .joined(separator: " and ")
    }
}
