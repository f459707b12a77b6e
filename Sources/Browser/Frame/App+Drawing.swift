internal import TerminalUI

extension App {
    /// The screen for a window of `size`, and where the cursor belongs in it. Places what is seen, whose rows and lines
    /// commands then count by.
    func draw(size: Size) -> (canvas: Canvas, cursor: Position) {
        var canvas = Canvas(size: size)
        guard let layout = layout(size: size) else {
            canvas.write("Window too small", row: 0, column: 0)
            return (canvas, Position(row: 0, column: 0))
        }
        TitleBar(self).draw(in: layout.title, on: &canvas)
        var cursor = Position(row: 0, column: 0)
        for screen in visibleScreens where screen.placement != .question {
            cursor = screen.draw(on: &canvas, self)
        }
        if isWhichKeyShown { WhichKey(self).draw(in: layout.body, on: &canvas) }
        if front.placement != .line { StatusLine(self).draw(in: layout, on: &canvas) }
        return (canvas, cursor)
    }

    /// Places what is seen; nil if the window is too small.
    private func layout(size: Size) -> Layout? {
        let limit = Layout.maximumStatusHeight(rows: size.rows)
        main.share(size, statusHeight: StatusMessage(self, width: size.columns).height(limit: limit))
        guard let layout = main.layout else { return nil }
        for screen in visibleScreens { screen.layout(in: layout.body, self) }
        return layout
    }

    /// What the bars say of the screen that has the body.
    var heading: Heading { (visibleScreens.first ?? main).heading(self) }
}
