import ConnectorProtocol
import Testing

@testable import Catalog
@testable import Library
@testable import Remote

/// The messages about sources that are not JSON files.
@Suite("Messages: sources that are not JSON") struct ConnectorMessagesTests {
    private func state(_ kind: String, rows: Int, _ defects: [SourceDefect]) -> MirrorState {
        let copy = MirroredCopy(
            rows: rows, bytes: 0, isComplete: true, version: SourceVersion(etag: nil), defects: defects)
        return MirrorState(OpenedSource(kind: kind), copy, of: "/books", in: nil, fingerprint: nil)
    }

    private func sentence(_ kind: String, _ defects: SourceDefect...) -> String {
        MirrorNews.empty(state(kind, rows: 0, defects)).sentence(of: "books")
    }

    @Test func aSourceWithoutBooksIsReportedWithTheNextStep() {
        #expect(sentence("csv") == "books has no books. Check the file")
        #expect(sentence("sqlite") == "books has no books. Name another table after ?table=")
        let link = SourceDefect(.foreign, count: 6, first: .record(1))
        #expect(sentence("opds", link) == "books has no books, but links to other feeds. Open one of those")
        #expect(
            sentence("marc", SourceDefect(.malformed, count: 2, first: .record(1)))
                == "books has no books: 2 rows skipped (malformed, first at record 1). Check the file")
    }

    @Test func defectsAreCountedWithTheirPosition() {
        let defects = [SourceDefect(.tooLarge, first: .line(7)), SourceDefect(.encoding, count: 1200)]
        #expect(
            MirrorNews.complete(state("csv", rows: 9, defects)).sentence(of: "b.csv")
                == "b.csv: 1 row skipped (too large, first at line 7); 1,200 rows kept (wrong encoding). Check the file"
        )
    }

    @Test func anEarlyEndIsReportedWithItsPosition() {
        func sentence(_ remainder: MirrorNews.Remainder, _ defects: SourceDefect...) -> String {
            MirrorNews.incomplete(state("csv", rows: 9, defects).defects, remainder).sentence(of: "b.csv.gz")
        }
        #expect(
            sentence(.rows(9), SourceDefect(.cut, first: .line(10)))
                == "b.csv.gz is incomplete: it is cut off at line 10; showing 9 rows. Check the file")
        #expect(
            sentence(.nothing, SourceDefect(.cut, first: .line(10)), SourceDefect(.columns, count: 2, first: .line(3)))
                == "b.csv.gz is incomplete: it is cut off at line 10; 2 rows kept (wrong number of cells, first at line 3); "
                + "nothing was copied. Check the file")
        #expect(
            sentence(.rows(1), SourceDefect(.malformed, first: .line(5)))
                == "b.csv.gz is incomplete: 1 row skipped (malformed, first at line 5); showing 1 row. Check the file")
        #expect(sentence(.copy(of: 0)).contains("showing its copy of 19"))
        #expect(
            MirrorNews.stopped(.rows(1200)).sentence(of: "b.csv")
                == "b.csv is incomplete: reading was stopped; showing 1,200 rows. Reload to read all")
    }

    @Test func aCopyThatIsTooLargeForItsLimitOrTheDiskIsReportedWithTheNextStep() {
        #expect(
            ConnectorFailure(.refused, .copyLimit, detail: "8192").sentence(of: "b.csv")
                == "cannot read b.csv: it is larger than 8192 MB, the limit for copies. "
                + "Raise limit under [copies] in config.toml")
        #expect(
            ConnectorFailure(.helper, .noRoom).sentence(of: "b.csv")
                == "cannot read b.csv: its copy would take the last room on the disk. Free some space")
    }

    @Test func aProgramWithoutItsLibrariesIsReportedWithTheNextStep() {
        #expect(
            ConnectorFailure(.helper, .cannotStart).sentence(of: "b.csv")
                == "cannot read b.csv: stacks-connect cannot start. "
                + "Install the libraries that it needs; Questions in the guide lists them")
    }

    @Test func aSourceThatIsShownInPartHasWordsForTheTitleBar() {
        let cut = state("csv", rows: 1, [SourceDefect(.cut, first: .line(2))]).defects
        #expect(MirrorNews.incomplete(cut, .rows(1)).label == "file cut off")
        #expect(MirrorNews.incomplete([], .rows(1)).label == "incomplete")
        #expect(MirrorNews.stopped(.rows(1)).label == "reading stopped")
        #expect(MirrorNews.failed(ConnectorFailure(.helper)).label == "incomplete")
    }

    @Test func otherTablesOfADatabaseAreListed() {
        var opened = OpenedSource(kind: "sqlite", table: "books", alternatives: ["novels"])
        func sentence() -> String {
            let copy = MirroredCopy(
                rows: 3, bytes: 0, isComplete: true, version: SourceVersion(etag: nil), defects: [])
            return MirrorNews.complete(MirrorState(opened, copy, of: "/books", in: nil, fingerprint: nil)).sentence(
                of: "s.db")
        }
        #expect(sentence() == "s.db: showing table books; also novels. Name one with ?table=novels")
        opened.alternatives = ["novels", "poems", "plays", "maps", "films"]
        #expect(
            sentence() == "s.db: showing table books; also novels, poems, plays and 2 more. Name one with ?table=novels"
        )
    }

    @Test func theNextStepOfAFailureFitsItsCause() {
        let failure = ConnectorFailure(.format, .noTable, detail: "nosuch")
        #expect(failure.sentence(of: "s.db") == "cannot read s.db: it has no table nosuch. Name another after ?table=")
        #expect(
            failure.sentence(of: "s.db", tablesOf: "shop")
                == "cannot read s.db: it has no table nosuch. Name another in profile shop")
        #expect(
            ConnectorFailure(.format, .noColumn, detail: "writers.nme").sentence(of: "s.db", tablesOf: "shop")
                == #"cannot read s.db: it has no column writers.nme. Name another as "column" in profile shop"#)
        #expect(
            ConnectorFailure(.refused, .entity, at: .line(2)).sentence(of: "b.xml")
                == "cannot read b.xml: it declares an entity at line 2, which is not read. Remove the declaration")
        #expect(
            ConnectorFailure(.format, .unknownFormat).sentence(of: "a.txt")
                == "cannot read a.txt: its format is unknown. stacks reads JSON, CSV, TSV, SQLite, calibre libraries, BibTeX, "
                + "RIS, EndNote, MARC, MARCXML, MODS and OPDS, also as .gz or .zst")
    }

    @Test(arguments: [
        (
            ConnectorFailure(.offline, .proxyName, detail: "p:3128"),
            "the proxy p:3128 is not known. Check http_proxy and https_proxy in the environment, "
                + "or exempt the server with no_proxy"
        ),
        (
            ConnectorFailure(.offline, .proxyConnection, detail: "p:3128"),
            "the proxy p:3128 does not accept a connection. Check http_proxy and https_proxy in the environment, "
                + "or exempt the server with no_proxy"
        ),
        (
            ConnectorFailure(.auth, .proxyPassword, detail: "p:3128"),
            "the proxy p:3128 requires a user and password. "
                + "Add them to its address in the environment: https_proxy=http://USER:PASSWORD@HOST:PORT"
        ),
        (
            ConnectorFailure(.server, .proxyRefused, subject: "p:3128", detail: "403"),
            "the proxy p:3128 refuses to connect to the server (403). "
                + "Check the address, or exempt the server from the proxy with no_proxy"
        ),
        (
            ConnectorFailure(.auth, .netrc, detail: "books.example"),
            "books.example asks for a user and password; ~/.netrc has them, but other users can read it. "
                + "Run chmod 600 on it"
        ),
    ])
    func aFailureOfTheNetworkNamesItsCause(failure: ConnectorFailure, words: String) {
        #expect(failure.sentence(of: "b") == "cannot read b: " + words)
    }
}

