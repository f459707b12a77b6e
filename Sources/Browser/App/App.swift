internal import Catalog
internal import Editing
internal import Library
internal import Storage
public import TerminalUI

/// The browser: a stack of screens, and the dispatch of keys and commands to them.
public final class App {
    /// The state that the screens share.
    let session: Session
    /// The screen of the panes, below all others.
    let main: MainScreen
    /// The open screens; the last one has the keyboard.
    private(set) var screens: [any Screen]
    /// The interpreter of keys, with those of an incomplete command.
    var keys: KeyInterpreter
    /// The commands run from the palette, latest first.
    private(set) var recentCommands: [Command] = []
    /// The hint bar.
    let hintBar: HintBar
    /// Whether the keys that can follow are shown.
    var isWhichKeyShown = false
    /// Whether the last key was ^c: another one quits.
    var isInterrupted = false
    /// The last mouse press on a row.
    var lastPress = LastPress()
    /// The theme that the palette shows in place of the one in use.
    var previewedTheme: Theme?
    private var placeSaving = PlaceSaving()
    /// What to do after the first screen, if there is something.
    private var firstAct: ((App) -> Effect)?
    /// The events that were read but not handled: those before the start, and at the end those after the last one.
    public private(set) var unhandledEvents: [Event]

    /// Creates the screens of `session` at the last position in its catalog, or as `start` says.
    public init(_ session: Session, start: Start = Start()) {
        self.session = session
        main = MainScreen(session)
        screens = [main]
        keys = KeyInterpreter(session.bindings)
        hintBar = HintBar(session)
        unhandledEvents = start.events
        main.begin(start, self)
        if let next = start.next?.continuation {
            session.books.selectBooks(with: next.selected)
            firstAct = { $0.perform(next.request) }
        } else if !start.offered.isEmpty {
            firstAct = { app in
                app.push(CatalogPicker(app.session, offering: start.offered))
                return .none
            }
        }
        notifyScreens()
    }

    // MARK: - Event loop

    /// Shows the screens on `terminal` and handles its events until the user quits, a signal arrives or the terminal
    /// closes.
    public func run(on terminal: any Terminal) -> Ending {
        return run(on: terminal) { canvas, cursor in
            terminal.show(canvas, cursor: cursor, isTyping: isTyping)
        } size: {
            terminal.size
        } repaint: {
            terminal.repaint()
        } adapt: { change in
            change(terminal)
        } pictures: {
            terminal.pictures
        }
    }

    /// Prints the screens on `terminal` line by line, for screen readers and Braille displays: without panes and
    /// without redrawing.
    public func run(on terminal: any LineTerminal) -> Ending {
        var output = ScreenReaderOutput()
        // The drawing is discarded, but it lays out the panes, and commands that count rows depend on their frames.
        return run(on: terminal) { _, _ in
            output.lines(of: self).forEach { terminal.print($0) }
        } size: {
            ScreenReaderOutput.windowSize
        } repaint: {
            output = ScreenReaderOutput()
        } adapt: { _ in
        } pictures: {
            .none
        }
    }

    private func run(
        on source: any EventSource, show: (Canvas, Position) -> Void, size: () -> Size,
        repaint: () -> Void, adapt: ((any Terminal) -> Void) -> Void, pictures: () -> PictureSupport
    ) -> Ending {
        session.connect(to: source)
        /// Applies an effect to the terminal, and returns the reason to end if it is one.
        func apply(_ effect: Effect) -> Ending? {
            switch effect {
            case .none: break
            case .repaint: repaint()
            case .adapt(let change): adapt(change)
            case .suspend: source.suspend()
            case .releaseTerminal(let body):
                session.confirming { source.withTerminalReleased(body) }
                notifyScreens()
            case .quit(let ending):
                leave(for: ending) {
                    let (canvas, cursor) = draw(size: size())
                    show(canvas, cursor)
                }
                return ending
            }
            return nil
        }
        var isFirst = true
        while true {
            update()
            session.covers.support = pictures()
            let (canvas, cursor) = draw(size: size())
            show(canvas, cursor)
            if isFirst { session.startBackgroundWork() }
            isFirst = false
            if let effect = performFirstAct() {
                if let ending = apply(effect) { return ending }
                continue
            }
            let work = unhandledEvents.isEmpty ? postponedWork : nil
            let otherLimit = [whichKeyDelay, session.timeToCheck].compactMap(\.self).min()
            let isWorkFirst = work.map { $0.delay <= otherLimit ?? .max } ?? false
            let events =
                unhandledEvents.isEmpty
                ? source.waitForEvents(milliseconds: isWorkFirst ? work?.delay : otherLimit) : unhandledEvents
            unhandledEvents = []
            if isWorkFirst, let work, events == [.timeOut] {
                work.perform()
                continue
            }
            var rest = events[...]
            while let event = rest.first {
                if takeText(&rest) { continue }
                rest = rest.dropFirst()
                guard let ending = apply(handle(event)) else { continue }
                unhandledEvents += rest
                return ending
            }
        }
    }

