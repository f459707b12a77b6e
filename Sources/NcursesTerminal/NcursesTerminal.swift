internal import CNcurses
internal import CSystem
internal import Glibc
public import TerminalUI

/// The terminal that the process was started on, through ncurses. There can be one at a time.
///
/// Whatever ends the process, but SIGKILL, gives the terminal back as it was found.
public final class NcursesTerminal: Terminal, LineTerminal {
    /// The size of the window now.
    public private(set) var size: Size

    private let input: Int32
    private var signals: SignalQueue
    private var output: FrameOutput
    private var keys: KeyDecoder
    private var brush: CellRenderer
    private var messages: StandardErrorCapture?
    /// What the window holds, where that is known.
    private var shown: Canvas?
    private let otherThreads = WakeUpDescriptor()
    private let originalModes: termios
    private let programModes: termios
    /// Whether the terminal is to tell what the mouse does.
    private let usesMouse: Bool
    private let printsLines: Bool
    /// Whether the cursor is seen.
    private var isCursorShown = false
    /// Whether the terminal was taken, and not given back since.
    private var isTaken = false

    /// Takes the terminal: of standard output, with its keyboard, wherever standard input comes from.
    ///
    /// - Parameters:
    ///   - theme: How styles look.
    ///   - usesColour: Whether colours are used where the terminal has them; emphasis always is.
    ///   - usesMouse: Whether the terminal tells what the mouse does, where it can; it then selects no text with it.
    ///   - printsLines: Whether lines are printed below what is there, by `print(_:)`, and no screens are shown.
    /// - Throws: `TerminalError`; the terminal is as it was then.
    public init(
        theme: Theme = .terminal, usesColour: Bool = true, usesMouse: Bool = true, printsLines: Bool = false
    ) throws(TerminalError) {
        let keyboard = try Keyboard()
        input = keyboard.descriptor
        // Nothing changes, but a job in the background is stopped until it has the terminal: here signals still end it.
        SignalQueue.admitTerminations()
        guard tcflow(STDOUT_FILENO, TCOON) == 0 else { throw .system(errno) }
        originalModes = try Self.currentModes
        output = try FrameOutput()
        signals = try SignalQueue()
        guard newterm(nil, output.file, keyboard.file) != nil else {
            signals.unblock()
            throw .unsuitableType(Self.type)
        }
        guard cn_capability("cup") != nil else {
            Self.set(originalModes)
            signals.unblock()
            throw .unsuitableType(Self.type)
        }
        raw()
        noecho()
        nonl()
        programModes = try Self.currentModes
        output.hold()
        keys = KeyDecoder()
        // What ncurses has written so far leads to the other screen, which lines are not printed on.
        if printsLines { output.discard() }
        nodelay(cn_stdscr(), true)
        set_escdelay(25)
        // A frame is drawn whole, even while keys are waiting.
        typeahead(-1)
        brush = CellRenderer(theme: theme, usesColour: usesColour)
        self.usesMouse = usesMouse && !printsLines && cn_capability("kmous") != nil
        self.printsLines = printsLines
        size = Size(rows: Int(getmaxy(cn_stdscr())), columns: Int(getmaxx(cn_stdscr())))
        crash_guard_install()
        take()
    }

    /// Gives the terminal back, and signals their usual course.
    public func close() {
        giveBack()
        signals.unblock()
    }

    /// Shows `canvas`; only what differs from the last one is sent. Nothing is, once `suspend` has left the terminal to
    /// others.
    public func show(_ canvas: Canvas, cursor: Position, isTyping: Bool) {
        guard isTaken else { return }
        let previous = shown.flatMap { $0.size == canvas.size ? $0 : nil }
        // Then blanks that end a row are there already, and most of a screen may be such.
        if previous == nil { werase(cn_stdscr()) }
        for row in 0..<min(canvas.size.rows, size.rows) {
            let cells = canvas.row(row)
            if let previous {
                guard let changed = canvas.changedColumns(ofRow: row, since: previous) else { continue }
                brush.draw(
                    cells[(cells.startIndex + changed.lowerBound)..<(cells.startIndex + changed.upperBound)],
                    row: row, column: changed.lowerBound)
            } else {
                brush.draw(cells[..<cells.endOfContent], row: row, column: 0)
            }
        }
        shown = canvas
        wmove(cn_stdscr(), Int32(cursor.row), Int32(cursor.column))
        wrefresh(cn_stdscr())
        if isTyping != isCursorShown {
            isCursorShown = isTyping
            output.write(Terminfo.sequence(isTyping ? "cnorm" : "civis"))
        }
        output.send(watching: signals)
    }

