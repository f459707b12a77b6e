import ConnectorProtocol
import ConnectorTesting
import TestSupport
import Testing

/// Pages of servers other than ClickHouse that are requested at the same time.
@Suite("Pages that are requested at the same time", .serialized, .usesServers) struct ConcurrentPagesTests {
    @Test(
        "The server has three requests at once, and the rows are right in whatever order it answers",
        arguments: HeldCatalog.Kind.allCases)
    func order(kind: HeldCatalog.Kind) throws {
        let catalog = try HeldCatalog(kind)
        #expect(try catalog.pages(at: [0])[0]?.ids == catalog.ids(at: 0))
        catalog.tellProxy("hold")
        let rows = [200, 40, 120]
        var requests: [Int] = []
        for (index, row) in rows.enumerated() {
            requests.append(try catalog.ask(at: row))
            #expect(catalog.tellProxy("asked \(index + 1)") == "\(index + 1)")
        }
        for index in [2, 0, 1] {
            catalog.tellProxy("release \(index + 1)")
            let page = try catalog.nextPage()
            #expect(page.request == requests[index])
            #expect(page.ids == catalog.ids(at: rows[index]))
            guard case .ended(.paged(let end))? = page.end else {
                Issue.record("\(page)")
                continue
            }
            #expect(end == PageEnd(count: BookTotal(catalog.ids.count, .exact)))
        }
        #expect(try catalog.connector.close() == 0)
    }

    @Test("A cancelled request ends at once, and leaves the others", arguments: HeldCatalog.Kind.allCases)
    func cancel(kind: HeldCatalog.Kind) throws {
        let catalog = try HeldCatalog(kind)
        #expect(try catalog.pages(at: [0])[0]?.ids == catalog.ids(at: 0))
        for cancelled in 0..<3 {
            catalog.tellProxy("hold")
            // Other rows each time, because libyaz keeps those of a list.
            let rows = [60, 40, 80].map { $0 + cancelled * 60 }
            var requests: [Int] = []
            for (index, row) in rows.enumerated() {
                requests.append(try catalog.ask(at: row))
                #expect(catalog.tellProxy("asked \(index + 1)") == "\(index + 1)")
            }
            try catalog.cancel(requests[cancelled])
            let first = try catalog.nextPage()
            #expect(first.request == requests[cancelled])
            #expect(first.end == .failed(ConnectorFailure(.cancelled)) && first.ids.isEmpty)
            #expect(try #require(Int(catalog.tellProxy("asked 2"))) >= 2)
            catalog.tellProxy("go")
            for _ in 0..<2 {
                let page = try catalog.nextPage()
                let index = try #require(requests.firstIndex(of: page.request))
                #expect(page.ids == catalog.ids(at: rows[index]), "\(cancelled)")
            }
            let next = 240 + cancelled * 20
            #expect(try catalog.pages(at: [next])[next]?.ids == catalog.ids(at: next))
        }
    }

    @Test(
        "Pages beyond 10,000 share the way to them", arguments: [HeldCatalog.Kind.openSearch, .elasticsearch, .solr])
    func farPages(kind: HeldCatalog.Kind) throws {
        let catalog = try HeldCatalog(kind)
        _ = try catalog.pages(at: [0])
        catalog.tellServer("log")
        // Two steps lead to the first page, at most one more to each other page; then come the three pages.
        let rows = [12_000, 12_020, 12_040]
        let pages = try catalog.pages(at: rows)
        for row in rows { #expect(pages[row]?.ids == catalog.ids(at: row), "\(row)") }
        #expect(try #require(Int(catalog.tellServer("log"))) <= 7)
    }

    @Test("When the snapshot of an index has expired, requests open one new snapshot") func expired() throws {
        let catalog = try HeldCatalog(.openSearch)
        _ = try catalog.pages(at: [0])
        catalog.tellServer("expire")
        catalog.tellServer("log")
        let rows = [20, 200, 9000]
        let pages = try catalog.pages(at: rows)
        for row in rows { #expect(pages[row]?.ids == catalog.ids(at: row), "\(row)") }
        // Three searches in the old one, one snapshot, and three searches in it.
        #expect(try #require(Int(catalog.tellServer("log"))) <= 7)
    }

    @Test("Of requests that need the same password, one asks for it") func password() throws {
        let catalog = try HeldCatalog(.openSearch)
        _ = try catalog.pages(at: [0])
        catalog.tellServer("private")
        catalog.tellProxy("hold")
        let rows = [20, 200, 9000]
        for (index, row) in rows.enumerated() {
            _ = try catalog.ask(at: row)
            #expect(catalog.tellProxy("asked \(index + 1)") == "\(index + 1)")
        }
        catalog.tellProxy("go")
        var (questions, found) = (0, [] as [[String]])
        for _ in rows {
            let page = try catalog.nextPage(answering: ("ann", "secret-4711"))
            questions += page.questions
            found.append(page.ids)
        }
        #expect(questions == 1)
        #expect(Set(found) == Set(rows.map { catalog.ids(at: $0) }))
    }

    @Test("A server of Z39.50 that accepts one connection gets the requests one after another") func single() throws {
        let catalog = try HeldCatalog(.z3950)
        catalog.tellProxy("single")
        for _ in 0..<3 {
            let rows = [20, 200, 100]
            let pages = try catalog.pages(at: rows)
            for row in rows { #expect(pages[row]?.ids == catalog.ids(at: row), "\(row)") }
        }
        // It is not asked again and again.
        #expect(try #require(Int(catalog.tellProxy("refused"))) <= 2)
    }
}
