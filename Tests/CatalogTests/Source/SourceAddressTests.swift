import Testing

@testable import Catalog
@testable import ConnectorProtocol
@testable import Remote

@Suite("Addresses of catalogs")
struct SourceAddressTests {
    @Test(
        "An address is the same however it is written, without user, password and place in the page",
        arguments: [
            ("HTTP://Books.Example/Opds", "http://books.example/Opds"),
            ("https://books.example", "https://books.example/"),
            ("https://ann:secret@books.example:8080/a?b=c#top", "https://books.example:8080/a?b=c"),
            // As calibre's own pages have it.
            ("http://h:8080/#library_id=Comics&panel=book_list", "http://h:8080/?library_id=Comics"),
            ("http://h/calibre?x=1#library_id=Comics", "http://h/calibre?x=1&library_id=Comics"),
            ("http://h/?library_id=Books#library_id=Comics", "http://h/?library_id=Books"),
            ("http://h#library_id=Comics", "http://h/?library_id=Comics"),
            ("http://h/opds#search=white whale", "http://h/opds#search=white whale"),
        ])
    func canonical(text: String, url: String) throws {
        #expect(try #require(SourceAddress(text)).url == url)
    }

    @Test("User and password are decoded") func credentials() throws {
        let address = try #require(SourceAddress("https://a%40b:p%3Aq%25@books.example/"))
        #expect(address.credential == SourceCredential(user: "a@b", secret: "p:q%") && address.host == "books.example")
    }

    @Test("A path is not an address", arguments: ["books.json", "/http://x", "https://", "http://:80/"])
    func paths(text: String) { #expect(SourceAddress(text) == nil) }
}
