internal import Library
internal import TerminalUI

/// The question whether a list is to be deleted: another key than the one that asks must say so.
final class ConfirmDialog: Screen {
    let placement = Placement.question
    private let list: NamedList
    private let below: any Screen

    /// Asks whether `list` is to be deleted, over the screen `below`.
    init(deleting list: NamedList, below: any Screen, _ app: App) {
        self.list = list
        self.below = below
        let what: String
        if case .shelf = list.kind {
            what = "the shelf \(list.name) with \((app.session.library.count(of: list)?.total ?? 0).of("book"))"
        } else {
            what = "the query \(list.name)"
        }
        app.session.status.say("Delete \(what)? y deletes it, any other key keeps it")
    }

    func keyHints(_ app: App) -> [KeyHint]? {
        [KeyHint(.character("y"), "delete"), KeyHint(.escape, "keep")]
    }

    var context: CommandContext { below.context }

    func heading(_ app: App) -> Heading { below.heading(app) }

    func layout(in area: Rect, _ app: App) {}

    func draw(on canvas: inout Canvas, _ app: App) -> Position { Position(row: 0, column: 0) }

    /// Deletes the list, where `key` says so.
    func type(_ key: Key, _ app: App) -> Effect? {
        app.close(self)
        if key == .character("y") {
            app.session.delete(list)
        } else {
            app.session.status.say("Kept: \(list.name)")
        }
        return Effect.none
    }

    func perform(_ request: CommandRequest, _ app: App) -> Response { .ignored }

    func point(_ mouse: Mouse, _ app: App) -> Response { .ignored }

    func spoken(_ app: App) -> Spoken { below.spoken(app) }
}
