internal import CNcurses
internal import CSystem
internal import Glibc
public import TerminalUI

/// The terminal that the process was started on, driven by ncurses; only one instance can exist at a time.
///
/// The terminal is restored however the process ends, except by SIGKILL.
public final class NcursesTerminal: Terminal, LineTerminal {
    /// The current size of the terminal.
    public private(set) var size: Size

    private let input: Int32
    private var signals: SignalQueue
    private var output: FrameOutput
    private var keys: KeyDecoder
    private var renderer: CellRenderer
    private var messages: StandardErrorCapture?
    /// The canvas that the terminal shows, if known.
    private var shown: Canvas?
    private let wakeUpDescriptor = WakeUpDescriptor()
    private var pictureState: TerminalPictures
    private let originalModes: termios
    private let programModes: termios
    /// Whether mouse reports are enabled.
    private var usesMouse: Bool
    private let usesColour: Bool
    private var theme: Theme
    private var background: BackgroundQuestion
    /// The events that came while the terminal was left.
    private var early: [Event] = []
    private let printsLines: Bool
    /// Whether the cursor is visible.
    private var isCursorShown = false
    /// Whether the terminal is in program mode, that is set up and not restored since.
    private var isInProgramMode = false

    /// Sets up the terminal of standard output with its keyboard, wherever standard input comes from.
    ///
    /// - Parameters:
    ///   - theme: The mapping from styles to colours and attributes.
    ///   - usesColour: Whether to use colours if the terminal has them; attributes are always used.
    ///   - usesMouse: Whether to enable mouse reports, which turn off the terminal's own text selection.
    ///   - printsLines: Whether to print lines with `print(_:)` instead of showing screens.
    ///   - pictures: Whether to show pictures.
    /// - Throws: `TerminalError`; the terminal is left unchanged.
    public init(
        theme: Theme = .terminal, usesColour: Bool = true, usesMouse: Bool = true, printsLines: Bool = false,
        pictures: PictureWish = .none
    ) throws(TerminalError) {
        let keyboard = try Keyboard()
        input = keyboard.descriptor
        // tcflow() changes nothing here, but stops a background job until it is in the foreground; at this point
        // signals can still end it.
        SignalQueue.unblockTerminations()
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
        keys = KeyDecoder(input)
        // The buffered output switches to the alternate screen, which line output does not use.
        if printsLines { output.discard() }
        nodelay(cn_stdscr(), true)
        set_escdelay(KeyDecoder.timeWithinKey)
        // Never let waiting input interrupt the drawing of a frame.
        typeahead(-1)
        background = BackgroundQuestion(terminal: Self.type)
        self.theme = theme
        renderer = CellRenderer(theme: theme.on(background.answer), usesColour: usesColour)
        self.usesColour = usesColour
        self.usesMouse = usesMouse && !printsLines && cn_capability("kmous") != nil
        self.printsLines = printsLines
        size = Size(rows: Int(getmaxy(cn_stdscr())), columns: Int(getmaxx(cn_stdscr())))
        pictureState = TerminalPictures(
            printsLines ? .none : pictures, terminal: Self.type, depth: renderer.colourDepth, window: Self.window)
        crash_guard_install()
        enterProgramMode()
    }

    /// Restores the terminal and the default handling of signals.
    public func close() {
        leaveProgramMode()
        signals.unblock()
    }

