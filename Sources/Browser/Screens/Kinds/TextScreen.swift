internal import TerminalUI

/// A screen of text that scrolls and has no current row.
protocol TextScreen: Screen {
    associatedtype View: TextScreenView
    /// The text.
    var view: View { get }
}

/// A view with the text of a screen.
protocol TextScreenView: ScrollingView {
    /// The text as paragraphs.
    var paragraphs: [TextView.Paragraph] { get }
    /// The line at the top of the frame.
    var textOfTopLine: String { get }
    var frame: Rect { get set }
    func draw(on canvas: inout Canvas)
}

extension TextView: TextScreenView {}
extension TwoColumnText: TextScreenView {}

extension TextScreen {
    var placement: Placement { .body }

    func layout(in area: Rect, _ app: App) { view.frame = area.textFrame }

    func draw(on canvas: inout Canvas, _ app: App) -> Position {
        view.draw(on: &canvas)
        return Position(row: view.frame.row, column: view.frame.column)
    }

    func perform(_ request: CommandRequest, _ app: App) -> Response {
        guard case .move(let motion) = request.command else { return .ignored }
        motion.apply(to: view, count: request.count)
        return .done
    }

    func canPerform(_ command: Command, _ app: App) -> Bool { command != .move(.down) || view.isScrollable }

    func point(_ mouse: Mouse, _ app: App) -> Response {
        if let rows = mouse.wheelRows { view.scroll(by: rows) }
        return .done
    }

    func spoken(_ app: App) -> Spoken {
        Spoken(
            place: context, heading: heading(app).title,
            content: .text(view.paragraphs.map(\.spoken), topLine: view.textOfTopLine, speaksChangesOnly: false))
    }
}

extension Rect {
    /// The frame of text that has these rows.
    var textFrame: Rect { Rect(row: row, column: 1, height: height, width: width - 2) }
}