/// All reasons of failures, whatever the kind of failure.
@Suite("Messages: every reason has its own words") struct FailureReasonTests {
    @Test("The cause is not that of the kind alone, and two reasons differ, except those of the protocol")
    func causes() {
        let ofTheProtocol: Set<ConnectorFailure.Reason> = [
            .tooLong, .notJSON, .member, .unknownRequest, .nothingOpen, .version,
        ]
        var causes: [String: ConnectorFailure.Reason] = [:]
        for reason in ConnectorFailure.Reason.allCases where !ofTheProtocol.contains(reason) {
            let cause = ConnectorFailure(.format, reason).shortReason
            #expect(cause != ConnectorFailure(.format).shortReason, "\(reason)")
            let other = causes.updateValue(reason, forKey: cause)
            #expect(other == nil || Set([other, reason]) == [.status, .diagnostic], "\(reason)")
        }
        #expect(causes.count > 60)
    }

    @Test("A next step that depends on the kind") func nextSteps() {
        func step(_ kind: ConnectorFailure.Kind, _ reason: ConnectorFailure.Reason?, after seconds: Int? = nil)
            -> String
        {
            String(
                ConnectorFailure(kind, reason, retryAfter: seconds).sentence(of: "b").split(separator: ". ").last ?? "")
        }
        #expect(step(.offline, .timeOut) == "Check the address and the network, then try again")
        #expect(step(.server, .timeOut) == "Try again later")
        #expect(step(.busy, .status, after: 7) == "Try again in 7 s")
        #expect(step(.server, .status) == "Check the address, or try again later")
        #expect(step(.refused, .status) == "Check the file")
        #expect(step(.helper, nil) == "Try again")
        #expect(step(.format, .damaged) == "Check the file")
    }
}

