internal import Books
internal import FoundationEssentials
internal import Text

/// A page of HTML that needs no other file and no network: a list of books that a browser searches, sorts and prints.
///
/// The texts of books are text wherever they stand, and the page forbids the browser to load anything, or to run any
/// script but its own (Content Security Policy, level 3).
struct HTMLFormatter: BookFormatter {
    let needsIdentities = false
    let needsCovers = true
    let needsUserData: Bool
    /// The heading.
    private let title: String
    private var own: [BookField] = []

    /// The word by which the page knows its own script.
    private static let scriptMark = "stacks"

    /// Creates a page.
    ///
    /// - Parameters:
    ///   - title: The heading; nil for a general one.
    ///   - includesUserData: Whether the page shows user data.
    init(title: String? = nil, includesUserData: Bool) {
        (self.title, needsUserData) = (title?.nonEmpty ?? "Books", includesUserData)
    }

    mutating func expect(_ schema: Schema) -> [FieldLoss] {
        own = schema.own
        let shown = Set.bibliographic.union([.cover, .fiction, .rating]).union(own)
        return [FieldLoss].all(but: shown, in: schema) + [.covers]
    }

    func begin(_ text: inout [UInt8]) {
        text += "<!DOCTYPE html>\n".utf8
        XMLText.append(to: &text) { xml in
            xml.open("html", [("lang", "en")])
            xml.open("head")
            xml.add(empty: "meta", [("charset", "utf-8")])
            xml.add(empty: "meta", [("name", "viewport"), ("content", "width=device-width, initial-scale=1")])
            let policy =
                "default-src 'none'; img-src data:; style-src 'nonce-\(Self.scriptMark)'; "
                + "script-src 'nonce-\(Self.scriptMark)'; base-uri 'none'; form-action 'none'"
            xml.add(empty: "meta", [("http-equiv", "Content-Security-Policy"), ("content", policy)])
            xml.add(empty: "meta", [("name", "referrer"), ("content", "no-referrer")])
            xml.add("title", title)
        }
        text += "    <style nonce=\"\(Self.scriptMark)\">\n".utf8
        text += PackageResources.page_css
        text += "</style>\n".utf8
        XMLText.append(to: &text, depth: 2) { xml in
            xml.close("head")
            xml.open("body")
            xml.open("header")
            xml.add("h1", title)
            addControls(to: &xml)
            xml.close("header")
            xml.open("main")
            xml.open("ol", [("id", "books")])
        }
    }

    /// Adds the fields for searching and sorting, which only the script shows.
    private func addControls(to xml: inout XMLText) {
        xml.open("form", [("id", "controls"), ("role", "search"), ("hidden", "")])
        xml.add("label", [("for", "query")], "Search")
        xml.add(
            empty: "input", [("type", "search"), ("id", "query"), ("name", "query"), ("autocomplete", "off")])
        xml.add("label", [("for", "order")], "Sort by")
        xml.open("select", [("id", "order"), ("name", "order")])
        for (order, label) in [
            ("", "the list"), ("title", "title"), ("author", "author"), ("year", "year, newest first"),
            ("rating", "rating, highest first"),
        ] {
            xml.add("option", [("value", order)], label)
        }
        xml.close("select")
        xml.open("output", [("id", "count"), ("for", "query"), ("role", "status")])
        xml.close("output")
        xml.close("form")
    }