    /// Prints a line below what was printed before.
    public func print(_ line: String) {
        guard isTaken else { return }
        output.write(line + "\r\n")
        output.send(watching: signals)
    }

    /// Draws everything anew with the next `show`.
    public func repaint() {
        shown = nil
        clearok(cn_curscr(), true)
    }

    /// Gives the terminal back and stops the process group; returns when it is continued. Where it was asked to end
    /// meanwhile, the terminal is not taken again.
    public func suspend() {
        giveBack()
        while !signals.isTerminationRequested {
            signals.stop()
            if isInForeground { break }
            // Continued in the background, where the terminal is another's. There is a pause because the system does
            // not stop what nobody could continue.
            usleep(100_000)
        }
        if !signals.isTerminationRequested { takeAgain() }
    }

    /// Gives the terminal back while `body` uses it, and takes it again.
    public func withTerminalReleased(_ body: () -> Void) {
        giveBack()
        body()
        takeAgain()
    }

    private func takeAgain() {
        updateSize()
        Self.set(programModes)
        if !printsLines {
            output.write(Terminfo.sequence("smcup"))
            // Somebody may have left a scroll region behind.
            output.write(Terminfo.sequence("csr", 0, size.rows - 1))
        }
        take()
        repaint()
    }

    /// Ends the wait of `waitForEvents`, or the next one, with the event `wakeUp`.
    public var wakeUp: @Sendable () -> Void {
        { [otherThreads] in otherThreads.signal() }
    }

    /// Puts `text` on the clipboard, by a sequence that most terminals know; whether one does it does not tell.
    public func copy(_ text: String) -> Bool {
        let isInTmux = getenv("TMUX") != nil
        guard let sequence = Clipboard.sequence(text, terminal: Self.type, isInTmux: isInTmux) else { return false }
        output.write(sequence)
        return output.send(watching: signals)
    }