    /// Does once what the browser starts with.
    private func performFirstAct() -> Effect? {
        guard let act = firstAct else { return nil }
        firstAct = nil
        session.status.keep()
        defer { notifyScreens() }
        return session.confirming { act(self) }
    }

    /// Completes and saves the changes that the user made before the end, and saves the current position.
    ///
    /// - Parameter showStatus: Shows the status line before a wait.
    private func leave(for ending: Ending, showing showStatus: () -> Void) {
        let start = ContinuousClock.now
        let limit = session.settings.timeBudget ?? Self.unnoticedWait
        var isNoticed = false
        func notice() {
            if isNoticed || start.duration(to: .now) < .milliseconds(limit) { return }
            isNoticed = true
            session.status.say(.savingChanges)
            showStatus()
        }
        if !session.hasEndedChanges(within: limit) { notice() }
        session.covers.end()
        session.finishBulkChange()
        session.finishSave()
        session.finishSavingUserData()
        savePlace()
        // A copy begins where its original is.
        if case .open(let next) = ending, next.isCopy {
            session.remember(main.place, arranged: main.arrangement, in: next.path)
        }
        if case .open = ending { return }
        session.finishFiles(noticing: notice)
    }

    /// The time that the end may take without a message, in milliseconds.
    private static let unnoticedWait = 100

    /// The work to do once no event has come for `delay` milliseconds, because keys are answered first.
    private var postponedWork: (delay: Int, perform: () -> Void)? {
        if keys.isAwaitingMore { return nil }
        if session.covers.hasWishes {
            return (CoverShelf.delay, { [self] in session.loadCovers(inCard: main.detail.coverSize) })
        }
        // Collecting the names of a large catalog keeps a processor busy that a held key needs.
        if session.library.needsNamesOfBooks {
            return (200, { [session] in session.library.collectNamesOfBooks(notifying: session.wake) })
        }
        return placeSaving.delay.map { delay in (delay, { [self] in savePlaceAfterPause() }) }
    }

    /// The time without a key after which the keys that can follow are shown, in milliseconds.
    private var whichKeyDelay: Int? { keys.isAwaitingMore && !isWhichKeyShown ? 300 : nil }

    /// Updates the list for the current request, as far as that takes less than a frame.
    func update() {
        session.books.advance()
        notifyScreens()
    }

    /// Shows the changes of the session on all screens.
    func notifyScreens() {
        // A screen that handles changes may cause others.
        while case let changes = session.takeChanges(), !changes.isEmpty {
            for screen in screens { screen.sessionChanged(changes, self) }
        }
        askNextQuestion()
    }

    /// Saves the current position.
    ///
    /// - Parameter isInPause: Whether this does not wait for the disk.
    func savePlace(isInPause: Bool = false) {
        // A position that is still being restored is not replaced, unless the user went elsewhere.
        if main.focus != .lists && session.books.pendingJump?.isRemembered == true { return }
        let (place, arrangement) = (main.place, main.arrangement)
        placeSaving.saved = (place, arrangement)
        session.remember(place, arranged: arrangement, isInPause: isInPause)
    }

    /// Saves the current position if it is another one, since the program may be killed.
    private func savePlaceAfterPause() {
        placeSaving.lastKey = nil
        if let saved = placeSaving.saved, saved == (main.place, main.arrangement) { return }
        savePlace(isInPause: true)
    }

    // MARK: - Events

    /// Handles an event.
    func handle(_ event: Event) -> Effect {
        session.status.keep()
        let effect = session.confirming { react(to: event) }
        notifyScreens()
        return effect.isNone ? endPreview() : effect
    }

    /// Shows the theme in use again, if another one is shown and the palette was closed, however it was.
    private func endPreview() -> Effect {
        guard let shown = previewedTheme, !(top is CommandPalette) else { return .none }
        previewedTheme = nil
        let used = session.settings.theme
        return shown == used ? .none : .adapt { $0.use(used) }
    }

