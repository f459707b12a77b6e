import Testing

@testable import ConnectorProtocol
@testable import JSON

@Suite("Messages between stacks and the connector program") struct MessageTests {
    @Test(arguments: [
        (ConnectorRequest.Action.hello(version: 3, cache: "/c"), #"{"id":7,"do":"hello","protocol":3,"cache":"/c"}"#),
        (
            .hello(version: 3, cache: "/c", limit: 1024, sources: ["/a.csv", "http://a.example/"]),
            #"{"id":7,"do":"hello","protocol":3,"cache":"/c","limit":1024,"sources":["/a.csv","http://a.example/"]}"#
        ),
        (
            .open(source: "/a \"b\".csv", known: SourceVersion(etag: "v1")),
            #"{"id":7,"do":"open","source":"/a \"b\".csv","have":{"etag":"v1"}}"#
        ),
        (.open(source: "x", known: nil), #"{"id":7,"do":"open","source":"x"}"#),
        (
            .open(source: "x", known: nil, encoding: "KOI8-R"),
            #"{"id":7,"do":"open","source":"x","encoding":"KOI8-R"}"#
        ),
        (
            .convert(from: "a", to: "b", encoding: "KOI8-R"),
            #"{"id":7,"do":"convert","from":"a","to":"b","encoding":"KOI8-R"}"#
        ), (.convert(from: "a", to: "b", encoding: nil), #"{"id":7,"do":"convert","from":"a","to":"b"}"#),
        (
            .open(source: "x", known: nil, fields: ["title": ["name", "work.name"], "authors": ["by[*]"]]),
            #"{"id":7,"do":"open","source":"x","fields":{"authors":["by[*]"],"title":["name","work.name"]}}"#
        ),
        (.answer(user: "ann", secret: "s"), #"{"id":7,"do":"answer","user":"ann","secret":"s"}"#),
        (.answer(user: nil, secret: nil), #"{"id":7,"do":"answer"}"#),
        (.mirror(path: "/c/new.jsonl"), #"{"id":7,"do":"mirror","to":"/c/new.jsonl"}"#),
        (.mirror(path: "/c", locating: [0, 7]), #"{"id":7,"do":"mirror","to":"/c","locate":[0,7]}"#),
        (.cancel(of: 4), #"{"id":7,"do":"cancel","of":4}"#),
        (
            .page(
                PageRequest(
                    query: "king", sort: [.init("title"), .init("year", isDescending: true)], at: .row(1_000_000),
                    limit: 64, generation: 17)),
            #"{"id":7,"do":"page","query":"king","sort":[["title",1],["year",-1]],"at":{"row":1000000},"limit":64,"generation":17}"#
        ),
        (
            .page(PageRequest(at: .book("7"), limit: 10, generation: 1)),
            #"{"id":7,"do":"page","sort":[],"at":{"book":"7"},"limit":10,"generation":1}"#
        ),
        (.books(ids: ["a", "é"]), #"{"id":7,"do":"books","ids":["a","é"]}"#),
        (
            .export(kind: "sqlite", from: "/r", to: "/e"),
            #"{"id":7,"do":"export","kind":"sqlite","from":"/r","to":"/e"}"#
        ),
        (
            .export(kind: "sqlite", from: "/r", to: "/e", replacing: "/b.db"),
            #"{"id":7,"do":"export","kind":"sqlite","from":"/r","to":"/e","replacing":"/b.db"}"#
        ),
        (
            .publish(Publication(to: "t", as: .file, from: "/r", rows: 3, isDryRun: true)),
            #"{"id":7,"do":"publish","target":"t","kind":"file","from":"/r","rows":3,"dryRun":true}"#
        ),
        (
            .publish(
                Publication(
                    to: "t", as: .calibre, from: "/r", rows: 0, known: SourceVersion(etag: "v"), isForced: true,
                    omitsUnsupported: true)),
            #"{"id":7,"do":"publish","target":"t","kind":"calibre-server","from":"/r","rows":0,"have":{"etag":"v"},"dryRun":false,"force":true,"omit":true}"#
        ),
    ])
    func requestsAreLinesOfJSON(action: ConnectorRequest.Action, line: String) throws {
        let request = ConnectorRequest(id: 7, action)
        #expect(String(decoding: request.line, as: UTF8.self) == line)
        #expect(try ConnectorRequest(parsing: line.utf8) == request)
    }

    @Test(arguments: [
        (ConnectorReply.Content.ended(.done), #"{"re":2,"end":true}"#),
        (.ended(.exported(rows: 3)), #"{"re":2,"end":true,"exported":3}"#),
        (.ended(.converted(encoding: "KOI8-R")), #"{"re":2,"end":true,"converted":"KOI8-R"}"#),
        (
            .ended(
                .greeted(
                    Greeting(kinds: ["csv", "marc"], confinement: Confinement(landlock: 6, filtersCalls: true)))),
            #"{"re":2,"end":true,"protocol":4,"kinds":["csv","marc"],"landlock":6,"seccomp":true}"#
        ),
        (
            .ended(.opened(OpenedSource(kind: "csv", isFresh: true, facts: ["separator": ";", "encoding": "UTF-8"]))),
            #"{"re":2,"end":true,"mode":"mirror","kind":"csv","fresh":true,"facts":{"encoding":"UTF-8","separator":";"}}"#
        ),
        (
            .ended(
                .opened(
                    OpenedSource(
                        kind: "sqlite", profile: "p", table: "books",
                        tables: [.init(name: "books", columns: ["id", "title"])]))),
            #"{"re":2,"end":true,"mode":"mirror","kind":"sqlite","profile":"p","fresh":false,"table":"books","tables":[{"name":"books","columns":["id","title"]}]}"#
        ),
        (
            .ended(
                .mirrored(
                    MirroredCopy(
                        rows: 3, bytes: 90, isComplete: false, version: SourceVersion(etag: "e", modified: "m"),
                        defects: [
                            SourceDefect(.columns, count: 12, first: .line(40)),
                            SourceDefect(.malformed, count: 1, first: .record(3), detail: "d"),
                            SourceDefect(.cut, first: .offset(99)),
                        ]))),
            #"{"re":2,"end":true,"rows":3,"bytes":90,"complete":false,"etag":"e","modified":"m","defects":[{"kind":"columns","count":12,"line":40},{"kind":"malformed","count":1,"record":3,"detail":"d"},{"kind":"cut","count":1,"offset":99}]}"#
        ),
        (
            .ended(.paged(PageEnd(count: BookTotal(10, .atLeast)))),
            #"{"re":2,"end":true,"count":{"value":10,"kind":"atLeast"},"partial":false}"#
        ),
        (
            .ended(
                .opened(
                    OpenedSource(
                        mode: .paged, kind: "clickhouse",
                        abilities: PagedAbilities(jump: .below(10_000), sorts: ["title"], pageSize: 64)))),
            #"{"re":2,"end":true,"mode":"paged","kind":"clickhouse","fresh":false,"abilities":{"jump":10000,"sorts":["title"],"pageSize":64}}"#
        ),
        (
            .ended(.paged(PageEnd(count: nil, ignoredTerms: ["is:favourite"]))),
            #"{"re":2,"end":true,"partial":false,"ignored":["is:favourite"]}"#
        ),
        (.ended(.paged(PageEnd(count: nil, isPartial: true))), #"{"re":2,"end":true,"partial":true}"#),
        (
            .refused([RefusedRow(row: 1, .gone), RefusedRow(row: 9, .server, detail: "no")]),
            #"{"re":2,"refused":[{"row":1,"why":"gone"},{"row":9,"why":"server","detail":"no"}]}"#
        ),
        (.ended(.published(sent: 2, counted: 1)), #"{"re":2,"end":true,"sent":2,"counted":1}"#),
        (.ended(.published(sent: 0, counted: nil)), #"{"re":2,"end":true,"sent":0}"#),
        (
            .failed(ConnectorFailure(.offline, .missing, subject: "/a", detail: "d", at: .line(3), retryAfter: 60)),
            #"{"re":2,"error":"offline","reason":"missing","subject":"/a","detail":"d","line":3,"after":60}"#
        ),
        (.failed(ConnectorFailure(.cancelled)), #"{"re":2,"error":"cancelled"}"#),
        (
            .progress(CopyProgress(rows: 4200, total: 20000, bytes: 4_790_000)),
            #"{"re":2,"progress":{"rows":4200,"of":20000,"bytes":4790000}}"#
        ),
        (.progress(CopyProgress(rows: 1, bytes: 2)), #"{"re":2,"progress":{"rows":1,"bytes":2}}"#),
        (.waiting, #"{"re":2,"waiting":true}"#),
        (
            .asked(CredentialQuestion(realm: "books", origin: ServerOrigin(of: "https://books.example/opds")!)),
            #"{"re":2,"ask":"credential","realm":"books","origin":"https://books.example"}"#
        ),
        (
            .asked(
                CredentialQuestion(
                    realm: nil, origin: ServerOrigin(of: "http://books.example:8080")!, isRepeated: true,
                    isNetrcIgnored: true)),
            #"{"re":2,"ask":"credential","origin":"http://books.example:8080","repeated":true,"netrcIgnored":true}"#
        ),
        (
            .rows(PageRows(rows: [.object([.init(key: "title", value: .string("T"))])], first: 5, generation: 17)),
            #"{"re":2,"rows":[{"title":"T"}],"from":5,"generation":17}"#
        ),
    ])
    func repliesAreLinesOfJSON(content: ConnectorReply.Content, line: String) throws {
        let reply = ConnectorReply(to: 2, content)
        #expect(String(decoding: reply.line, as: UTF8.self) == line)
        #expect(try ConnectorReply(parsing: line.utf8) == reply)
    }

    @Test(arguments: [
        ("", 0, ConnectorFailure.Reason.notJSON), ("nonsense", 0, .notJSON), ("[]", 0, .notJSON),
        ("{}", 0, .member), (#"{"id":-1,"do":"hello"}"#, 0, .member), (#"{"id":1e9,"do":"hello"}"#, 0, .member),
        (#"{"id":3}"#, 3, .member), (#"{"id":3,"do":"dance"}"#, 3, .unknownRequest),
        (#"{"id":3,"do":"hello"}"#, 3, .member), (#"{"id":3,"do":"open","source":7}"#, 3, .member),
        (#"{"id":3,"do":"books","ids":["a",1]}"#, 3, .member),
        (#"{"id":3,"do":"publish","target":"t","kind":"ftp","from":"/r","rows":1}"#, 3, .member),
        (#"{"id":3,"do":"publish","target":"t","kind":"file","from":"/r","rows":-1}"#, 3, .member),
        (#"{"id":3,"do":"page","sort":[["title"]],"at":{"row":1},"limit":1,"generation":1}"#, 3, .member),
    ])
    func anyOtherLineIsAnError(line: String, id: Int, reason: ConnectorFailure.Reason) {
        #expect {
            try ConnectorRequest(parsing: line.utf8)
        } throws: { error in
            let malformed = error as? MalformedRequest
            return malformed?.id == id && malformed?.failure.kind == .request && malformed?.failure.reason == reason
        }
    }

    @Test func failuresOfANewerConnectorAreOnesOfTheConnector() throws {
        let reply = try ConnectorReply(parsing: #"{"re":1,"error":"haunted","reason":"ghost"}"#.utf8)
        #expect(reply.content == .failed(ConnectorFailure(.helper)))
    }

    @Test func aStreamIsSplitIntoLines() {
        var lines = MessageLines()
        #expect(lines.add(Array("{\"a\"".utf8)) == [])
        #expect(
            lines.add(Array(":1}\r\n\n {}\n[".utf8)) == [
                .message(Array("{\"a\":1}\r".utf8)), .message(Array(" {}".utf8)),
            ])
        #expect(lines.end() == [.message(Array("[".utf8))])
        #expect(lines.end() == [])
    }

    @Test func aLineOfMoreThanAMebibyteIsDroppedAndTheNextIsRead() {
        var lines = MessageLines()
        let part = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 19)
        #expect(lines.add(part) == [])
        #expect(lines.add(part) == [])
        #expect(lines.add(part) == [.tooLong])
        #expect(lines.add(part + Array("\nb\n".utf8)) == [.message(Array("b".utf8))])
    }
}