    /// Shows `canvas` by sending only the differences from the previous one; does nothing while the terminal is released,
    /// including after a `suspend` that ended with a termination signal.
    public func show(_ canvas: Canvas, cursor: Position, isTyping: Bool) {
        guard isInProgramMode else { return }
        let previous = shown.flatMap { $0.size == canvas.size ? $0 : nil }
        // On an erased screen trailing blanks need not be drawn, which are often most of the screen.
        if previous == nil { werase(cn_stdscr()) }
        pictureState.screen.begin(canvas, support: pictures)
        let hasPictures = pictureState.screen.isActive
        var changes: [Range<Int>?] = []
        for row in 0..<min(canvas.size.rows, size.rows) {
            let cells = canvas.row(row)
            var changed: Range<Int>? = 0..<canvas.size.columns
            if let previous {
                changed = canvas.changedColumns(ofRow: row, since: previous)
                if hasPictures { changed = Self.join(changed, pictureState.screen.changedColumns(ofRow: row)) }
                if let changed {
                    renderer.draw(cells.part(changed), row: row, column: changed.lowerBound)
                }
            } else {
                renderer.draw(cells[..<cells.endOfContent], row: row, column: 0)
            }
            if !hasPictures { continue }
            changes.append(changed)
            let kinds = pictureState.screen.kinds(ofRow: row)
            if let changed, !kinds.isEmpty {
                renderer.drawPictures(kinds.part(changed), row: row, column: changed.lowerBound)
            }
        }
        shown = canvas
        wmove(cn_stdscr(), Int32(cursor.row), Int32(cursor.column))
        // ncurses does not know the pictures, and must not move them with the text.
        if hasPictures {
            idcok(cn_stdscr(), false)
            // After a resize ncurses would insert and delete lines of the screen.
            if previous == nil { clearok(cn_curscr(), true) }
        }
        let length = output.length
        wrefresh(cn_stdscr())
        if hasPictures {
            // ncurses scrolls regions whatever idlok() says, and with them the pictures, which it does not know.
            let isMoved = output.movesLines(after: length)
            if isMoved { changes = changes.map { _ in 0..<canvas.size.columns } }
            finishPictures(canvas, changes: changes, isWhole: isMoved || previous == nil)
        }
        if isTyping != isCursorShown {
            isCursorShown = isTyping
            output.write(Terminfo.sequence(isTyping ? "cnorm" : "civis"))
        }
        // With the frame, so that the terminal wakes only once.
        if theme.dependsOnBackground && renderer.hasColours { output.write(background.ask()) }
        output.write(pictureState.ask(notifying: wakeUp))
        output.send(watching: signals)
    }

    /// Writes the pictures of a frame, after its text.
    private func finishPictures(_ canvas: Canvas, changes: [Range<Int>?], isWhole: Bool) {
        let ids = pictureState.screen.kitty.ids
        output.write(pictureState.screen.end(canvas, changes: changes, isWhole: isWhole))
        if pictureState.screen.kitty.ids != ids { armCrashGuard() }
    }

    private static func join(_ first: Range<Int>?, _ second: Range<Int>?) -> Range<Int>? {
        guard let first, let second else { return first ?? second }
        return min(first.lowerBound, second.lowerBound)..<max(first.upperBound, second.upperBound)
    }

    /// The way in which the terminal shows pictures now; the event `resize` follows a change.
    public var pictures: PictureSupport { pictureState.support(at: output.speed) }

    /// What the terminal said about its abilities to show pictures, once it has answered, or what tmux said
    /// about its terminal; nil without pictures.
    public var pictureProbe: ProbeResult? { pictureState.result }

    /// Prints a line below the previous ones.
    public func print(_ line: String) {
        guard isInProgramMode else { return }
        output.write(line + "\r\n")
        output.send(watching: signals)
    }

    /// Makes the next `show` redraw the whole screen, with pictures that are sent again: the user may have cleared the
    /// terminal, or attached tmux to another one.
    public func repaint() {
        output.write(pictureState.screen.kitty.deletion)
        pictureState.screen.reset()
        pictureState.askTmuxAgain()
        redraw()
    }

    private func redraw() {
        shown = nil
        clearok(cn_curscr(), true)
    }

    /// Shows the styles as `theme` has them from the next `show` on, which redraws the whole screen.
    public func use(_ theme: Theme) {
        self.theme = theme
        renderer = CellRenderer(theme: theme.on(background.answer), usesColour: usesColour, replacing: renderer)
        redraw()
    }

    /// Enables mouse reports, or leaves the mouse to the terminal.
    public func useMouse(_ isOn: Bool) {
        guard isOn != usesMouse, !printsLines, cn_capability("kmous") != nil else { return }
        leaveProgramMode()
        usesMouse = isOn
        reenterProgramMode()
    }

    /// Restores the terminal and stops the process group; returns once it is continued. If a termination signal arrived
    /// meanwhile, the terminal is not set up again.
    public func suspend() {
        leaveProgramMode()
        while !signals.isTerminationRequested {
            signals.stop()
            if isInForeground { break }
            // The process was continued in the background, so the terminal belongs to another job. Pause before
            // stopping again, since the system does not stop a process group that nobody could continue.
            usleep(100_000)
        }
        if !signals.isTerminationRequested { reenterProgramMode() }
    }

