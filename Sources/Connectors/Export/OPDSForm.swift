internal import CText
internal import ConnectorProtocol
internal import Glibc

/// An acquisition feed of OPDS 1.2, an Atom feed (RFC 4287).
struct OPDSForm: BookForm {
    /// The time of the export, which Atom requires for entries without their own date.
    private let now: String
    private let feedID: String

    /// Creates a feed with the time `now`, in seconds since 1970; its id is a checksum of the file `path`.
    init(now: Int, checksumOf path: String) throws(ConnectorFailure) {
        self.now = Self.date(now)
        let source = try FileBytes(path)
        var sums: [UInt64] = []
        while true {
            let part = try source.read(upTo: 1 << 18)
            if part.isEmpty { break }
            sums.append(part.withUnsafeBufferPointer { cs_hash($0.baseAddress, $0.count) })
        }
        feedID = Self.uuid(of: sums.map { String($0, radix: 16) }.joined(separator: " "))
    }

    func begin(_ text: inout [UInt8]) {
        text += "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".utf8
        XMLText.append(to: &text) { xml in
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

    func append(_ book: ExportedBook, to text: inout [UInt8]) {
        XMLText.append(to: &text, depth: 1) { xml in
            xml.open("entry")
            xml.add("id", Self.isIRI(book.key) ? book.key : Self.uuid(of: book.identity))
            xml.add("title", book.text("title") ?? "Untitled")
            xml.add("schema:alternativeHeadline", book.text("subtitle"))
            xml.add("updated", updated(book))
            for author in book.authors { addPerson(author, nil, as: "author", to: &xml) }
            for person in book.contributors { addPerson(person.name, person.role, as: "contributor", to: &xml) }
            xml.add("dc:issued", book.text("published"))
            xml.add("dc:publisher", book.text("publisher"))
            for language in book.languages { xml.add("dc:language", language) }
            if let isbn = book.text("isbn") { xml.add("dc:identifier", "urn:isbn:" + isbn) }
            for item in book.identifiers where !Self.isLink(item.value) {
                xml.add("dc:identifier", "\(item.scheme):\(item.value)")
            }
            if book.text("isbn") == nil, book.identifiers.isEmpty {
                xml.add("dc:identifier", Self.uuid(of: book.identity))
            }
            for subject in book.subjects {
                xml.add(empty: "category", [("term", subject), ("label", subject)])
            }
            if let series = book.text("series") {
                let position = book.number("seriesPosition").map { [("schema:position" as StaticString, $0)] } ?? []
                xml.add(empty: "schema:Series", [("schema:name", series)] + position)
            }
            // Atom requires content, or a link to an alternate form.
            xml.add(always: "content", [("type", "text")], book.text("description") ?? "")
            if let cover = book.text("cover"), Self.isLink(cover) {
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
    private func updated(_ book: ExportedBook) -> String {
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
        let digits = [high, low].map { number in
            let digits = String(number, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
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
