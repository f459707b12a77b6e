internal import TerminalUI

/// What the mouse does: what keys do, too, where it points.
extension Browser {
    /// A place of the hint bar that gives a command.
    struct HintPlace: Hashable {
        var place: Rect
        var command: Command
    }

    /// A press of a row.
    struct Press {
        var table: ObjectIdentifier
        var row: Int
        var time: Int
    }

    /// In milliseconds: two presses of a row that are no further apart open it.
    private static let doubleClickTime = 400
    /// How many rows or lines a step of the wheel scrolls by.
    private static let wheelStep = 3

    /// Acts on what the mouse did.
    func react(to mouse: Mouse) -> Reaction {
        switch mouse.action {
        case .press: return press(mouse)
        case .drag: drag(to: mouse.position)
        case .release:
            if pressedDivider != nil { rememberPlace() }
            pressedDivider = nil
        case .wheel(let steps): scroll(at: mouse.position, by: steps * Self.wheelStep)
        }
        return .carryOn
    }

    private func press(_ mouse: Mouse) -> Reaction {
        message = ""
        listToDelete = nil
        keys.forget()
        // Only what is typed ends it.
        if prompt != nil { return .carryOn }
        isWhichKeyShown = false
        if typedLine != .search, let hint = hintPlaces.first(where: { $0.place.contains(mouse.position) }) {
            return perform(.init(command: hint.command))
        }
        if let table = tableInFront(at: mouse.position) { return press(mouse, in: table) }
        if overlay == nil, let layout {
            pressedDivider = layout.divider(at: mouse.position)
            if layout.detail.contains(mouse.position) {
                acceptSearch()
                if selectedIndex != nil { focus = .detail }
            }
        }
        return .carryOn
    }

    /// The table to which a press or a turn of the wheel goes: what covers the panes takes all.
    private func tableInFront(at position: Position) -> TableView? {
        let tables: [TableView] =
            switch overlay {
            case .facets: [facetsTable]
            case .palette, .shelves: [picker?.table].compactMap(\.self)
            case .columns: [columnChooser.table]
            case .history: [historyTable]
            case .help, .statistics: []
            case nil: [listsTable, bookTable].filter { !isHidden($0) }
            }
        return tables.first { $0.frame.contains(position) }
    }

    private func isHidden(_ table: TableView) -> Bool {
        (table === listsTable ? layout?.lists : layout?.list)?.isEmpty ?? true
    }

    private func press(_ mouse: Mouse, in table: TableView) -> Reaction {
        if table === bookTable, let column = table.column(withHeadAt: mouse.position) {
            // The screen may be of columns that were just replaced.
            let choices = shownColumns
            if choices.indices.contains(column - 1), let key = choices[column - 1].column.sortKey { sort(by: key) }
            return .carryOn
        }
        guard let row = table.row(at: mouse.position) else { return .carryOn }
        if table === listsTable { focusLists() } else if table === bookTable { focusList() }
        table.select(row)
        let last = lastPress
        lastPress = Press(table: ObjectIdentifier(table), row: row, time: mouse.time)
        guard let last, last.table == lastPress?.table, last.row == row,
            (0...Self.doubleClickTime).contains(mouse.time - last.time)
        else { return .carryOn }
        lastPress = nil
        return typedLine.map { react(to: .enter, in: $0) } ?? perform(.init(command: .open))
    }

    /// Gives the lists the keyboard; a search that is being typed is kept until another list is pressed.
    private func focusLists() {
        acceptSearch()
        focus = .lists
    }

    /// Gives the list the keyboard, and content with the row at which the reader pressed.
    private func focusList() {
        acceptSearch()
        focus = .list
        (anchor, pendingJump) = (nil, nil)
    }

    private func drag(to position: Position) {
        guard let pressedDivider, let layout else { return }
        panes.move(pressedDivider, to: pressedDivider == .stack ? position.row : position.column, in: layout)
    }

    /// Scrolls what is at `position`, whatever has the keyboard.
    private func scroll(at position: Position, by lines: Int) {
        if let table = tableInFront(at: position) {
            if table === bookTable { (anchor, pendingJump) = (nil, nil) }
            table.scrollScreen(by: lines)
        } else if overlay == .help {
            helpView.scroll(by: lines)
        } else if overlay == .statistics {
            statistics?.view.scroll(by: lines)
        } else if overlay == nil, layout?.detail.contains(position) == true {
            refreshDetail()
            detailView.scroll(by: lines)
        }
    }
}
