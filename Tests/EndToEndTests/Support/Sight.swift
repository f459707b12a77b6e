/// A condition on the screen.
struct Sight: CustomStringConvertible, Sendable {
    let description: String
    let isSeen: @Sendable (Screen) -> Bool

    /// The status line has this position.
    static func position(_ position: String) -> Sight {
        Sight(description: "the place \(position)") { $0.position == position }
    }

    /// The title bar begins with this text.
    static func title(_ text: String) -> Sight {
        Sight(description: "the title “\(text)”") { $0.hasTitle(" " + text) }
    }

    /// The window contains this text.
    static func text(_ text: String) -> Sight {
        Sight(description: "“\(text)”") { $0.shows(text) }
    }

    /// The window does not contain this text.
    static func no(_ text: String) -> Sight {
        Sight(description: "no “\(text)”") { !$0.shows(text) }
    }

    /// The status line contains this text.
    static func status(_ text: String) -> Sight {
        Sight(description: "the status “\(text)”") { $0.status.contains(text) }
    }

    /// The current row of the list begins with this text after its bar.
    static func selection(_ text: String) -> Sight {
        Sight(description: "the selection “\(text)”") { $0.selection.hasPrefix("▌" + text) }
    }

    /// The current row is this row of the window.
    static func selectionInRow(_ row: Int) -> Sight {
        Sight(description: "the selection in row \(row)") {
            $0.rows.indices.contains(row) && $0.rows[row].hasPrefix("▌")
        }
    }

    /// The list has exactly these rows, each beginning with one of the texts.
    static func list(_ rows: [String]) -> Sight {
        Sight(description: "the list \(rows)") { screen in
            screen.listed.count == rows.count && zip(screen.listed, rows).allSatisfy { $0.hasPrefix($1) }
        }
    }

    /// The first row of the pane to the right of the divider begins with this text.
    static func detail(_ text: String) -> Sight {
        Sight(description: "the detail “\(text)”") { $0.detail.first?.hasPrefix(text) == true }
    }

    /// A divider is in this column in all rows between the bars.
    static func divider(at column: Int) -> Sight {
        Sight(description: "the divider in column \(column)") { screen in
            screen.body.allSatisfy { row in row.count > column && Array(row)[column] == "│" }
        }
    }
}

extension Screen {
    /// Whether all conditions hold.
    func hasAll(_ sights: [Sight]) -> Bool { sights.allSatisfy { $0.isSeen(self) } }
}
