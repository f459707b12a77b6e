internal import Catalog
internal import Library
internal import Storage
public import TerminalUI

/// The program as the reader sees it: the screens, one above the other, and what keys do.
public final class App {
    /// What the screens share.
    let session: Session
    /// The panes, below all other screens.
    let main: MainScreen
    /// The screens, the one that has the keyboard last.
    private(set) var screens: [any Screen]
    /// What was typed that has not come to a command yet.
    private(set) var keys: KeyInterpreter
    /// The commands that were run from the palette, the last one first.
    private(set) var recentCommands: [Command] = []
    /// The hint bar.
    let hintBar: HintBar
    /// Whether the keys that may follow are shown.
    private(set) var isWhichKeyShown = false
    /// Whether the last key was ^c: the next one quits.
    private var isInterrupted = false
    /// The row that was pressed last with the mouse.
    var lastPress = LastPress()

    /// Why the browser ended.
    public enum Ending: Hashable, Sendable {
        /// The reader left.
        case quit
        /// The process was asked to end by this signal.
        case signal(Int32)
        /// The terminal is gone.
        case terminalGone
    }

    /// The screens of `session`, where the reader left its catalog, or where `start` says.
    public init(_ session: Session, start: Start = Start()) {
        self.session = session
        main = MainScreen(session)
        screens = [main]
        keys = KeyInterpreter(session.bindings)
        hintBar = HintBar(session)
        main.begin(start, self)
        tellScreens()
    }

    // MARK: - The loop

    /// Shows screens on `terminal` and acts on what happens there, until the reader leaves or the terminal does.
    public func run(on terminal: any Terminal) -> Ending {
        run(on: terminal) { canvas, cursor in
            terminal.show(canvas, cursor: cursor, isTyping: isTyping)
        } size: {
            terminal.size
        } repaint: {
            terminal.repaint()
        }
    }

    /// Tells `terminal` line by line what would be on the screen, for screen readers and Braille displays: there are no
    /// panes, and nothing is drawn anew.
    public func run(on terminal: any LineTerminal) -> Ending {
        var output = ScreenReaderOutput()
        // Nobody sees the screen, but it places the panes, by whose rows commands count.
        return run(on: terminal) { _, _ in
            output.lines(of: self).forEach { terminal.print($0) }
        } size: {
            ScreenReaderOutput.windowSize
        } repaint: {
            output = ScreenReaderOutput()
        }
    }

    private func run(
        on source: any EventSource, show: (Canvas, Position) -> Void, size: () -> Size, repaint: () -> Void
    ) -> Ending {
        session.connect(to: source)
        var isFirst = true
        while true {
            update()
            let (canvas, cursor) = draw(size: size())
            show(canvas, cursor)
            if isFirst { session.startBackgroundWork() }
            isFirst = false
            let patience = [patienceForKeys, session.timeToCheck].compactMap(\.self).min()
            for event in source.waitForEvents(milliseconds: patience) {
                switch handle(event) {
                case .none: continue
                case .repaint: repaint()
                case .suspend: source.suspend()
                case .releaseTerminal(let body):
                    source.withTerminalReleased(body)
                    tellScreens()
                case .quit(let ending):
                    // What the reader asked for is not lost because they quit.
                    session.finishBulkChange()
                    session.finishSave()
                    savePlace()
                    return ending
                }
            }
        }
    }

    /// How long the reader may think about the next key of several before they are shown what it can be; in milliseconds.
    private var patienceForKeys: Int? { keys.isAwaitingMore && !isWhichKeyShown ? 300 : nil }

    /// Brings the list up to what was asked for, as far as that takes less than a frame.
    func update() {
        session.books.advance()
        tellScreens()
    }

    private func tellScreens() {
        // What a screen does about changes may be another.
        while case let changes = session.takeChanges(), !changes.isEmpty {
            for screen in screens { screen.sessionChanged(changes, self) }
        }
    }