    /// Waits for keys, signals and other threads.
    public func waitForEvents(milliseconds: Int?) -> [Event] {
        let end = milliseconds.map { MonotonicClock.now + $0 }
        var events: [Event] = []
        while events.isEmpty {
            var descriptors = [
                pollfd(fd: input, events: Int16(POLLIN), revents: 0),
                pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: otherThreads.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            let rest = end.map { Int32(clamping: max(0, $0 - MonotonicClock.now)) } ?? -1
            // What is half there must not swallow all keys.
            if poll(&descriptors, 3, keys.patience >= 0 ? keys.patience : rest) == 0 {
                events += keys.giveUp()
                if let end, events.isEmpty, MonotonicClock.now >= end { return [.timeOut] }
            }
            if descriptors[1].revents != 0 {
                for notice in signals.takeAll() { events.append(event(for: notice)) }
                // Before keys: to read one in the background stops the program.
                if !events.isEmpty { break }
            }
            if descriptors[2].revents != 0 {
                otherThreads.take()
                events.append(.wakeUp)
            }
            let condition = Int32(descriptors[0].revents)
            if condition & POLLIN != 0 {
                // Who reads a key in the background is stopped there, and no signal that is blocked ends it.
                guard isInForeground else {
                    events.append(.suspendRequest)
                    break
                }
                // wgetch() first draws a window that was touched, and one that was never drawn is: lines would be erased.
                if printsLines { untouchwin(cn_stdscr()) }
                // Readable without anything to read is the end; half a character or paste gives no event either.
                if hasInput { events += keys.takeAll() } else { events.append(.endOfInput) }
            }
            if condition & (POLLHUP | POLLERR | POLLNVAL) != 0 { events.append(.endOfInput) }
        }
        return events
    }

    /// The terminal type, for messages.
    private static var type: String { getenv("TERM").map { String(cString: $0) } ?? "" }

    private var hasInput: Bool {
        var count: Int32 = 0
        return ioctl(input, UInt(FIONREAD), &count) == 0 && count > 0
    }

    private func event(for notice: SignalQueue.Notice) -> Event {
        switch notice {
        case .termination(let signal): return .termination(signal: signal)
        case .stopRequested: return .suspendRequest
        case .windowChanged:
            updateSize()
            return .resize
        case .continued:
            if signals.isTerminationRequested { return .resize }
            guard isInForeground else { return .suspendRequest }
            // Somebody else had the terminal meanwhile.
            Self.set(programModes)
            output.write(takingSequence)
            isCursorShown = false
            repaint()
            updateSize()
            return .resize
        }
    }

    /// Whether the terminal is this process's to use. One that does not control the process has no groups.
    private var isInForeground: Bool {
        let group = tcgetpgrp(STDOUT_FILENO)
        return group <= 0 || group == getpgrp()
    }

    private func updateSize() {
        var window = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0 else { return }
        // ncurses cannot have a window of nothing.
        resizeterm(max(1, Int32(window.ws_row)), max(1, Int32(window.ws_col)))
        size = Size(rows: Int(getmaxy(cn_stdscr())), columns: Int(getmaxx(cn_stdscr())))
        shown = nil
    }

    private func take() {
        isCursorShown = false
        messages = StandardErrorCapture()
        // Goes out with the first screen: the terminal is woken up once.
        output.write(takingSequence)
        let sequence = leavingSequence
        withUnsafePointer(to: originalModes) { modes in
            crash_guard_arm(
                STDOUT_FILENO, sequence, sequence.utf8.count, modes, messages?.captured ?? -1,
                messages?.original ?? STDERR_FILENO)
        }
        isTaken = true
    }

    /// Not with endwin(), which waits for a terminal that is stopped, whatever signals say.
    private func giveBack() {
        guard isTaken else { return }
        isTaken = false
        output.write(leavingSequence)
        if !output.send(watching: signals) { messages?.discard() }
        // In the background they are the shell's, and it is editing its command line.
        if isInForeground { Self.set(originalModes) }
        crash_guard_disarm()
        messages = nil
    }

    /// Keypad on, cursor off, pastes told from keys, and the mouse: its buttons and wheel, its way while a button is
    /// down, in numbers that have no end at column 223.
    private var takingSequence: String {
        if printsLines { return Terminfo.sequence("smkx") + "\u{1B}[?2004h" }
        return Terminfo.sequence("smkx") + Terminfo.sequence("civis") + "\u{1B}[?2004h"
            + (usesMouse ? "\u{1B}[?1002h\u{1B}[?1006h" : "")
    }

    /// What undoes that, with colours and attributes off and the other screen left; where there is none, the cursor is
    /// below what was drawn. A crash sends it too.
    private var leavingSequence: String {
        if printsLines { return "\u{1B}[?2004l" + Terminfo.sequence("rmkx") + "\r" }
        return (usesMouse ? "\u{1B}[?1006l\u{1B}[?1002l" : "") + "\u{1B}[?2004l" + Terminfo.sequence("op")
            + Terminfo.sequence("sgr0")
            + Terminfo.sequence("cup", size.rows - 1, 0) + Terminfo.sequence("cnorm") + Terminfo.sequence("rmkx")
            + Terminfo.sequence("rmcup") + "\r"
    }

    /// The modes that the terminal has now.
    private static var currentModes: termios {
        get throws(TerminalError) {
            var modes = termios()
            guard tcgetattr(STDOUT_FILENO, &modes) == 0 else { throw .system(errno) }
            return modes
        }
    }

    /// At once: not when the terminal has taken all output, which one that is stopped never does.
    private static func set(_ modes: termios) {
        var modes = modes
        tcsetattr(STDOUT_FILENO, TCSANOW, &modes)
    }
}

extension ArraySlice<Cell> {
    /// Behind which of them there are only blanks.
    fileprivate var endOfContent: Index {
        lastIndex { $0 != .blank }.map { $0 + 1 } ?? startIndex
    }
}