/// The messages about servers that are queried for the rows on the screen.
@Suite("Messages: library servers and search engines") struct QueriedServerMessagesTests {
    private func sentence(
        _ kind: ConnectorFailure.Kind, _ reason: ConnectorFailure.Reason, subject: String? = nil,
        _ detail: String? = nil
    ) -> String {
        ConnectorFailure(kind, reason, subject: subject, detail: detail).sentence(of: "loc")
    }

    @Test("Each failure has its cause and the next step") func failures() {
        let expected = [
            (
                sentence(.refused, .needsQuery, "Query syntax error"),
                "its server lists books only for a search. Press / to search"
            ),
            (
                sentence(.unsupported, .cannotSort, "series"),
                "its server does not sort by series. Sort by another field"
            ),
            (
                sentence(.refused, .tooManyToSort, "1000"),
                "its server does not sort more than 1,000 books. Narrow the search first"
            ),
            (sentence(.server, .incomplete, "120"), "the server sent fewer books than it had counted. Try again later"),
            (sentence(.unsupported, .noBook, "b7"), "the server cannot find book b7. Search for it"),
            (
                sentence(.server, .protocolMismatch, subject: "lx2.loc.gov", "SRU"),
                "lx2.loc.gov does not answer by SRU. Check the address"
            ),
            (
                sentence(.server, .diagnostic, "Unsupported index: dc.foo"),
                "the server says Unsupported index: dc.foo. Change the search, or try again later"
            ),
            (
                sentence(.format, .recordFormat, "pica"),
                "the server sends records in an unknown format (pica). Give another after ?recordSchema="
            ),
            (
                sentence(.server, .noIndex, "shelf\u{1B}[2J"),
                "the server has no index shelf\u{FFFD}[2J. Name another at the end of the address"
            ),
        ]
        for (sentence, ending) in expected { #expect(sentence.hasSuffix(ending), "\(sentence)") }
    }
}
