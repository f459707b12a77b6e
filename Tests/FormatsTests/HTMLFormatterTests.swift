import Foundation
import Testing

@testable import Books
@testable import Formats

/// The page of books; `make test-page` opens it in a browser.
@Suite("Formats: HTML") struct HTMLFormatterTests {
    private static let hostile = #""><script>alert(1)</script><!-- & ' ]]>"#

    private func page(
        _ printed: [PrintedBook], title: String? = nil, schema: Schema = Schema(own: []), includesUserData: Bool = true
    ) -> String {
        var form = ExportFormat.html.formatter(includesUserData: includesUserData, title: title)
        var text: [UInt8] = []
        _ = form.expect(schema)
        form.begin(&text)
        for book in printed { form.append(book, to: &text) }
        form.end(&text)
        return String(decoding: text, as: UTF8.self)
    }

    /// The part of a page with the books.
    private func list(_ page: String) -> Substring {
        let start = page.firstRange(of: "<ol ").map(\.lowerBound) ?? page.endIndex
        let end = page.firstRange(of: "</ol>").map(\.lowerBound) ?? page.endIndex
        return page[min(start, end)..<end]
    }

    @Test("A book has all that a reader looks for")
    func book() {
        var book = Book(
            title: "Emma", authors: ["Jane Austen"], isbn: ISBN("0141439580"), pageCount: 474, fiction: true)
        (book.subtitle, book.publisher) = ("A Novel", "Penguin")
        (book.series, book.seriesPosition) = ("Classics", 2.5)
        (book.published, book.languages, book.subjects) = (PartialDate(year: 1815), ["en"], ["England", "Love"])
        book.contributors = [Book.Contributor(name: "Ann E", role: "editor")]
        book.description = "One.\nTwo."
        book.identifiers = [
            Book.Identifier(scheme: "doi", value: "10.1/x"),
            Book.Identifier(scheme: "url", value: "https://a.example/?a=1&b=2"),
        ]
        let list = list(page([PrintedBook(book: book)]))
        for part in [
            #"<li data-title="Emma" data-author="Austen, Jane" data-year="1815">"#, "<h2>Emma</h2>", "<p>A Novel</p>",
            "<p>Jane Austen</p>",
            "<p class=\"quiet\">Classics #2.5 · Penguin · 1815 · 474 pages · ISBN 0141439580 · English · Fiction</p>",
            "<p class=\"text\">One.\nTwo.</p>", "With: Ann E (editor)", "Subjects: England, Love", "doi: 10.1/x",
            #"<a href="https://a.example/?a=1&amp;b=2" rel="noreferrer">https://a.example/?a=1&amp;b=2</a>"#,
        ] {
            #expect(list.contains(part), "\(part) is not in \(list)")
        }
    }

    @Test("User data is shown, unless it is left out")
    func userData() {
        var data = PrintedUserData()
        (data.isFavourite, data.shelves, data.status) = (true, ["Summer"], .toRead)
        (data.rating, data.note) = (StarRating(halves: 9), "Mine\nalone")
        let printed = PrintedBook(book: Book(title: "Emma"), userData: data)
        let list = list(page([printed]))
        #expect(list.contains("<p class=\"mine\">★ Favourite · To read · Summer</p>"))
        #expect(list.contains("<p class=\"mine text\">Mine\nalone</p>"))
        #expect(list.contains(#"<p role="img" aria-label="4.5 of 5 stars">★★★★½</p>"#))
        #expect(!ExportFormat.html.formatter(includesUserData: false).needsUserData)
    }

    @Test("No text of a book is markup, and no address but that of a web page is a link")
    func hostileTexts() {
        var book = Book(title: Self.hostile, authors: [Self.hostile], fiction: true)
        (book.subtitle, book.publisher, book.description, book.cover) = (
            Self.hostile, Self.hostile, Self.hostile, "javascript:alert(1)"
        )
        (book.series, book.subjects, book.languages) = (Self.hostile, [Self.hostile], [Self.hostile])
        book.identifiers = [
            Book.Identifier(scheme: Self.hostile, value: "javascript:alert(1)"),
            Book.Identifier(scheme: "x", value: "https://" + Self.hostile),
        ]
        let page = page([PrintedBook(book: book)], title: Self.hostile)
        #expect(page.ranges(of: "<script").count == 1)
        #expect(!page.contains("<!-- "))
        #expect(!page.contains("href=\"javascript"))
        #expect(!page.contains("<img"))
    }

    @Test("The page loads nothing, and its policy allows only its own script, style and pictures")
    func loadsNothing() throws {
        let page = page([PrintedBook(book: Book(title: "Emma"))])
        #expect(page.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">\n"))
        #expect(page.contains("default-src 'none'; img-src data:;"))
        for part in ["src=", "http:", "https:", "url(", "@import", "import "] {
            #expect(!page.contains(part), "\(part)")
        }
    }

    @Test("A cover is part of the page, in formats that browsers show")
    func covers() {
        let png = [UInt8]("\u{89}PNG\r\n\u{1A}\nabc".unicodeScalars.map { UInt8($0.value) })
        var printed = PrintedBook(book: Book(title: "Emma"))
        printed.cover = CoverPicture(png)
        let encoded = Data(png).base64EncodedString()
        #expect(
            list(page([printed])).contains(
                #"<img class="cover" alt="" loading="lazy" src="data:image/png;base64,"# + encoded))
        for (bytes, type) in [
            ([0xFF, 0xD8, 0xFF, 0xE0], "image/jpeg"), (Array("GIF89a".utf8), "image/gif"),
            (Array("RIFF1234WEBPVP8 ".utf8), "image/webp"), (Array("RIFF1234WAVE".utf8), nil),
            (Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8), nil), ([], nil), ([0xFF], nil),
        ] as [([UInt8], String?)] {
            #expect(CoverPicture(bytes)?.mediaType == type)
        }
    }
}
