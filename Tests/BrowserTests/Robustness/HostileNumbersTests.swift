import CatalogTesting
import ConnectorProtocol
import Foundation
import TerminalTesting
import TestSupport
import Testing

@testable import Browser
@testable import Catalog
@testable import Library
@testable import Remote
@testable import TerminalUI

/// A connector program that lies about every number, in place of a server that does.
@Suite("Hostile numbers")
struct HostileNumbersTests {
    /// Zero, a negative number, numbers at the limits of 32 bits, of Double and of 64 bits, one above, and text.
    private static let numbers = [
        "0", "-1", "2147483648", "4294967296", "9007199254740992", "9223372036854775807", "18446744073709551616",
        #""many""#,
    ]

    private static let opened =
        #"{"re":1,"end":true,"mode":"paged","kind":"sru","profile":"native","#
        + #""abilities":{"jump":"anywhere","sorts":["title","year"],"pageSize":64}}"#
    private static let rows = rows(from: "0")
    private static let end = end("200")

    private static func rows(from first: String, member: String = #""year":2000"#) -> String {
        let books = (0..<64).map { ##"{"id":"b\##($0)","title":"Book \##($0)","## + member + "}" }
        return ##"{"re":2,"rows":["## + books.joined(separator: ",") + ##"],"from":\##(first),"generation":1}"##
    }

    private static func end(_ count: String, _ kind: String = "exact") -> String {
        #"{"re":2,"end":true,"partial":false,"count":{"value":\#(count),"kind":"\#(kind)"}}"#
    }

    /// Scripts of replies in which # is the number; each has one kind of number.
    private static let scripts: [(name: String, lines: [String])] = [
        ("an exact count", [opened, rows, end("#")]),
        ("a lower bound", [opened, rows, end("#", "atLeast")]),
        ("an estimate", [opened, rows, end("#", "approximate")]),
        ("a count that changes", [opened, rows, end("200"), rows, end("#"), rows, end("3")]),
        ("a count without rows", [opened, end("#")]),
        ("a first row", [opened, rows(from: "#"), end]),
        (
            "abilities",
            [
                opened.replacing(#""anywhere""#, with: "#").replacing("64", with: "#"), rows, end,
            ]
        ),
        ("a delay", [opened, ##"{"re":2,"error":"busy","reason":"status","detail":"503","after":#}"##]),
        ("a place", [opened, rows, ##"{"re":2,"error":"format","reason":"damaged","offset":#}"##, end]),
        (
            "records",
            [
                opened,
                rows(
                    from: "0", member: ##""pageCount":#,"published":#,"rating":#,"series":"S","seriesPosition":#"##),
                end,
            ]
        ),
    ]

    /// Keys that go to the ends, search, sort, select, mark, group and reload.
    private static let keys =
        "j G k PgUp g g PgDn 5 0 % 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 G ^d ^u z z / b o o k Enter G s t G g s b g s z "
        + "s y 1 9 9 9 g s Space G V v Enter G Esc R G j j c G c F Esc L j k Esc Tab G Tab ? Esc R"

    private func draw(_ app: App, _ place: String) {
        app.update()
        for size in [Size(rows: 24, columns: 100), Size(rows: 5, columns: 40)] {
            #expect(app.draw(size: size).canvas.isWhole, "\(place)")
        }
        let table = app.session.books.table
        #expect((table.currentRow == nil) == (table.rowCount == 0), "\(place)")
        if let row = table.currentRow { #expect((0..<table.rowCount).contains(row), "\(place)") }
    }

    @Test(.thorough, arguments: numbers) func aCatalogOnAServerIsBrowsed(number: String) {
        for script in Self.scripts {
            let lines = script.lines.map { $0.replacing("#", with: number).utf8 }
            let app = User(books: []).makeApp(source: pagedCatalog(repliedToBy: lines), resumes: false)
            draw(app, script.name)
            for case .events(let events) in ScriptedTerminal.Step.keys(Self.keys) {
                for event in events + [.wakeUp] { _ = app.handle(event) }
                draw(app, "\(script.name) \(number) \(events)")
            }
        }
    }

    @Test func theShareOfAnImpossibleCountIsShown() throws {
        let lines = [Self.opened, Self.rows, Self.end("9223372036854775807")].map(\.utf8)
        let user = User(books: [])
        user.settings.timeBudget = nil
        let app = user.makeApp(source: pagedCatalog(repliedToBy: lines), resumes: false)
        for case .events(let events) in ScriptedTerminal.Step.keys("G") {
            for event in [.wakeUp] + events + [.wakeUp] { _ = app.handle(event) }
        }
        app.update()
        let text = app.draw(size: Size(rows: 24, columns: 100)).canvas.text
        #expect(text.contains("1,099,511,627,776/1,099,511,627,776 · 100\u{A0}%"), "\(text)")
    }

    // MARK: - Copies

    /// A connector program that copies one book, and says the number of everything.
    private static let program = """
        #!/bin/sh
        while read -r line; do
            id=${line#*\\"id\\":}
            id=${id%%,*}
            case $line in
            *'"do":"hello"'*) echo "{\\"re\\":$id,\\"end\\":true,\\"protocol\\":1,\\"kinds\\":[],\\"confined\\":true}" ;;
            *'"do":"open"'*) echo "{\\"re\\":$id,\\"end\\":true,\\"mode\\":\\"mirror\\",\\"kind\\":\\"csv\\",\\"profile\\":\\"native\\"}" ;;
            *'"do":"mirror"'*)
                path=${line#*\\"to\\":\\"}
                printf '{"title":"Emma"}\\n' > "${path%\\"*}"
                for time in 0 1; do
                    echo "{\\"re\\":$id,\\"progress\\":{\\"rows\\":1,\\"of\\":NUMBER,\\"bytes\\":17,\\"received\\":NUMBER,\\"size\\":NUMBER}}"
                    echo "{\\"re\\":$id,\\"progress\\":{\\"rows\\":1,\\"bytes\\":17,\\"received\\":1,\\"size\\":NUMBER}}"
                    sleep 1.1
                    echo "{\\"re\\":$id,\\"progress\\":{\\"rows\\":NUMBER,\\"bytes\\":NUMBER}}"
                done
                echo "{\\"re\\":$id,\\"end\\":true,\\"rows\\":NUMBER,\\"bytes\\":NUMBER,\\"complete\\":true,\\"defects\\":[{\\"kind\\":\\"cut\\",\\"count\\":NUMBER,\\"line\\":NUMBER}]}" ;;
            esac
        done
        """

    @Test(.thorough, arguments: numbers) func aCopyIsBrowsedWhileItIsMade(number: String) throws {
        let directory = try TemporaryDirectory()
        let program = try directory.write(Self.program.replacing("NUMBER", with: number).utf8, to: "connect")
        chmod(program, 0o700)
        let mirror = MirrorDirectory(of: "http://127.0.0.1:9/books.csv", in: directory.path + "/cache")
        let access = SourceAccess(program: program)
        let make: FirstDownload.Maker = { _, profile in
            let profiles = ProfileLibrary(directory: nil)
            return JSONFileCatalog(
                path: mirror.dataPath, profile: profile.flatMap(profiles.profile(named:)), library: profiles,
                known: .books, copyOf: mirror.source, profileIsFound: true)
        }
        let first = try FirstDownload(of: mirror, by: access, with: program, opening: make)
        let catalog = MirroredCatalog(opening: first, in: mirror, by: access, catalog: make)
        let app = User(books: []).makeApp(source: catalog, resumes: false)
        let end = ContinuousClock.now + .seconds(20)
        repeat {
            for case .events(let events) in ScriptedTerminal.Step.keys("j G") {
                for event in events + [.wakeUp] { _ = app.handle(event) }
            }
            draw(app, number)
            _ = catalog.rate?.words
            usleep(20_000)
        } while catalog.isCopying && ContinuousClock.now < end
        _ = app.handle(.wakeUp)
        draw(app, number)
        #expect(!catalog.isCopying)
        if let state = mirror.state { #expect((0...1 << 40).contains(state.rows)) }
    }
}
