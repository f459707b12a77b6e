/// The text of a terminal's screen, row by row.
struct Screen: Hashable, Sendable, CustomStringConvertible {
    /// The rows without trailing blanks.
    var rows: [String]

    /// The rows in a box, for failure messages.
    var description: String {
        (["┌"] + rows.map { "│" + $0 } + ["└"]).joined(separator: "\n")
    }

    /// Whether a row contains `text`.
    func shows(_ text: String) -> Bool { rows.contains { $0.contains(text) } }

    /// The title bar.
    var title: String { rows.first ?? "" }

    /// Whether the title bar begins with `text`. A number in parentheses after the name of a list, as in
    /// " Favourites (3)", is the number of its books, which stands at the right end or with the position.
    func hasTitle(_ text: String) -> Bool {
        guard let match = text.wholeMatch(of: #/( (?!Facets|Statistics)[^(]*?) \(([\d,]+)\)(.*)/#) else {
            return title.hasPrefix(text)
        }
        let (name, count, rest) = (match.1, match.2, match.3)
        let counts = [" · \(count) of ", " · \(count) book"]
        return title.hasPrefix("\(name)\(rest)")
            && (counts.contains(where: title.contains) || position.hasSuffix("/\(count)"))
    }

    /// The index of the first row of the status area: the row with the position, or the row above the hint bar.
    private var statusStart: Int {
        let last = max(0, rows.count - 2)
        let isPlace = { (row: Int) in rows[row].firstMatch(of: #/^ [\d,]+\/[\d,]+( |$)/#) != nil }
        return (max(0, last - 2)...last).last { rows.indices.contains($0) && isPlace($0) } ?? last
    }

    /// The status area as one line, without the share of the position in per cent.
    var status: String {
        guard rows.count > 1 else { return "" }
        let lines = rows[statusStart..<(rows.count - 1)]
        return lines.dropFirst().reduce(lines.first ?? "") { $0 + " " + $1.drop { $0 == " " } }
            .replacing(#/ · \d+\u{A0}%/#, with: "", maxReplacements: 1)
    }

    /// The hint bar.
    var hints: String { rows.last ?? "" }

    /// The position in the status area: "2/11".
    var position: String { String(status.split(separator: " ").first ?? "") }

    /// The current row of the list, with its bar and the sign of a favourite or a blank, but without that of the reading
    /// status.
    var selection: String { Self.withoutStatus(rows.first { $0.hasPrefix("▌") } ?? "") }

    private static func withoutStatus(_ row: String) -> String {
        // The bar, the sign of a favourite, a blank, the sign of the status, a blank.
        let beginning = Array(row.prefix(5))
        guard beginning.count == 5, beginning[2] == " " else { return row }
        if "○◐●✕ ".contains(beginning[3]), beginning[4] == " " { return String(beginning[..<3]) + row.dropFirst(5) }
        // Without any favourite, its sign has no column.
        return "○◐●✕".contains(beginning[1]) ? "▌  " + row.dropFirst(3) : row
    }

    /// The rows between title bar and status area, without the row of lists.
    var body: [String] {
        guard rows.count > 1 else { return [] }
        let hasTabs = rows[1].hasPrefix("[1 All") || rows[1].hasPrefix(" 1 All")
        return Array(rows[..<statusStart].dropFirst(hasTabs ? 2 : 1))
    }
}

extension Screen {
    /// The rows of the list pane with the headings of sections, without markers and column headings.
    var listed: [String] {
        body.dropFirst().map { row in
            String(row.prefix { $0 != "│" }.drop { "▌▪◆★○◐●✕ ".contains($0) })
        }.filter { !$0.isEmpty }
    }

    /// The pane to the right of the divider.
    var detail: [String] {
        body.map { row in row.firstIndex(of: "│").map { String(row[row.index(after: $0)...]) } ?? "" }
    }
}