    /// Restores the terminal while `body` runs, and sets it up again afterwards.
    public func withTerminalReleased(_ body: () -> Void) {
        leaveProgramMode()
        body()
        reenterProgramMode()
    }

    private func reenterProgramMode() {
        updateSize()
        Self.set(programModes)
        if !printsLines {
            output.write(Terminfo.sequence("smcup"))
            // Another program may have left a scroll region set.
            output.write(Terminfo.sequence("csr", 0, size.rows - 1))
        }
        enterProgramMode()
        redraw()
    }

    /// Ends the current or next `waitForEvents` with the event `wakeUp`.
    public var wakeUp: @Sendable () -> Void {
        { [wakeUpDescriptor] in wakeUpDescriptor.signal() }
    }

    /// Copies `text` to the clipboard with OSC 52, which most terminals support but none confirms.
    public func copy(_ text: String) -> Bool {
        let isInTmux = getenv("TMUX") != nil
        guard let sequence = Clipboard.sequence(text, terminal: Self.type, isInTmux: isInTmux) else { return false }
        output.write(sequence)
        return output.send(watching: signals)
    }

    /// Waits for input, signals and calls of `wakeUp`.
    public func waitForEvents(milliseconds: Int?) -> [Event] {
        let end = milliseconds.map { MonotonicClock.now + $0 }
        var events = early
        early = []
        while events.isEmpty {
            pictureState.take(keys.takeAnswers(), size: size)
            output.speed.recover(at: MonotonicClock.now)
            if pictureState.hasChanged(at: output.speed) { return [.resize] }
            let timeForAnswers = pictureState.timeLeftForAnswers
            keys.expectsReplies = timeForAnswers != nil
            var descriptors = [
                pollfd(fd: input, events: Int16(POLLIN), revents: 0),
                pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wakeUpDescriptor.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            let timeLeft = end.map { max(0, $0 - MonotonicClock.now) }
            let rest = [timeLeft, timeForAnswers].compactMap(\.self).min().map { Int32(clamping: $0) } ?? -1
            // An incomplete sequence must not swallow all further keys.
            if poll(&descriptors, 3, keys.sequenceTimeLimit >= 0 ? keys.sequenceTimeLimit : rest) == 0 {
                events += keys.endIncompleteSequence()
                if let end, events.isEmpty, MonotonicClock.now >= end { return [.timeOut] }
            }
            if descriptors[1].revents != 0 {
                for notice in signals.takeAll() { events.append(event(for: notice)) }
                // Signals come before keys: reading a key in the background stops the program.
                if !events.isEmpty { break }
            }
            if descriptors[2].revents != 0 {
                wakeUpDescriptor.take()
                events.append(.wakeUp)
            }
            let condition = Int32(descriptors[0].revents)
            if condition & POLLIN != 0 {
                // Reading a key in the background would stop the program, and a blocked signal could not end it then.
                guard isInForeground else {
                    events.append(.suspendRequest)
                    break
                }
                // wgetch() first refreshes a touched window, and a window that was never drawn counts as touched: this
                // would erase the printed lines.
                if printsLines { untouchwin(cn_stdscr()) }
                // Readable without available bytes means end of input. Available bytes may give no event if they are
                // half a character or a paste.
                if hasInput { events += keys.takeAll() } else { events.append(.endOfInput) }
                if let found = keys.background, background.answer != found {
                    background.answer = found
                    use(theme)
                    // The screen is drawn again.
                    events.append(.resize)
                }
            }
            if condition & (POLLHUP | POLLERR | POLLNVAL) != 0 { events.append(.endOfInput) }
        }
        return events
    }

    /// The terminal type for messages.
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
            // Another program had the terminal meanwhile.
            Self.set(programModes)
            output.write(enterSequence)
            isCursorShown = false
            pictureState.screen.reset()
            redraw()
            updateSize()
            return .resize
        }
    }

    /// Whether the process is in the foreground; a terminal that is not the controlling one has no process groups and
    /// counts as foreground.
    private var isInForeground: Bool {
        let group = tcgetpgrp(STDOUT_FILENO)
        return group <= 0 || group == getpgrp()
    }

    /// The size of the window, if the system knows it.
    private static var window: winsize? {
        var window = winsize()
        return ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0 ? window : nil
    }

    private func updateSize() {
        guard let window = Self.window else { return }
        pictureState.resize(window)
        // ncurses does not support windows of zero rows or columns.
        resizeterm(max(1, Int32(window.ws_row)), max(1, Int32(window.ws_col)))
        size = Size(rows: Int(getmaxy(cn_stdscr())), columns: Int(getmaxx(cn_stdscr())))
        // The window may have been smaller in between, and have lost what ncurses believes to be there.
        redraw()
    }

    private func enterProgramMode() {
        isCursorShown = false
        messages = StandardErrorCapture()
        // The sequence is sent with the first screen, so that the terminal wakes only once.
        output.write(enterSequence)
        armCrashGuard()
        isInProgramMode = true
    }

    private func armCrashGuard() {
        let sequence = pictureState.screen.kitty.shortDeletion + exitSequence
        withUnsafePointer(to: originalModes) { modes in
            crash_guard_arm(
                STDOUT_FILENO, sequence, sequence.utf8.count, modes, messages?.captured ?? -1,
                messages?.original ?? STDERR_FILENO)
        }
    }

    /// Restores the terminal; endwin() is not used, since it waits for a stopped terminal regardless of signals.
    private func leaveProgramMode() {
        guard isInProgramMode else { return }
        isInProgramMode = false
        // A reply that comes later would be typed into what runs next.
        let end = MonotonicClock.now + BackgroundQuestion.patience
        while background.isPending(after: keys.background) || pictureState.timeLeftForAnswers != nil,
            MonotonicClock.now < end, isInForeground
        {
            var terminal = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
            guard poll(&terminal, 1, Int32(clamping: end - MonotonicClock.now)) > 0, hasInput else { break }
            early += keys.takeAll()
            pictureState.take(keys.takeAnswers(), size: size)
        }
        output.write(pictureState.screen.kitty.deletion)
        pictureState.screen.reset()
        output.write(exitSequence)
        if !output.send(watching: signals) { messages?.discard() }
        // In the background the modes belong to the shell, which is editing its command line.
        if isInForeground { Self.set(originalModes) }
        crash_guard_disarm()
        messages = nil
    }

    /// The sequence that enables the keypad, bracketed paste and mouse reports (buttons, wheel, drags; SGR mode, which
    /// has no limit of 223 columns) and hides the cursor.
    private var enterSequence: String {
        if printsLines { return Terminfo.sequence("smkx") + "\u{1B}[?2004h" }
        return Terminfo.sequence("smkx") + Terminfo.sequence("civis") + "\u{1B}[?2004h"
            + (usesMouse ? "\u{1B}[?1002h\u{1B}[?1006h" : "")
    }

    /// The sequence that undoes `enterSequence`, resets colours and attributes and leaves the alternate screen, or
    /// moves the cursor to the last row if there is none. The crash guard sends it too.
    private var exitSequence: String {
        if printsLines { return "\u{1B}[?2004l" + Terminfo.sequence("rmkx") + "\r" }
        return (usesMouse ? "\u{1B}[?1006l\u{1B}[?1002l" : "") + "\u{1B}[?2004l" + Terminfo.sequence("op")
            + Terminfo.sequence("sgr0")
            + Terminfo.sequence("cup", size.rows - 1, 0) + Terminfo.sequence("cnorm") + Terminfo.sequence("rmkx")
            + Terminfo.sequence("rmcup") + "\r"
    }

    /// The current modes of the terminal.
    private static var currentModes: termios {
        get throws(TerminalError) {
            var modes = termios()
            guard tcgetattr(STDOUT_FILENO, &modes) == 0 else { throw .system(errno) }
            return modes
        }
    }

    /// Sets the modes immediately: waiting until all output is sent would block forever on a stopped terminal.
    private static func set(_ modes: termios) {
        var modes = modes
        tcsetattr(STDOUT_FILENO, TCSANOW, &modes)
    }
}

extension ArraySlice {
    /// Returns the elements at `offsets` from the start.
    fileprivate func part(_ offsets: Range<Int>) -> ArraySlice {
        self[startIndex + offsets.lowerBound..<startIndex + offsets.upperBound]
    }
}

extension ArraySlice<Cell> {
    /// The index after the last cell that is not blank.
    fileprivate var endOfContent: Index {
        lastIndex { $0 != .blank }.map { $0 + 1 } ?? startIndex
    }
}
