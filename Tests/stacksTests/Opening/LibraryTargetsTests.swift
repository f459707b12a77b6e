import Remote
import Testing

@testable import stacks

@Suite("Library servers by name") struct LibraryTargetsTests {
    private let shipped = LibraryTargets()

    @Test("The servers that come with stacks have an address of a library protocol, and a public document")
    func shippedTargets() {
        let names = ["loc", "loc-z3950", "dnb", "bnf", "k10plus", "zurich", "libris", "openlibrary"]
        #expect(shipped.targets.map(\.name) == names)
        #expect(shipped.address(named: "loc")?.hasSuffix("&timeout=25") == true)
        for target in shipped.targets {
            let schemes = ["sru+http://", "sru+https://", "z3950://", "xsearch+https://", "openlibrary+https://"]
            #expect(schemes.contains { target.address.hasPrefix($0) }, "\(target.name)")
            #expect(SourceAddress.isPaged(target.address), "\(target.name)")
            // The help of LIBRIS has no address with https.
            let isPublic = target.document.hasPrefix("https://") || target.name == "libris"
            #expect(isPublic && target.document.hasPrefix("http"), "\(target.name)")
            #expect(!target.name.contains("/") && !target.label.isEmpty)
        }
        #expect(Set(shipped.targets.map(\.name)).count == shipped.targets.count)
    }

    @Test("A name opens the server, unless the config file has a catalog of this name") func names() {
        #expect(CatalogName.path(named: "loc-z3950", in: Config()) == "z3950://lx2.loc.gov:210/LCDB?timeout=25")
        var config = Config()
        config.catalogs["loc-z3950"] = "/books.json"
        #expect(CatalogName.path(named: "loc-z3950", in: config) == "/books.json")
        #expect(CatalogName.path(named: "no-such-name", in: Config()) == "no-such-name")
    }

    @Test("The list says which servers were tested, and which the config file replaces") func list() {
        let targets = LibraryTargets(
            parsing: #"""
                {"targets": [
                {"name": "a", "label": "Library A", "address": "z3950://a/b", "document": "https://a", "tested": true},
                {"name": "b", "address": "sru+http://b/"}, {"name": "c"},
                {"name": "d", "label": "Escape \u001b[2J", "address": "sru+http://d/", "tested": false}]}
                """#.utf8)
        let lines = targets.text(overriddenBy: ["d": "/books.json"]).split(separator: "\n")
        #expect(
            lines.map(String.init) == [
                "a\tLibrary A\ttested\tz3950://a/b\thttps://a", "b\tb\tuntested\tsru+http://b/\t",
                "d\tEscape \u{FFFD}[2J\treplaced by config.toml\tsru+http://d/\t",
            ])
    }
}
