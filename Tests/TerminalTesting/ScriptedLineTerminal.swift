public import TerminalUI

/// A line terminal that plays a script of events and records the printed lines.
public final class ScriptedLineTerminal: LineTerminal {
    /// The lines printed after each event, and before the first one.
    public private(set) var answers: [[String]] = [[]]
    /// The copied texts in order.
    public private(set) var copies: [String] = []

    private var steps: [ScriptedTerminal.Step]

    /// Creates a terminal whose input consists of `steps` and then ends.
    public init(steps: [ScriptedTerminal.Step]) {
        self.steps = steps
    }

    /// Records the line.
    public func print(_ line: String) {
        answers[answers.count - 1].append(line)
    }

    /// Returns the next events of the script.
    public func waitForEvents(milliseconds: Int?) -> [Event] {
        guard !steps.isEmpty else { return [.endOfInput] }
        answers.append([])
        switch steps.removeFirst() {
        case .pause: return [.timeOut]
        case .events(let events): return events
        case .resize: return [.resize]
        // Scripts for lines do not wait for background threads.
        case .wakeUp, .wakeUps: return [.wakeUp]
        }
    }

    /// Does nothing: the script determines when the browser wakes up.
    public var wakeUp: @Sendable () -> Void { {} }

    /// Records the text.
    public func copy(_ text: String) -> Bool {
        copies.append(text)
        return true
    }

    /// Calls `body`.
    public func withTerminalReleased(_ body: () -> Void) { body() }

    /// Does nothing.
    public func suspend() {}

    /// The lines printed last.
    public var answer: [String] { answers.last ?? [] }
}
