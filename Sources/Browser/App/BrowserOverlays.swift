internal import TerminalUI

/// What covers the panes, or a part of them: help, the palette, the columns.
extension Browser {
    /// What covers them now; nil where nothing does.
    var overlay: Overlay? { overlays.last }

    /// The picker that has the keyboard, if any.
    var picker: (any Picker)? {
        switch overlay {
        case .palette: palette
        case .shelves: shelfPicker
        case .help, .facets, .statistics, .columns, .history, nil: nil
        }
    }

    /// A line in which keys type text.
    enum TypedLine {
        case search, help, picker, prompt
    }

    /// The line in which the reader types; nil where keys give commands.
    var typedLine: TypedLine? {
        if prompt != nil { return .prompt }
        return switch overlay {
        case .palette, .shelves: .picker
        case .help: helpEditor == nil ? nil : .help
        case .facets, .statistics, .columns, .history: nil
        case nil: editor == nil ? nil : .search
        }
    }

    /// What a key does in a line in which the reader types.
    func react(to key: Key, in line: TypedLine) -> Reaction {
        switch line {
        case .search: return reactInSearchBar(to: key)
        case .help: return reactInHelpLine(to: key)
        case .picker: return reactInPicker(to: key)
        case .prompt: return reactInPrompt(to: key)
        }
    }

    /// Types what was pasted, where the reader types; else it is nothing: pasted text is never taken for commands.
    func paste(_ text: String) {
        switch typedLine {
        case .search: pasteIntoSearchBar(text)
        case .help:
            helpEditor?.insert(text)
            lookForHelp(helpEditor?.text ?? "")
        case .picker:
            picker?.editor.insert(text)
            picker?.find()
        case .prompt: prompt?.editor.insert(text)
        case nil: break
        }
    }

    /// Closes the topmost.
    func closeOverlay() {
        switch overlays.popLast() {
        case .facets: stopCountingFacets()
        case .statistics: closeStatistics()
        case .columns: rememberPlace()
        case .help: helpEditor = nil
        case .shelves: shelfPicker = nil
        case .palette, .history, nil: break
        }
    }

    /// Closes all.
    func closeOverlays() {
        while overlay != nil { closeOverlay() }
    }

    // MARK: - Help

    /// Shows all commands and their keys, or no longer.
    func toggleHelp() {
        if overlay == .help {
            closeOverlay()
            return
        }
        overlays.append(.help)
        lookForHelp("")
    }

    /// Shows the commands with all words of `text`.
    func lookForHelp(_ text: String) {
        helpQuery = text
        helpView.paragraphs = HelpScreen.paragraphs(of: keys.bindings, matching: text)
        helpView.scrollToTop()
    }

    /// What a command does in help.
    func performInHelp(_ request: KeyInterpreter.Request) {
        if request.command == .search {
            helpEditor = LineEditor(helpQuery)
        } else {
            scroll(helpView, request)
        }
    }

    private func reactInHelpLine(to key: Key) -> Reaction {
        guard var editor = helpEditor else { return .carryOn }
        let outcome = editor.react(to: key)
        helpEditor = editor
        switch outcome {
        case .edited: lookForHelp(editor.text)
        case .moved: break
        case .accepted: helpEditor = nil
        case .cancelled: leaveHelpLine()
        case .notHandled:
            return reactToOtherKey(key) {
                scroll(helpView, $0)
            } interrupting: {
                leaveHelpLine()
            }
        }
        return .carryOn
    }

    private func leaveHelpLine() {
        helpEditor = nil
        lookForHelp("")
    }

    // MARK: - The palette

    /// Shows all commands, to be found by their names.
    func openPalette() {
        overlays.append(.palette)
        palette.reset()
    }

    /// What a key does in what is picked from.
    private func reactInPicker(to key: Key) -> Reaction {
        guard let picker else { return .carryOn }
        switch picker.editor.react(to: key) {
        case .edited: picker.find()
        case .moved: break
        case .accepted: return pick()
        case .cancelled: closeOverlay()
        case .notHandled:
            return reactToOtherKey(key) {
                move(in: picker.table, $0)
            } interrupting: {
                closeOverlay()
            }
        }
        return .carryOn
    }

    /// Takes what is selected.
    func pick() -> Reaction {
        switch overlay {
        case .palette:
            guard let command = palette.selection else { return .carryOn }
            closeOverlay()
            return give(command)
        case .shelves: pickShelf()
        case .help, .facets, .statistics, .columns, .history, nil: break
        }
        return .carryOn
    }

    /// Gives a command that was chosen by its name.
    private func give(_ command: Command) -> Reaction {
        guard command.argument != nil else { return perform(.init(command: command)) }
        keys.awaitArgument(of: command)
        isWhichKeyShown = true
        return .carryOn
    }

    /// Movement and what concerns the terminal works while other keys type text, too.
    func reactToOtherKey(
        _ key: Key, moving: (KeyInterpreter.Request) -> Void, interrupting: () -> Void
    ) -> Reaction {
        defer { keys.forget() }
        guard case .request(let request) = keys.interpret(key) else { return .carryOn }
        switch request.command {
        case .down, .up, .pageDown, .pageUp, .top, .end: moving(request)
        case .suspend, .redraw: return perform(request)
        case .interrupt:
            interrupting()
            message = "Press \(keyLabel(of: .interrupt)) again to quit"
        default: break
        }
        return .carryOn
    }

    // MARK: - The columns

    /// Shows all columns, to choose from.
    func openColumnChooser() {
        columnChooser = ColumnChooser(shownColumns)
        overlays.append(.columns)
    }

    /// What a command does among the columns.
    func performAmongColumns(_ request: KeyInterpreter.Request) {
        let count = min(request.count ?? 1, 1000)
        switch request.command {
        case .mark, .open:
            if !columnChooser.toggle() { message = "The list must have a column" }
        case .detailDown: columnChooser.move(by: count)
        case .detailUp: columnChooser.move(by: -count)
        case .narrowPane: columnChooser.resize(by: -count) { shownWidth(of: $0) }
        case .widenPane: columnChooser.resize(by: count) { shownWidth(of: $0) }
        case .columns: closeOverlay()
        default:
            move(in: columnChooser.table, request)
            return
        }
        columns = columnChooser.columns
        columnChooser.table.reloadData()
    }
}
