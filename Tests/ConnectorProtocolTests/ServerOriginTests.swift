import Testing

@testable import ConnectorProtocol

@Suite("Origins of servers") struct ServerOriginTests {
    @Test(
        "An origin is the scheme, host and port of an address",
        arguments: [
            ("http://books.example", "http://books.example"), ("HTTP://Books.Example:80/a", "http://books.example"),
            ("https://books.example:443?q", "https://books.example"),
            ("https://books.example:80", "https://books.example:80"),
            ("http://ann:a@b@books.example/", "http://books.example"), ("http://[::1]:8080/", "http://[::1]:8080"),
            ("http://[::1]/", "http://[::1]"), ("http://books.example#a@evil.example", "http://books.example"),
            ("clickhouse://books.example/db", "http://books.example:8123"),
            ("clickhouses://books.example/db", "https://books.example:8443"),
            ("opensearch+https://books.example/i", "https://books.example:9200"),
            ("solr+http://books.example/solr/c", "http://books.example:8983"),
            ("sru+https://books.example/sru", "https://books.example"),
            ("xsearch+https://books.example/x", "https://books.example"),
            ("xsearch+http://books.example/x", "http://books.example"),
            ("openlibrary+https://books.example", "https://books.example"),
            ("openlibrary+http://books.example:8080", "http://books.example:8080"),
            ("z3950://books.example/db", "z3950://books.example"),
            ("z3950://books.example:7090", "z3950://books.example:7090"),
        ])
    func origin(address: String, origin: String) {
        #expect(ServerOrigin(of: address)?.description == origin)
        #expect(ServerOrigin(of: origin) == ServerOrigin(of: address))
    }

    @Test(
        "Other texts have none",
        arguments: [
            "", "books.json", "/a/b", "file:///a", "ftp://books.example", "http://", "http://:80/",
            "http://books.example:x/",
            "http://books.example:65536/",
        ])
    func none(text: String) { #expect(ServerOrigin(of: text) == nil) }

    @Test("The address of a cluster has several") func several() {
        let origins = ServerOrigin.all(in: "clickhouse://ann@a.example:9000,b.example/books?cluster=c")
        #expect(origins.map(\.description) == ["http://a.example:9000", "http://b.example:8123"])
    }

    @Test("The scheme, the host and the port make a difference") func different() {
        let origins = ["http://a.example", "https://a.example", "http://b.example", "http://a.example:8080"]
        #expect(Set(origins.map { ServerOrigin(of: $0) }).count == 4)
    }
}
