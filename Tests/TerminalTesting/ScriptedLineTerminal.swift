public import TerminalUI

/// A terminal for lines that plays a script of events and keeps the lines that it was told.
public final class ScriptedLineTerminal: LineTerminal {
    /// What was told after each event, and before the first one.
    public private(set) var answers: [[String]] = [[]]
    /// What was copied, in order.
    public private(set) var copies: [String] = []

    private var steps: [ScriptedTerminal.Step]

    /// A terminal where `steps` happen, one after another, and whose input then ends.
    public init(steps: [ScriptedTerminal.Step]) {
        self.steps = steps
    }

    /// Keeps the line.
    public func print(_ line: String) {
        answers[answers.count - 1].append(line)
    }

    /// What happens next.
    public func waitForEvents(milliseconds: Int?) -> [Event] {
        guard !steps.isEmpty else { return [.endOfInput] }
        answers.append([])
        switch steps.removeFirst() {
        case .pause: return [.timeOut]
        case .events(let events): return events
        case .resize: return [.resize]
        // No script for lines waits for the background.
        case .wakeUp: return [.wakeUp]
        }
    }

    /// Does nothing: a script says when the browser is woken up.
    public var wakeUp: @Sendable () -> Void { {} }

    /// Keeps the text.
    public func copy(_ text: String) -> Bool {
        copies.append(text)
        return true
    }

    /// Does what is done there.
    public func withTerminalReleased(_ body: () -> Void) { body() }

    /// Does nothing.
    public func suspend() {}

    /// What was told last.
    public var answer: [String] { answers.last ?? [] }
}
