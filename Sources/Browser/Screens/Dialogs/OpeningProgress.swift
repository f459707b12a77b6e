internal import Library
internal import Storage
internal import TerminalUI
internal import Threading

/// Another catalog is being opened, from a slow disk or server: Esc stops it, and other keys are for that catalog.
final class OpeningProgress: Screen {
    let placement = Placement.question
    private let below: any Screen
    private let next: NextCatalog
    private let task: BackgroundTask<OpeningOutcome>
    private var typed: [Event] = []

    /// The time that a key waits for a catalog, in milliseconds; after that, the screen says so.
    private static let timeLimit = 50

    private init(_ next: NextCatalog, _ task: BackgroundTask<OpeningOutcome>, below: any Screen, _ app: App) {
        (self.next, self.task, self.below) = (next, task, below)
        say(app)
    }

    private func say(_ app: App) { app.session.status.say(.opening, abbreviatedPath(next.path)) }

    /// Opens `next` in place of the present catalog.
    static func begin(_ next: NextCatalog, _ app: App) -> Effect {
        let session = app.session
        let task = session.services.catalogs.open(next, session.wake)
        task.wait(milliseconds: session.settings.timeBudget ?? timeLimit)
        let progress = OpeningProgress(next, task, below: app.top, app)
        if let effect = progress.effect(app) { return effect }
        app.push(progress)
        return .none
    }

    /// Returns the effect of the opened catalog, or says why it could not be opened; nil as long as neither is known.
    private func effect(_ app: App) -> Effect? {
        switch task.value {
        case .opened?: return .quit(.open(next))
        case .failed(let sentence)?:
            app.session.status.say(sentence)
            return Effect.none
        case nil: return nil
        }
    }

    func awaited(_ app: App) -> Effect {
        guard let effect = effect(app) else { return .none }
        if effect.isNone { app.close(self) } else { app.putBack(typed) }
        return effect
    }

    func keyHints(_ app: App) -> [KeyHint]? { [KeyHint(.escape, "stop")] }

    var context: CommandContext { below.context }

    func heading(_ app: App) -> Heading { below.heading(app) }

    func layout(in area: Rect, _ app: App) {}

    func draw(on canvas: inout Canvas, _ app: App) -> Position { Position(row: 0, column: 0) }

    func type(_ key: Key, _ app: App) -> Effect? {
        guard [.escape, .control("c")].contains(key) else {
            keep(.key(key), app)
            return Effect.none
        }
        app.close(self)
        app.session.status.say(.openingStopped, abbreviatedPath(next.path))
        return Effect.none
    }

    /// Keeps an event for the catalog that is being opened.
    func keep(_ event: Event, _ app: App) {
        typed.append(event)
        say(app)
    }

    let isClosedByClick = false

    func closed(_ app: App) { task.cancel() }

    func perform(_ request: CommandRequest, _ app: App) -> Response { .ignored }

    func point(_ mouse: Mouse, _ app: App) -> Response { .ignored }

    func spoken(_ app: App) -> Spoken { below.spoken(app) }
}
