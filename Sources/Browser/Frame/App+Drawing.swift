internal import TerminalUI

extension App {
    /// Draws the screen for a window of `size` and returns it with the cursor position. Also lays out the visible
    /// screens, because commands that count rows or lines depend on their frames.
    func draw(size: Size) -> (canvas: Canvas, cursor: Position) {
        var canvas = Canvas(size: size)
        guard let layout = layout(size: size) else {
            canvas.write("Window too small", row: 0, column: 0)
            return (canvas, Position(row: 0, column: 0))
        }
        let heading = heading
        TitleBar(self, heading).draw(in: layout.title, on: &canvas)
        var cursor = Position(row: 0, column: 0)
        for screen in visibleScreens where screen.placement != .question {
            cursor = screen.draw(on: &canvas, self)
        }
        if isWhichKeyShown { WhichKey(self).draw(in: layout.body, on: &canvas) }
        if front.placement != .line { StatusLine(self, heading).draw(in: layout, on: &canvas) }
        return (canvas, cursor)
    }

    /// Lays out the visible screens; returns nil if the window is too small.
    private func layout(size: Size) -> Layout? {
        let limit = Layout.maximumStatusHeight(rows: size.rows)
        let hasTabs = visibleScreens.first === main
        main.share(
            size, hasFacets: screens.contains { $0.context == .facets },
            statusHeight: StatusMessage(self, heading, width: size.columns).height(limit: limit), hasTabs: hasTabs)
        guard let layout = main.layout else { return nil }
        session.covers.beginScreen()
        for screen in visibleScreens { screen.layout(in: layout.body, self) }
        return layout
    }

    /// The text of the bars for the screen in the body.
    var heading: Heading { (visibleScreens.first ?? main).heading(self) }
}