    private func react(to event: Event) -> Effect {
        switch event {
        case .key, .mouse, .paste: placeSaving.lastKey = .now
        default: break
        }
        switch event {
        case .key(.alt(let character)): return noticingChange(react(toAlt: character))
        case .key(let key): return noticingChange(react(to: key))
        case .mouse(let mouse): return noticingChange(react(to: mouse))
        // Pasted text is never interpreted as keys.
        case .paste(let text):
            if let opening = top as? OpeningProgress {
                opening.keep(event, self)
            } else if let input = top.textInput {
                input.pasted(text, self)
                if !text.dropFirst(LineEditor.maximumPaste).isEmpty {
                    session.status.say(.pasteCut, String(LineEditor.maximumPaste))
                }
            }
        case .timeOut:
            isWhichKeyShown = keys.isAwaitingMore
            // A server may be due.
            if session.library.store.mirrored != nil { session.receive() }
        case .wakeUp:
            session.receive()
            return top.awaited(self)
        case .resize: break
        case .suspendRequest: return .suspend
        case .termination(let signal): return .quit(.signal(signal))
        case .endOfInput: return .quit(.terminalGone)
        }
        return .none
    }

    /// Nothing signals changes made on other machines; checking for them takes a microsecond.
    private func noticingChange(_ effect: Effect) -> Effect {
        if effect.isNone { session.noticeChange() }
        return effect
    }

    /// Keeps events that were typed for the catalog that is opened next.
    func putBack(_ events: [Event]) { unhandledEvents = events + unhandledEvents }

    // MARK: - Commands

    /// Performs a command, if it applies here.
    ///
    /// - Returns: The effect on the terminal.
    func perform(_ request: CommandRequest) -> Effect {
        if !applies(request.command) { return .none }
        if !request.command.info.keepsJump { session.cancelJump(keepingSearch: request.command == .cancel) }
        if case .done(let effect) = respond(to: request) { return effect }
        return .none
    }

    /// Returns whether a command applies to the front screen, and shows a message if not.
    func applies(_ command: Command) -> Bool {
        if command.info.contexts.contains(front.context) { return true }
        session.status.say(.commandUnavailable, command.info.title)
        return false
    }

    /// Lets the screens perform a command, from the top down, or else performs it itself.
    ///
    /// - Parameter use: Whether it changes selected books that are not listed, if that was asked.
    func respond(to request: CommandRequest, _ use: RowSelection.Use? = nil) -> Response {
        let info = request.command.info
        guard info.contexts.contains(front.context) else { return .ignored }
        if let needed = info.needs, !session.has(needed) {
            session.sayMissing(needed)
            return .done
        }
        if info.changes != nil, !session.awaitBulkChange() {
            session.sayBusy()
            return .done
        }
        if info.needs == .editing, offersCopy(insteadOf: request) { return .done }
        if top === main, use == nil, asksAboutUnlisted(request) { return .done }
        if top === main, session.books.rows.selection.use != use ?? .unasked {
            session.books.rows.selection.use = use ?? .unasked
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

    /// Shows which key quits, after something was cancelled.
    func sayHowToQuit() { session.status.say(.interruptAgain, session.keyLabel(of: .interrupt)) }

    /// Adds `command` to those run from the palette.
    func addRecent(_ command: Command) {
        recentCommands.removeAll { $0 == command }
        recentCommands.insert(command, at: 0)
    }

    // MARK: - Screens

    /// The screen that has the keyboard.
    var top: any Screen { screens.last ?? main }

    /// The front screen: the one that has the keyboard, or the one below its question.
    var front: any Screen { screens.last { $0.placement != .question } ?? main }

    /// Whether keys are text.
    var isTyping: Bool { top.textInput != nil }

    /// The visible screens, from the topmost one that fills the body.
    var visibleScreens: ArraySlice<any Screen> { screens[(screens.lastIndex { $0.placement == .body } ?? 0)...] }

    /// Opens a screen above the others.
    func push(_ screen: any Screen) { screens.append(screen) }

    /// Opens the screen of a command, or closes it if it is open.
    private func open(_ opener: ScreenOpener) {
        if top.context == opener.context { return closeTop() }
        if let screen = opener.make(self) { push(screen) }
    }

    /// Closes a screen and all above it.
    func close(_ screen: any Screen) {
        guard let index = screens.firstIndex(where: { $0 === screen }), index > 0 else { return }
        while screens.count > index { closeTop() }
    }

    /// Closes all screens above the panes.
    func closeAll() {
        while screens.count > 1 { closeTop() }
    }

    private func closeTop() {
        guard screens.count > 1 else { return }
        screens.removeLast().closed(self)
        if screens.count == 1 { session.questions.endAsking() }
    }
}

/// The position that was saved, and the time of the last key, after which it is saved again.
private struct PlaceSaving {
    var saved: (Preferences.Place, Preferences.Arrangement)?
    /// Nil once the position was saved.
    var lastKey: ContinuousClock.Instant?

    /// The pause after which the position is saved.
    private static let pause = Duration.seconds(1)

    /// The rest of the pause in milliseconds; nil if nothing is to be saved.
    var delay: Int? {
        lastKey.map { key in
            let rest = key.advanced(by: Self.pause) - .now
            return max(0, Int(rest / .milliseconds(1)))
        }
    }
}