    /// Remembers where the reader is.
    func savePlace() {
        // The reader has not come to the place yet, and has not gone elsewhere.
        if main.focus != .lists && session.books.pendingJump?.isRemembered == true { return }
        session.remember(main.place, arranged: main.arrangement)
    }

    // MARK: - Events

    /// Acts on an event.
    func handle(_ event: Event) -> Effect {
        session.status.keep()
        let effect = react(to: event)
        tellScreens()
        return effect
    }

    private func react(to event: Event) -> Effect {
        switch event {
        case .key(let key): return noticingChange(react(to: key))
        case .mouse(let mouse): return noticingChange(react(to: mouse))
        // Pasted text is never taken for keys.
        case .paste(let text):
            if let input = top as? any TextInput { input.pasted(text, self) }
        case .timeOut:
            isWhichKeyShown = keys.isAwaitingMore
            // A server may be due.
            if session.library.store.mirrored != nil { session.receive() }
        case .wakeUp: session.receive()
        case .resize: break
        case .suspendRequest: return .suspend
        case .termination(let signal): return .quit(.signal(signal))
        case .endOfInput: return .quit(.terminalGone)
        }
        return .none
    }

    /// Of changes that other machines make nobody tells; to ask takes a microsecond.
    private func noticingChange(_ effect: Effect) -> Effect {
        if effect.isNone { session.noticeChange() }
        return effect
    }

    private func react(to key: Key) -> Effect {
        session.status.clear()
        session.status.offersUndo = false
        defer { if !keys.isAwaitingMore { isWhichKeyShown = false } }
        let wasInterrupted = isInterrupted
        isInterrupted = false
        let screen = top
        if !(wasInterrupted && key == .control("c")), let effect = screen.type(key, self) {
            isInterrupted = key == .control("c") && screen is any TextInput
            return effect
        }
        let mayGoForward = session.history.forgetHavingGone()
        if mayGoForward && key == .tab { return perform(CommandRequest(command: .forward)) }
        switch keys.interpret(key, in: front.context) {
        case .nothing: return .none
        case .unbound(let keys):
            session.status.say(.keyNotBound, keys, session.keyLabel(of: .help))
            return .none
        case .unavailable(let keys):
            session.status.say(.keyNotBoundHere, keys, session.keyLabel(of: .help))
            return .none
        case .request(let request):
            isInterrupted = request.command == .interrupt
            return wasInterrupted && isInterrupted ? .quit(.quit) : perform(request)
        }
    }

    private func react(to mouse: Mouse) -> Effect {
        if case .press = mouse.action {
            let hint = front.placement == .line ? nil : hintBar.command(at: mouse.position, self)
            session.status.clear()
            keys.forget()
            if top.placement == .question { close(top) }
            if top is InputDialog { return .none }
            isWhichKeyShown = false
            if let hint { return perform(CommandRequest(command: hint)) }
        }
        for screen in screens.reversed() {
            if case .done(let effect) = screen.point(mouse, self) { return effect }
            if screen.placement.coversWhatIsBelow { break }
        }
        return .none
    }

    // MARK: - Commands

    /// Does what was asked for, if it applies here.
    ///
    /// - Returns: What the terminal has to do.
    func perform(_ request: CommandRequest) -> Effect {
        if !applies(request.command) { return .none }
        if request.command.cancelsJump { session.cancelJump(keepingSearch: request.command == .cancel) }
        if case .done(let effect) = respond(to: request) { return effect }
        return .none
    }

    /// Returns whether a command applies to the screen in front, and reports it if not.
    func applies(_ command: Command) -> Bool {
        if command.info.contexts.contains(front.context) { return true }
        session.status.say(.commandUnavailable, command.info.title)
        return false
    }

    /// Does what was asked for, by the screens from the top down, or else by the app.
    func respond(to request: CommandRequest) -> Response {
        let info = request.command.info
        guard info.contexts.contains(front.context) else { return .ignored }
        if let needed = info.needs, !session.has(needed) {
            session.status.say(needed.missingMessage)
            return .done
        }
        if session.bulkChange != nil, request.command.changesUserData {
            session.sayBusy()
            return .done
        }
        for screen in screens.reversed() {
            if case .done(let effect) = screen.perform(request, self) { return .done(effect) }
            if screen.placement.coversWhatIsBelow { break }
        }
        return respondGlobally(to: request, info)
    }

