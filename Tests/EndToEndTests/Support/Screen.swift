/// What a terminal shows, row by row, as the terminal itself has it.
struct Screen: Hashable, Sendable, CustomStringConvertible {
    /// The rows, without the blanks at their ends.
    var rows: [String]

    /// The rows in a box, for the messages of tests that fail.
    var description: String {
        (["┌"] + rows.map { "│" + $0 } + ["└"]).joined(separator: "\n")
    }

    /// Whether `text` stands in one of the rows.
    func shows(_ text: String) -> Bool { rows.contains { $0.contains(text) } }

    /// The title bar.
    var title: String { rows.first ?? "" }

    /// The status line.
    var status: String { rows.dropLast().last ?? "" }

    /// The hint bar.
    var hints: String { rows.last ?? "" }

    /// The place in the status line: "2/11".
    var position: String { String(status.split(separator: " ").first ?? "") }

    /// The row of the list that bears the sign of selection.
    var selection: String { rows.first { $0.hasPrefix("▌") } ?? "" }

    /// The rows between title bar and status line.
    var body: [String] { Array(rows.dropFirst().dropLast(2)) }
}

extension Screen {
    /// The rows of the list with what heads its sections, as far as the pane of the list goes, without signs and head.
    var listed: [String] {
        body.dropFirst().map { row in
            String(row.prefix { $0 != "│" }.drop { "▌▪◆★ ".contains($0) })
        }.filter { !$0.isEmpty }
    }

    /// The pane right of the divider.
    var detail: [String] {
        body.map { row in row.firstIndex(of: "│").map { String(row[row.index(after: $0)...]) } ?? "" }
    }
}
