/// Something that a reader sees on the screen, or does not.
struct Sight: CustomStringConvertible, Sendable {
    let description: String
    let isSeen: @Sendable (Screen) -> Bool

    /// The place in the status line.
    static func position(_ position: String) -> Sight {
        Sight(description: "the place \(position)") { $0.position == position }
    }

    /// The title bar begins so.
    static func title(_ text: String) -> Sight {
        Sight(description: "the title “\(text)”") { $0.title.hasPrefix(" " + text) }
    }

    /// Somewhere in the window.
    static func text(_ text: String) -> Sight {
        Sight(description: "“\(text)”") { $0.shows(text) }
    }

    /// Nowhere in the window.
    static func no(_ text: String) -> Sight {
        Sight(description: "no “\(text)”") { !$0.shows(text) }
    }

    /// The status line has it.
    static func status(_ text: String) -> Sight {
        Sight(description: "the status “\(text)”") { $0.status.contains(text) }
    }

    /// The selected row of the list begins so, behind the sign of selection.
    static func selection(_ text: String) -> Sight {
        Sight(description: "the selection “\(text)”") { $0.selection.hasPrefix("▌" + text) }
    }

    /// The selected row is this one of the window.
    static func selectionInRow(_ row: Int) -> Sight {
        Sight(description: "the selection in row \(row)") {
            $0.rows.indices.contains(row) && $0.rows[row].hasPrefix("▌")
        }
    }

    /// The rows of the list begin so, all of them.
    static func list(_ rows: [String]) -> Sight {
        Sight(description: "the list \(rows)") { screen in
            screen.listed.count == rows.count && zip(screen.listed, rows).allSatisfy { $0.hasPrefix($1) }
        }
    }

    /// The first row of the pane right of the divider begins so.
    static func detail(_ text: String) -> Sight {
        Sight(description: "the detail “\(text)”") { $0.detail.first?.hasPrefix(text) == true }
    }

    /// A divider is in this column, on all rows between the bars.
    static func divider(at column: Int) -> Sight {
        Sight(description: "the divider in column \(column)") { screen in
            screen.body.allSatisfy { row in row.count > column && Array(row)[column] == "│" }
        }
    }
}

extension Screen {
    /// Whether all of these are seen.
    func hasAll(_ sights: [Sight]) -> Bool { sights.allSatisfy { $0.isSeen(self) } }
}