    private func respondGlobally(to request: CommandRequest, _ info: CommandInfo) -> Response {
        if let opener = info.opens {
            open(opener)
            return .done
        }
        switch request.command {
        case .redraw: return .done(.repaint)
        case .suspend: return .done(.suspend)
        case .interrupt:
            _ = respond(to: CommandRequest(command: .cancel))
            sayHowToQuit()
        case .cancel, .back: closeTop()
        case .quit:
            if screens.count == 1 { return .done(.quit(.quit)) }
            closeTop()
        case .lists:
            closeAll()
            main.goToLists(self)
        case .undo: session.undo()
        case .redo: session.redo()
        case .newShelf: push(InputDialog(.newShelf))
        case .reload: reload()
        default: return .ignored
        }
        return .done
    }

    /// Reads the catalog again; asks first if far fewer books would take the place of those that are shown.
    private func reload() {
        let store = session.library.store
        if let mirrored = store.mirrored, let question = mirrored.passwordQuestion {
            return push(PasswordDialog(question, for: mirrored))
        }
        guard let smaller = store.mirrored?.smallerSource else { return session.reload() }
        let question = Message.replaceBySmaller.text(store.name, smaller.rows.of("row"), smaller.before.grouped)
        let verbs = ("show \(smaller.rows.of("row"))", "keep \(smaller.before.of("row"))")
        push(
            ConfirmDialog(question, below: top, self, verbs: verbs) { isConfirmed, app in
                if isConfirmed { app.session.reload() } else { app.session.status.say(.largerCopyKept, store.name) }
            })
    }

    /// Says what quits, after what was going on was cancelled.
    func sayHowToQuit() { session.status.say(.interruptAgain, session.keyLabel(of: .interrupt)) }

    /// Notes that `command` was run from the palette.
    func noteRecent(_ command: Command) {
        recentCommands.removeAll { $0 == command }
        recentCommands.insert(command, at: 0)
    }

    /// What `key` alone asks for, where other keys type text.
    func requestAtOnce(by key: Key) -> CommandRequest? {
        defer { keys.forget() }
        guard case .request(let request) = keys.interpret(key, in: front.context) else { return nil }
        return request
    }

    /// Forgets the keys that were typed so far.
    func forgetKeys() { keys.forget() }

    /// Waits for what must be typed behind a command that was given without keys.
    func awaitArgument(of command: Command) {
        keys.awaitArgument(of: command)
        isWhichKeyShown = true
    }

    // MARK: - Screens

    /// The screen that has the keyboard.
    var top: any Screen { screens.last ?? main }

    /// The screen in front: the one that has the keyboard, or the one that it asks a question about.
    var front: any Screen { screens.last { $0.placement != .question } ?? main }

    /// Whether keys type text.
    var isTyping: Bool { top is any TextInput }

    /// The screens that are seen, from the one that has the body.
    var visibleScreens: ArraySlice<any Screen> { screens[(screens.lastIndex { $0.placement == .body } ?? 0)...] }

    /// Opens a screen over the others.
    func push(_ screen: any Screen) { screens.append(screen) }

    /// Opens the screen of a command, or closes it.
    private func open(_ opener: ScreenOpener) {
        if top.context == opener.context { return closeTop() }
        if let screen = opener.make(self) { push(screen) }
    }

    /// Closes a screen and all above it.
    func close(_ screen: any Screen) {
        guard let index = screens.firstIndex(where: { $0 === screen }), index > 0 else { return }
        while screens.count > index { closeTop() }
    }

    /// Closes all but the panes.
    func closeAll() {
        while screens.count > 1 { closeTop() }
    }

    private func closeTop() {
        guard screens.count > 1 else { return }
        screens.removeLast().closed(self)
    }
}
