private import Foundation
public import TerminalUI

/// A terminal that plays a script of events and keeps the screens it was shown.
public final class ScriptedTerminal: Terminal {
    /// The size of the window now; a script changes it with `Step.resize`.
    public private(set) var size: Size
    /// Every screen that was shown, oldest first.
    public private(set) var screens: [Canvas] = []
    /// Where the cursor was on the last screen.
    public private(set) var cursor = Position(row: 0, column: 0)
    /// Whether the cursor was seen there.
    public private(set) var isCursorShown = false
    /// How often everything was asked to be drawn anew.
    public private(set) var repaintCount = 0
    /// How often the process was asked to stop.
    public private(set) var suspensionCount = 0

    /// How long the browser would have waited in each pause, in milliseconds.
    public private(set) var pauses: [Int?] = []
    /// What was copied, in order.
    public private(set) var copies: [String] = []
    /// Whether it has a clipboard.
    public var hasClipboard = true

    private var steps: [Step]
    private let wakeUps = DispatchSemaphore(value: 0)

    /// What happens next at the terminal.
    public enum Step {
        /// These events, together.
        case events([Event])
        /// The window has another size.
        case resize(Size)
        /// Nothing, for longer than anybody waits.
        case pause
        /// Nothing, until a thread in the background wakes the browser up; where none does for ten seconds, nothing.
        case wakeUp
    }

    /// A terminal of `size` where `steps` happen, one after another, and whose input then ends.
    public init(size: Size, steps: [Step]) {
        self.size = size
        self.steps = steps
    }

    /// A terminal of `size` where these keys are typed, one after another, and whose input then ends.
    ///
    /// - Parameter keys: As for `Step.keys(_:)`.
    public convenience init(columns: Int, rows: Int, keys: String) {
        self.init(size: Size(rows: rows, columns: columns), steps: Step.keys(keys))
    }

    /// Keeps the screen.
    public func show(_ canvas: Canvas, cursor: Position, isTyping: Bool) {
        precondition(canvas.size == size, "a screen must have the terminal's size")
        screens.append(canvas)
        self.cursor = cursor
        isCursorShown = isTyping
    }

    /// What happens next.
    public func waitForEvents(milliseconds: Int?) -> [Event] {
        guard !steps.isEmpty else { return [.endOfInput] }
        switch steps.removeFirst() {
        case .pause:
            pauses.append(milliseconds)
            return milliseconds == nil ? waitForEvents(milliseconds: nil) : [.timeOut]
        case .events(let events): return events
        case .wakeUp: return wakeUps.wait(timeout: .now() + 10) == .success ? [.wakeUp] : [.timeOut]
        case .resize(let size):
            self.size = size
            return [.resize]
        }
    }

    /// Counts, as a script says when the browser is woken up.
    public var wakeUp: @Sendable () -> Void { { [wakeUps] in wakeUps.signal() } }

    /// Counts.
    public func repaint() { repaintCount += 1 }

    /// Keeps the text.
    public func copy(_ text: String) -> Bool {
        if hasClipboard { copies.append(text) }
        return hasClipboard
    }

    /// Does what is done there.
    public func withTerminalReleased(_ body: () -> Void) { body() }

    /// Counts.
    public func suspend() { suspensionCount += 1 }

    /// The text of the last screen, a line a row.
    public var text: String { screens.last?.text ?? "" }

    /// The text of a row of the last screen; rows below zero count from the bottom.
    public func row(_ row: Int) -> String {
        guard let screen = screens.last else { return "" }
        return screen.text(ofRow: row < 0 ? screen.size.rows + row : row)
    }
}

extension ScriptedTerminal.Step {
    /// These keys, one after another.
    ///
    /// - Parameter keys: Names of keys as in a list of keys, set apart by blanks: "j j PgDn ^d"; "(pause)" is none.
    public static func keys(_ keys: String) -> [Self] {
        keys.split(separator: " ").map { name in
            if name == "(pause)" { return .pause }
            guard let key = Key(name: String(name)) else { preconditionFailure("no key is called \(name)") }
            return .events([.key(key)])
        }
    }

    /// What the mouse does.
    public static func mouse(_ action: Mouse.Action, row: Int, column: Int, time: Int = 0) -> Self {
        .events([.mouse(Mouse(action, at: Position(row: row, column: column), time: time))])
    }

    /// A press of the mouse, and its release.
    public static func click(row: Int, column: Int, time: Int = 0) -> Self {
        let position = Position(row: row, column: column)
        return .events([
            .mouse(Mouse(.press, at: position, time: time)), .mouse(Mouse(.release, at: position, time: time)),
        ])
    }
}
