internal import Library
internal import TerminalUI

/// Handling keys, typed text and the mouse.
extension App {
    // MARK: - Text

    /// Types the characters at the beginning of `events` at once, if they are many and all of them are text here: terminals
    /// without bracketed paste send pasted text so.
    ///
    /// - Returns: Whether it has.
    func takeText(_ events: inout ArraySlice<Event>) -> Bool {
        guard events.count >= Self.typedAtOnce, let input = top.textInput, input.takesTextAtOnce else { return false }
        var text = ""
        for event in events {
            guard case .key(.character(let character)) = event else { break }
            text.append(character)
        }
        guard text.unicodeScalars.count >= Self.typedAtOnce else { return false }
        events = events.dropFirst(text.unicodeScalars.count)
        isInterrupted = false
        session.status.keep()
        session.confirming {
            session.status.clear()
            input.editor.type(text)
            input.edited(self)
        }
        notifyScreens()
        return true
    }

    /// Nobody types so many characters while one is drawn.
    private static let typedAtOnce = 16

    // MARK: - Keys

    func react(to key: Key) -> Effect {
        // Whatever has disturbed the screen, it is drawn again at once, also while keys or a text are typed.
        if !key.isCharacter, case .command(.redraw) = keys.bindings.match([key], in: front.context) { return .repaint }
        session.status.clear()
        session.status.offer = nil
        defer { if !keys.isAwaitingMore { isWhichKeyShown = false } }
        let wasInterrupted = isInterrupted
        isInterrupted = false
        let screen = top
        if !(wasInterrupted && key == .control("c")), let effect = screen.type(key, self) {
            isInterrupted = key == .control("c") && screen.textInput != nil
            return effect
        }
        let mayGoForward = session.history.resetHasJustMoved()
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
            if screen === main, main.moveInGrid(key, request) { return .none }
            isInterrupted = request.command == .interrupt
            return wasInterrupted && isInterrupted ? .quit(.quit) : perform(request)
        }
    }

    /// Handles a key with Alt: it edits a line by word, or is Esc and the key, as terminals send it. A key that came with
    /// Esc does no harm: it does nothing on the screen below an input or a question, and neither quits nor deletes.
    func react(toAlt character: Character) -> Effect {
        let key = Key.alt(character)
        if !top.isClosedByClick { return react(to: key) }
        let isInput = top.textInput != nil || top.placement == .question
        if let input = top.textInput, input.editor.handles(key) { return react(to: key) }
        let effect = react(to: .escape)
        guard effect.isNone else { return effect }
        if !isInput, character != "\u{7F}" {
            let typed = Key.character(character)
            let isSafe =
                switch keys.bindings.match([typed], in: front.context) {
                case .command(.quit), .command(.deleteBook): false
                default: true
                }
            if isSafe { return react(to: typed) }
        }
        session.status.say(.keyNotBound, key.label, session.keyLabel(of: .help))
        return .none
    }

    /// Returns the command of a single key, for a screen in which keys are text.
    func singleKeyRequest(by key: Key) -> CommandRequest? {
        defer { keys.forget() }
        guard case .request(let request) = keys.interpret(key, in: front.context) else { return nil }
        return request
    }

    /// Waits for the argument of a command that was not started by its keys.
    func awaitArgument(of command: Command) {
        keys.awaitArgument(of: command)
        isWhichKeyShown = true
    }

    // MARK: - Mouse

    func react(to mouse: Mouse) -> Effect {
        if !top.isClosedByClick { return .none }
        if case .press = mouse.action {
            // A click on the box never reaches what is behind it.
            if isWhichKeyShown, let layout = main.layout {
                let box = WhichKey(self).point(at: mouse.position, in: layout.body)
                if box.isInside { return box.key.map { type([$0]) } ?? .none }
            }
            let target = hintBar.target(at: mouse.position, self)
            if case .keys(let keys)? = target, top.keyHints(self) != nil { return type(keys) }
            session.status.clear()
            keys.forget()
            if top.placement == .question { close(top) }
            if top is InputDialog { return .none }
            isWhichKeyShown = false
            switch target {
            case .keys(let keys)?: return type(keys)
            case .command(let command)? where command.info.argument != nil:
                if applies(command) { awaitArgument(of: command) }
                return .none
            case .command(let command)?: return perform(CommandRequest(command: command))
            case nil: break
            }
        }
        for screen in screens.reversed() {
            if case .done(let effect) = screen.point(mouse, self) { return effect }
            if screen.placement.coversWhatIsBelow { break }
        }
        return .none
    }

    /// Types keys that were clicked, and shows at once what can follow them.
    private func type(_ clicked: [Key]) -> Effect {
        var effect = Effect.none
        for key in clicked { effect = react(to: key) }
        isWhichKeyShown = keys.isAwaitingMore
        return effect
    }
}
