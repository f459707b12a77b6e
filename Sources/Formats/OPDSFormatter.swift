internal import Books
internal import CText
internal import Glibc
internal import Text

/// An acquisition feed of OPDS 1.2, an Atom feed (RFC 4287).
struct OPDSFormatter: BookFormatter {
    let needsUserData = false

    /// The time of the export, which Atom requires for entries without their own date.
    private let now: String
    private var feedID = Self.uuid(of: "")

    /// Creates a feed with the time `now`, in seconds since 1970.
    init(now: Int = time(nil)) { self.now = Self.date(now) }

    /// Makes the id of the feed, which stays the same as long as the feed has the same books.
    mutating func expect(_ identities: some Sequence<BookIdentity>) {
        let sum = identities.reduce(UInt64(0)) { sum, identity in
            withUnsafeBytes(of: (sum, identity.key.indexed, UInt64(identity.occurrence))) {
                cs_hash($0.baseAddress, $0.count)
            }
        }
        feedID = Self.uuid(of: sum.padded(16, radix: 16))
    }

    func expect(_ schema: Schema) -> [FieldLoss] {
        [FieldLoss].all(but: .bibliographic.subtracting([.pageCount]).union([.cover]), in: schema) + [.lineBreaks]
    }

    func begin(_ text: inout [UInt8]) {
        XMLText.begin(&text) { xml in
            xml.open(
                "feed",
                [
                    ("xmlns", "http://www.w3.org/2005/Atom"), ("xmlns:dc", "http://purl.org/dc/terms/"),
                    ("xmlns:opds", "http://opds-spec.org/2010/catalog"), ("xmlns:schema", "http://schema.org/"),
                    ("xmlns:opf", "http://www.idpf.org/2007/opf"),
                ])
            xml.add("id", feedID)
            xml.add("title", "Books")
            xml.add("updated", now)
            // The author of entries without one.
            xml.open("author")
            xml.add("name", "stacks")
            xml.close("author")
        }
    }

    func end(_ text: inout [UInt8]) { XMLText.append(to: &text, depth: 1) { $0.close("feed") } }

    func append(_ printed: PrintedBook, to text: inout [UInt8]) {
        let book = printed.book
        let (key, identity) = (printed.recordKey, printed.knownIdentity.description)
        let isbn = book.isbn?.text.nonEmpty
        XMLText.append(to: &text, depth: 1) { xml in
            xml.open("entry")
            xml.add("id", Self.isIRI(key) ? key : Self.uuid(of: identity))
            xml.add("title", book.recordTitle)
            xml.add("schema:alternativeHeadline", book.subtitle)
            xml.add("updated", updated(book))
            for author in book.authors { addPerson(author, nil, as: "author", to: &xml) }
            for person in book.contributors { addPerson(person.name, person.role, as: "contributor", to: &xml) }
            xml.add("dc:issued", book.published?.description)
            xml.add("dc:publisher", book.publisher)
            for language in book.languages { xml.add("dc:language", language) }
            if let isbn { xml.add("dc:identifier", "urn:isbn:" + isbn) }
            for item in book.identifiers where !Self.isLink(item.value) {
                xml.add("dc:identifier", "\(item.scheme):\(item.value)")
            }
            // Only an entry with one of these elements is known as a book.
            if isbn == nil, book.identifiers.isEmpty {
                xml.add("dc:identifier", Self.uuid(of: identity))
            }
            for subject in book.subjects {
                xml.add(empty: "category", [("term", subject), ("label", subject)])
            }
            if let series = book.series?.nonEmpty {
                let position = book.seriesNumber.map { [("schema:position" as StaticString, $0)] } ?? []
                xml.add(empty: "schema:Series", [("schema:name", series)] + position)
            }
            // Atom requires content, or a link to an alternate form.
            xml.add(always: "content", [("type", "text")], book.description ?? "")
            if let cover = book.cover?.nonEmpty, Self.isLink(cover) {
                xml.add(
                    empty: "link",
                    [("rel", "http://opds-spec.org/image"), ("type", Self.imageType(of: cover)), ("href", cover)])
            }
            for item in book.identifiers where Self.isLink(item.value) {
                xml.add(
                    empty: "link",
                    [
                        ("rel", "http://opds-spec.org/acquisition"), ("type", Self.type(of: item.value)),
                        ("href", item.value),
                    ])
            }
            xml.close("entry")
        }
    }

    private func addPerson(_ name: String, _ role: String?, as element: StaticString, to xml: inout XMLText) {
        xml.open(element, role.map { [("opf:role" as StaticString, $0)] } ?? [])
        xml.add("name", name)
        xml.close(element)
    }

    /// Returns the date when a book was added to the catalog, otherwise the time of the export.
    private func updated(_ book: Book) -> String {
        guard let date = book.dateAdded, date.year > 0 else { return now }
        return "\(date.year.padded(4))-\((date.month ?? 1).padded(2))-\((date.day ?? 1).padded(2))T00:00:00Z"
    }

    // MARK: The parts of Atom

    /// Returns a time in the format of RFC 3339.
    private static func date(_ seconds: Int) -> String {
        var (time, parts) = (time_t(seconds), tm())
        gmtime_r(&time, &parts)
        let day = [Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday)]
        let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { Int($0).padded(2) }.joined(separator: ":")
        return "\(day[0].padded(4))-\(day[1].padded(2))-\(day[2].padded(2))T\(clock)Z"
    }

    /// Returns the URN of a UUID derived from a text (RFC 9562, version 8).
    private static func uuid(of text: String) -> String {
        func hash(_ text: String) -> UInt64 {
            var text = text
            return text.withUTF8 { cs_hash($0.baseAddress, $0.count) }
        }
        let high = hash(text) & ~0xF000 | 0x8000
        let low = hash("stacks " + text) & ~(3 << 62) | 2 << 62
        let digits = high.padded(16, radix: 16) + low.padded(16, radix: 16)
        var (id, rest) = ("urn:uuid:", digits[...])
        for length in [8, 4, 4, 4, 12] {
            id += (id.hasSuffix(":") ? "" : "-") + rest.prefix(length)
            rest = rest.dropFirst(length)
        }
        return id
    }

    private static func isLink(_ text: String) -> Bool { text.hasPrefix("https://") || text.hasPrefix("http://") }

    /// Whether a catalog's key can be the id of an entry.
    private static func isIRI(_ text: String) -> Bool {
        isLink(text) || text.hasPrefix("urn:") && !text.utf8.contains { $0 <= 0x20 }
    }

    private static func type(of link: String) -> String {
        let types = [
            ".epub": "application/epub+zip", ".pdf": "application/pdf", ".mobi": "application/x-mobipocket-ebook",
        ]
        return types.first { link.lowercased().hasSuffix($0.key) }?.value ?? "text/html"
    }

    private static func imageType(of link: String) -> String {
        let types = [".png": "image/png", ".gif": "image/gif", ".webp": "image/webp"]
        return types.first { link.lowercased().hasSuffix($0.key) }?.value ?? "image/jpeg"
    }
}
