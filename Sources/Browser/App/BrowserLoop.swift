internal import Catalog
internal import Library
internal import Shelves
public import TerminalUI

/// From an event to a change of state, until the reader leaves.
extension Browser {
    /// Shows screens on `terminal` and acts on what happens there, until the reader leaves or the terminal does.
    public func run(on terminal: any Terminal) -> Ending {
        connect(to: terminal)
        var isFirst = true
        while true {
            settleListing()
            terminal.show(draw(size: terminal.size), cursor: cursor, isTyping: typedLine != nil)
            if isFirst { startBackgroundWork() }
            isFirst = false
            let ending = react(toEventsOf: terminal) { terminal.repaint() }
            if let ending { return ending }
        }
    }

    /// Tells `terminal` line by line what would be on the screen, for screen readers and Braille displays: there are no
    /// panes, and nothing is drawn anew.
    public func run(on terminal: any LineTerminal) -> Ending {
        connect(to: terminal)
        var narration = ScreenReaderOutput()
        var isFirst = true
        while true {
            settleListing()
            // Nobody sees it, but it places the panes, by whose rows commands count.
            _ = draw(size: ScreenReaderOutput.windowSize)
            narration.lines(of: self).forEach { terminal.print($0) }
            if isFirst { startBackgroundWork() }
            isFirst = false
            let ending = react(toEventsOf: terminal) { narration = ScreenReaderOutput() }
            if let ending { return ending }
        }
    }

    private func connect(to source: any EventSource) {
        notify = source.wakeUp
        // The list was made before there was anybody to tell.
        listing.notify = notify
        clipboard = { [weak source] in source?.copy($0) ?? false }
    }

    /// Acts on what happens next.
    ///
    /// - Parameter repaint: Draws everything anew.
    /// - Returns: Why the browser ended; nil where it goes on.
    private func react(toEventsOf source: any EventSource, repaint: () -> Void) -> Ending? {
        for event in source.waitForEvents(milliseconds: patienceForKeys) {
            switch react(to: event) {
            case .carryOn: continue
            case .repaint: repaint()
            case .suspend: source.suspend()
            case .releaseTerminal(let body): source.withTerminalReleased(body)
            case .end(let ending):
                rememberPlace()
                return ending
            }
        }
        return nil
    }

    /// Starts what the first screen does not wait for.
    private func startBackgroundWork() {
        library.store.startLoading(notifying: notify)
        library.loadShelves(notifying: notify)
        library.startLocatingMarks(notifying: notify)
        library.countQueries(notifying: notify)
    }

    /// How long the reader may think about the next key of several before they are shown what it can be; in milliseconds.
    private var patienceForKeys: Int? { keys.isAwaitingMore && !isWhichKeyShown ? 300 : nil }

    /// What could not be saved, and why, after the browser ended; what can be saved still is. Nil where all is.
    public func problemAtTheEnd() -> String? {
        do {
            try library.shelves.save()
            let isLarge = library.shelves.marks.count > 10_000
            // Without it the next start only takes longer.
            if library.shelves.newLineCount > (isLarge ? 1000 : 0) { try? library.shelves.saveSnapshot() }
            return placeProblem
        } catch {
            let changes = "your last changes are lost: \(error.savingSentence)"
            return placeProblem.map { changes + "; " + $0 } ?? changes
        }
    }

    /// Acts on an event.
    func react(to event: Event) -> Reaction {
        switch event {
        case .key(let key):
            let reaction = react(to: key)
            // Of changes that other machines make nobody tells; to ask takes a microsecond.
            if reaction.isNothing { noticeChange() }
            return reaction
        case .resize: return .carryOn
        case .timeOut:
            isWhichKeyShown = keys.isAwaitingMore
            return .carryOn
        case .mouse(let mouse):
            let reaction = react(to: mouse)
            if reaction.isNothing { noticeChange() }
            return reaction
        // Pasted text is never taken for keys.
        case .paste(let text):
            paste(text)
            return .carryOn
        case .wakeUp:
            receive()
            takeInListing()
            takeInFacets()
            takeInStatistics()
            takeInShelves()
            takeInCounts()
            noticeChange()
            return .carryOn
        case .suspendRequest: return .suspend
        case .termination(let signal): return .end(.signal(signal))
        case .endOfInput: return .end(.terminalGone)
        }
    }

    /// Says that the catalog was changed on the disk, or reads it again; shows what another stacks changed.
    private func noticeChange() {
        takeInChangesOfOthers()
        let wasChanged = isChanged
        isChanged = library.store.isChanged
        guard isChanged else { return }
        if follows {
            reload()
        } else if !wasChanged {
            message = "The catalog was changed on disk: \(keyLabel(of: .reload)) reads it again"
        }
    }

    private func react(to key: Key) -> Reaction {
        message = ""
        offersUndo = false
        defer { if !keys.isAwaitingMore { isWhichKeyShown = false } }
        let wasInterrupted = isInterrupted
        isInterrupted = false
        if let listToDelete {
            answerToDelete(listToDelete, with: key)
            return .carryOn
        }
        if let line = typedLine, !(wasInterrupted && key == .control("c")) {
            isInterrupted = key == .control("c")
            return react(to: key, in: line)
        }
        let mayGoForward = hasJustGoneBack
        hasJustGoneBack = false
        if mayGoForward && key == .tab {
            goForward()
            return .carryOn
        }
        switch keys.interpret(key) {
        case .nothing: return .carryOn
        case .unbound(let keys):
            message = "No command has the key \(keys): \(keyLabel(of: .help)) shows all"
            return .carryOn
        case .request(let request):
            isInterrupted = request.command == .interrupt
            return wasInterrupted && isInterrupted ? .end(.quit) : perform(request)
        }
    }
}
