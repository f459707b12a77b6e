import Foundation
import Testing

/// The README and the guide: their size, links and tables.
@Suite("Documentation: the pages fit together") struct DocumentationPages {
    private static let folder = "Resources/guide"

    /// The pages of the guide, by their paths in the package.
    static let guide: [String] = {
        let names = try? FileManager.default.contentsOfDirectory(atPath: Programs.packageRoot + "/" + folder)
        return (names ?? []).filter { $0.hasSuffix(".md") }.sorted().map { folder + "/" + $0 }
    }()

    private static let pages = ["README.md", ".github/SECURITY.md"] + guide

    /// Returns the text of a page without its blocks of code.
    private static func prose(of page: String) -> String {
        var isCode = false
        let lines = Documentation.text(of: page).split(separator: "\n").filter { line in
            guard line.hasPrefix("```") else { return !isCode }
            isCode.toggle()
            return false
        }
        return lines.joined(separator: "\n")
    }

    /// Returns the anchors of the headings of a page, as GitHub names them: in lower case, without punctuation, with
    /// hyphens for spaces; the second of two equal ones ends in -1.
    private static func anchors(of page: String) -> Set<String> {
        var result: Set<String> = []
        for heading in prose(of: page).split(separator: "\n") where heading.hasPrefix("#") {
            let text = heading.drop { $0 == "#" }.dropFirst().replacing(/\]\([^)]*\)/, with: "").lowercased()
            let anchor = text.replacing(" ", with: "-").filter { $0.isLetter || $0.isNumber || "-_".contains($0) }
            var unique = anchor
            var count = 0
            while !result.insert(unique).inserted {
                count += 1
                unique = "\(anchor)-\(count)"
            }
        }
        return result
    }

    /// The relative links and pictures of a page.
    private static func links(of page: String) -> [String] {
        let text = prose(of: page)
        let targets =
            text.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }
            + text.matches(of: /(?:src|srcset)="([^"]+)"/).map { String($0.1) }
        return targets.filter { !$0.hasPrefix("https://") }
    }

    /// Returns the path in the package of a link on a page.
    private static func path(of link: Substring, on page: String) -> String {
        guard !link.isEmpty else { return page }
        var parts = page.split(separator: "/").dropLast()
        for part in link.split(separator: "/") {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return parts.joined(separator: "/")
    }

    @Test func theReadmeIsOnePage() throws {
        let readme = Documentation.text(of: "README.md")
        #expect(readme.utf8.count <= 8_192)
        let first = try #require(readme.firstMatch(of: /```sh\n((?s:.*?))```/))
        #expect(first.1.split(separator: "\n").map { $0.prefix(9) } == ["make run ", "make test"])
    }

    @Test(arguments: pages)
    func everyLinkLeadsSomewhere(page: String) {
        for link in Self.links(of: page) {
            let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            let path = Self.path(of: parts[0], on: page)
            let exists = FileManager.default.fileExists(atPath: Programs.packageRoot + "/" + path)
            #expect(exists, "\(page): there is no \(link)")
            if parts.count == 2 {
                #expect(Self.anchors(of: path).contains(String(parts[1])), "\(page): there is no heading \(link)")
            }
        }
    }

    /// A bar in code ends a cell, too, unless a backslash precedes it.
    @Test(arguments: pages)
    func everyRowHasAsManyCellsAsItsTable(page: String) {
        var bars: Int?
        for line in Self.prose(of: page).split(separator: "\n") {
            guard line.hasPrefix("|") else {
                bars = nil
                continue
            }
            let count = line.replacing("\\|", with: "").count { $0 == "|" }
            #expect(count == (bars ?? count), "\(page): \(line)")
            bars = count
        }
    }

    @Test func theIndexNamesEveryPage() {
        let index = Self.folder + "/index.md"
        let linked = Set(Self.links(of: index).map { Self.path(of: $0.prefix { $0 != "#" }, on: index) })
        #expect(Self.guide.count > 20)
        for page in Self.guide where page != index { #expect(linked.contains(page), "the index does not name \(page)") }
    }

    /// The man page is made of these tables, which are found by the heading of their first column.
    @Test(arguments: ["keys", "query", "field", "file", "exit code"])
    func thereIsOneTableOf(heading: String) {
        let tables = Self.guide.flatMap { Self.prose(of: $0).split(separator: "\n") }
            .filter { $0.hasPrefix("| \(heading) |") }
        #expect(tables.count == 1)
    }

    @Test func everyGeneratedPartEnds() {
        for page in Self.guide {
            let text = Documentation.text(of: page)
            let parts = text.matches(of: /<!-- generated: [a-z-]+ -->(?s:.*?)<!-- end -->/)
            #expect(parts.count == text.matches(of: #/<!-- generated: /#).count, "\(page)")
        }
    }
}