    func append(_ printed: PrintedBook, to text: inout [UInt8]) {
        let book = printed.book
        var keys: [(StaticString, String)] = [("data-title", book.sortTitle?.nonEmpty ?? book.recordTitle)]
        if let author = book.authors.first { keys.append(("data-author", author.lastNameFirst)) }
        if let year = book.published?.year { keys.append(("data-year", String(year))) }
        let rating = printed.userData?.rating ?? book.rating.flatMap { $0.isFinite ? StarRating($0) : nil }
        if let rating { keys.append(("data-rating", rating.number)) }
        XMLText.append(to: &text, depth: 4) { xml in
            xml.open("li", keys)
            if let cover = printed.cover {
                let address = "data:\(cover.mediaType);base64,\(Data(cover.bytes).base64EncodedString())"
                // The title beside it says what it shows.
                xml.add(empty: "img", [("class", "cover"), ("alt", ""), ("loading", "lazy"), ("src", address)])
            }
            xml.add("h2", book.recordTitle)
            xml.add("p", book.subtitle)
            xml.add("p", book.authors.joined(separator: ", "))
            xml.add("p", [("class", "quiet")], facts(of: book))
            if let rating {
                xml.add("p", [("role", "img"), ("aria-label", "\(rating.number) of 5 stars")], rating.text)
            }
            xml.add("p", [("class", "text")], book.description)
            addDetails(of: book, to: &xml)
            if let userData = printed.userData { add(userData, to: &xml) }
            xml.close("li")
        }
    }

    /// Returns the facts about the edition on one line.
    private func facts(of book: Book) -> String {
        let series = book.series?.nonEmpty.map { name in
            book.seriesNumber.map { "\(name) #\($0)" } ?? name
        }
        let pages = book.pageCount.map { "\($0) pages" }
        return [
            series, book.publisher, book.published?.description, pages, book.isbn.map { "ISBN \($0.text)" },
            book.languages.map { LanguageTag($0)?.englishName ?? $0 }.joined(separator: ", "),
            book.fiction.map { $0 ? "Fiction" : "Non-fiction" },
        ].compactMap { $0?.nonEmpty }.joined(separator: " · ")
    }

    private func addDetails(of book: Book, to xml: inout XMLText) {
        let people = book.contributors.map { person in person.role.map { "\(person.name) (\($0))" } ?? person.name }
        add("With", people, to: &xml)
        add("Subjects", book.subjects, to: &xml)
        for field in own {
            if let value = field.value(in: book) { add(field.info.label, value.texts, to: &xml) }
        }
        for identifier in book.identifiers {
            if Self.isLink(identifier.value) {
                xml.open("p", [("class", "quiet")])
                xml.add("a", [("href", identifier.value), ("rel", "noreferrer")], identifier.value)
                xml.close("p")
            } else {
                add(identifier.scheme, [identifier.value], to: &xml)
            }
        }
    }

    private func add(_ userData: PrintedUserData, to xml: inout XMLText) {
        let status = userData.status.map { status in
            [status.label, userData.statusDates[status]].compactMap(\.self).joined(separator: " ")
        }
        let words = [userData.isFavourite ? "★ Favourite" : nil, status].compactMap(\.self) + userData.shelves
        xml.add("p", [("class", "mine")], words.joined(separator: " · "))
        xml.add("p", [("class", "mine text")], userData.note)
    }

    private func add(_ label: String, _ values: [String], to xml: inout XMLText) {
        guard !values.isEmpty else { return }
        xml.add("p", [("class", "quiet")], "\(label): \(values.joined(separator: ", "))")
    }

    private static func isLink(_ text: String) -> Bool { text.hasPrefix("https://") || text.hasPrefix("http://") }

    func end(_ text: inout [UInt8]) {
        XMLText.append(to: &text, depth: 4) { xml in
            xml.close("ol")
            xml.close("main")
        }
        text += "    <script nonce=\"\(Self.scriptMark)\">\n".utf8
        text += PackageResources.page_js
        text += "</script>\n".utf8
        XMLText.append(to: &text, depth: 2) { xml in
            xml.close("body")
            xml.close("html")
        }
    }
}

extension Book.ReadingStatus {
    /// The status in words.
    fileprivate var label: String {
        switch self {
        case .toRead: "To read"
        case .reading: "Reading"
        case .read: "Read"
        case .abandoned: "Abandoned"
        }
    }
}
