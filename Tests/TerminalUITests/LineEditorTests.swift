import TestSupport
import Testing

@testable import Graphemes
@testable import TerminalUI

@Suite("Line editor") struct LineEditorTests {
    init() { useUTF8Locale() }

    /// Returns a line editor after these keys: names of keys, or characters.
    private func editor(_ text: String = "", _ keys: String, history: [String] = []) -> LineEditor {
        var editor = LineEditor(text, history: history)
        for name in keys.split(separator: " ") { _ = editor.react(to: Self.key(String(name))) }
        return editor
    }

    private static func key(_ name: String) -> Key {
        switch name {
        case "←": .left
        case "→": .right
        case "↑": .up
        case "↓": .down
        case "Alt-Backspace": .alt("\u{7F}")
        case _ where name.hasPrefix("Alt-"): .alt(name.last ?? " ")
        default: Key(name: name) ?? .unknown
        }
    }

    /// Returns the text with "|" at the cursor.
    private func shown(_ editor: LineEditor) -> String {
        editor.text.prefix(editor.cursor) + "|" + editor.text.dropFirst(editor.cursor)
    }

    @Test func aLineStartsWithTheCursorAtItsEnd() {
        #expect(shown(LineEditor()) == "|")
        #expect(shown(LineEditor("stand")) == "stand|")
        #expect(LineEditor("a\nb").text == "a b")
    }

    @Test(arguments: [
        ("", "a b Space 漢", "ab 漢|"), ("ac", "← b", "ab|c"), ("", "Space a Space", " a |"),
        ("abc", "←", "ab|c"), ("abc", "← ← ← ←", "|abc"), ("abc", "←  ← →", "ab|c"), ("abc", "→", "abc|"),
        ("abc", "Home", "|abc"), ("abc", "^a", "|abc"), ("abc", "^a End", "abc|"), ("abc", "^a ^e", "abc|"),
        ("abc", "Backspace", "ab|"), ("abc", "← ^h", "a|c"), ("abc", "^a Backspace", "|abc"), ("", "Backspace", "|"),
        ("abc", "^a Del", "|bc"), ("abc", "← ^d", "ab|"), ("abc", "Del", "abc|"),
        ("one two", "^w", "one |"), ("one two  ", "^w", "one |"), ("one two", "← ^w", "one |o"), ("one", "^w", "|"),
        ("a:\"b c\"", "^w", "a:\"b |"), ("", "^w", "|"), ("  ", "^w", "|"),
        ("one two-three", "Alt-b", "one two-|three"), ("one two-three", "Alt-b Alt-b Alt-b Alt-b", "|one two-three"),
        ("one two", "^a Alt-f", "one| two"), ("one two", "^a Alt-f Alt-f Alt-f", "one two|"),
        ("one two-three", "Alt-Backspace", "one two-|"), ("one two", "^a Alt-d", "| two"),
        ("one two", "^a Alt-d Alt-d", "|"),
        ("漢字 ひらがな", "Alt-b Alt-Backspace", "|ひらがな"), ("", "Alt-b Alt-f Alt-d Alt-Backspace", "|"),
        ("one two", "← ← ^u", "|wo"), ("one two", "← ← ^k", "one t|"), ("one", "^k", "one|"), ("one", "^a ^u", "|one"),
    ])
    func keysEditTheLine(text: String, keys: String, result: String) {
        #expect(shown(editor(text, keys)) == result)
    }

    @Test func charactersAreUserPerceived() {
        // Several scalars each: e with an accent, a flag, a family, a syllable of three letters.
        let text = "e\u{301}\u{1F1EB}\u{1F1F7}\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{1112}\u{1161}\u{11AB}"
        #expect(LineEditor(text).cursor == 4)
        #expect(editor(text, "Backspace").text.unicodeScalars.count == 9)
        #expect(editor(text, "Backspace Backspace").text == "e\u{301}\u{1F1EB}\u{1F1F7}")
        #expect(editor(text, "Home Del").text.unicodeScalars.first == "\u{1F1EB}")
    }

    @Test func aMarkJoinsTheCharacterBeforeIt() {
        var editor = LineEditor("eb")
        _ = editor.react(to: .left)
        #expect(editor.react(to: .character("\u{301}")) == .edited)
        #expect(shown(editor) == "e\u{301}|b")
        #expect(editor.cursor == 1)
        _ = editor.react(to: .backspace)
        #expect(shown(editor) == "|b")
    }

    @Test func theCursorIsNeverWithinACharacter() {
        // Two halves of flags that meet when the text between them is deleted.
        var editor = LineEditor("\u{1F1EB}x\u{1F1F7}y")
        _ = editor.react(to: .home)
        _ = editor.react(to: .right)
        _ = editor.react(to: .delete)
        #expect(shown(editor) == "\u{1F1EB}\u{1F1F7}|y")
    }

    @Test func theResultSaysWhetherTheTextChanged() {
        var editor = LineEditor("ab")
        #expect(editor.react(to: .character("c")) == .edited)
        #expect(editor.react(to: .backspace) == .edited)
        #expect(editor.react(to: .left) == .moved)
        #expect(editor.react(to: .home) == .moved)
        #expect(editor.react(to: .backspace) == .moved)
        #expect(editor.react(to: .control("u")) == .moved)
        #expect(editor.react(to: .control("k")) == .edited)
        #expect(editor.react(to: .delete) == .moved)
        #expect(editor.react(to: .enter) == .accepted)
        #expect(editor.react(to: .escape) == .cancelled)
    }

    @Test func controlDIsNotHandledInAnEmptyLineOnly() {
        var editor = LineEditor("a")
        #expect(editor.react(to: .control("d")) == .moved)
        _ = editor.react(to: .backspace)
        #expect(editor.react(to: .control("d")) == .notHandled)
    }

    @Test(arguments: [
        "^f", "^b", "^c", "^t", "Alt-t", "Alt-X", "^l", "^z", "Tab", "PgDn", "PgUp", "F1", "↑", "↓", "Ins",
    ])
    func otherKeysAreLeftToTheOwner(key: String) {
        var editor = LineEditor("abc")
        #expect(editor.react(to: Self.key(key)) == .notHandled)
        #expect(editor == LineEditor("abc"))
    }

    @Test(arguments: [
        ("dune", "dune|"), ("  the\nstand\t\n", "the stand|"), ("a\r\nb\u{1B}c\u{2028}d", "a b c d|"), ("\n \t", "|"),
        ("\u{FEFF}a\u{200B}b", "ab|"), ("e\u{301}漢", "e\u{301}漢|"), ("", "|"),
    ])
    func aPasteIsOneLine(pasted: String, result: String) {
        var editor = LineEditor()
        editor.insert(pasted)
        #expect(shown(editor) == result)
    }

    @Test func aPasteIsInsertedAtTheCursor() {
        var editor = editor("ad", "←")
        editor.insert(" b\nc ")
        #expect(shown(editor) == "ab c|d")
    }

    @Test func earlierLinesAreRecalled() {
        let history = ["first", "second"]
        #expect(shown(editor("mine", "↑", history: history)) == "second|")
        #expect(shown(editor("mine", "↑ ↑", history: history)) == "first|")
        #expect(shown(editor("mine", "↑ ↑ ↑", history: history)) == "first|")
        #expect(shown(editor("mine", "↑ ↑ ↓", history: history)) == "second|")
        #expect(shown(editor("mine", "↑ ↑ ↓ ↓", history: history)) == "mine|")
        #expect(shown(editor("mine", "↓", history: history)) == "mine|")
        var editor = LineEditor("mine", history: history)
        #expect(editor.react(to: .down) == .moved)
        #expect(editor.react(to: .up) == .edited)
    }

    /// Returns the drawn row and the column of the cursor.
    private func drawn(_ editor: LineEditor, width: Int, prompt: String = "/", isFocused: Bool = true) -> (String, Int)
    {
        var canvas = Canvas(columns: width)
        editor.draw(on: &canvas, row: 0, column: 0, width: width, prompt: prompt, isFocused: isFocused)
        return (canvas.rows[0], editor.cursor(row: 0, column: 0, width: width, prompt: prompt).column)
    }

    @Test func aLineThatFitsIsShownWhole() {
        #expect(drawn(LineEditor(), width: 6) == ("/     ", 1))
        #expect(drawn(LineEditor("abcd"), width: 6) == ("/abcd ", 5))
        #expect(drawn(editor("abcd", "← ←"), width: 6) == ("/abcd ", 3))
        #expect(drawn(editor("漢字", "←"), width: 6) == ("/漢字 ", 3))
        #expect(drawn(LineEditor("ab"), width: 12, prompt: "Search: ") == ("Search: ab  ", 10))
    }

    @Test func thePartAroundTheCursorOfALongLineIsShown() {
        #expect(drawn(LineEditor("abcdefghijklmnop"), width: 10) == ("/…jklmnop ", 9))
        #expect(drawn(editor("abcdefghijklmnop", "←"), width: 10) == ("/…jklmnop ", 8))
        #expect(drawn(editor("abcdefghijklmnop", "← ← ← ← ← ← ← ←"), width: 10) == ("/…fghijkl…", 5))
        #expect(drawn(editor("abcdefghijklmnop", "Home"), width: 10) == ("/abcdefgh…", 1))
        #expect(drawn(LineEditor("abcdefghi"), width: 10) == ("/…cdefghi ", 9))
        #expect(drawn(LineEditor("abcdefgh"), width: 10) == ("/abcdefgh ", 9))
    }

    @Test func inFewColumnsThereIsNoMarkerAtTheLeft() {
        #expect(drawn(LineEditor("abcdef"), width: 5) == ("/def ", 4))
        #expect(drawn(LineEditor("abcdef"), width: 2) == ("/ ", 1))
    }

    @Test func wideCharactersAreCutWhole() {
        #expect(drawn(LineEditor("漢字漢字漢字漢字"), width: 10) == ("/… 字漢字 ", 9))
        #expect(drawn(editor("漢字漢字漢字漢字", "← ← ← ←"), width: 10) == ("/… 字漢字…", 5))
        #expect(drawn(editor("漢字漢字漢字漢字", "Home"), width: 10) == ("/漢字漢字…", 1))
    }

    @Test func withoutTheFocusTheBeginningIsShownAndThePromptIsDim() {
        let editor = LineEditor("abcdefghijklmnop")
        #expect(drawn(editor, width: 10, isFocused: false).0 == "/abcdefgh…")
        for isFocused in [true, false] {
            var canvas = Canvas(columns: 4)
            LineEditor("a").draw(on: &canvas, row: 0, column: 0, width: 4, prompt: "/", isFocused: isFocused)
            #expect(canvas.row(0).map(\.style) == [isFocused ? .strong : .secondary, .plain, .plain, .plain])
        }
    }

    @Test func aLineIsDrawnOnlyInItsArea() {
        var canvas = Canvas(size: Size(rows: 3, columns: 10))
        let editor = LineEditor("abcdefghijkl")
        editor.draw(on: &canvas, row: 1, column: 2, width: 7, prompt: "/", isFocused: true)
        #expect(canvas.rows == ["          ", "  /…ijkl  ", "          "])
        #expect(editor.cursor(row: 1, column: 2, width: 7, prompt: "/") == Position(row: 1, column: 8))
    }

    @Test func aPromptThatLeavesNoRoomIsCut() {
        #expect(drawn(LineEditor("ab"), width: 4, prompt: "Search: ") == ("Sea…", 3))
        #expect(drawn(LineEditor("ab"), width: 4, prompt: "Find") == ("Find", 3))
        #expect(drawn(LineEditor("ab"), width: 0) == ("", 0))
    }

    @Test func anOffsetHasAPositionOnTheScreen() {
        let editor = editor("é漢b", "Home")
        let columns = (0...6).map { editor.position(ofByteAt: $0, row: 0, column: 0, width: 10, prompt: "/").column }
        // é has two bytes, 漢 three, and b one.
        #expect(columns == [1, 1, 2, 2, 2, 4, 5])
        #expect(editor.position(ofByteAt: 99, row: 2, column: 3, width: 10) == Position(row: 2, column: 7))
    }

    @Test func anInvisibleOffsetIsAtTheEdge() {
        let long = LineEditor("abcdefghijklmnop")
        #expect(long.position(ofByteAt: 0, row: 0, column: 0, width: 10, prompt: "/").column == 1)
        #expect(long.position(ofByteAt: 12, row: 0, column: 0, width: 10, prompt: "/").column == 5)
        let atStart = editor("abcdefghijklmnop", "Home")
        #expect(atStart.position(ofByteAt: 15, row: 0, column: 0, width: 10, prompt: "/").column == 9)
    }

    @Test func theCursorIsAlwaysOnItsCharacter() {
        var generator = SplitMix(seed: 17)
        let pieces: [Character] = ["a", "漢", "e\u{301}", " ", "\u{1F1EB}\u{1F1F7}", "字", "b", "\u{1F600}"]
        for _ in 0..<2000 {
            let characters = (0..<Int.random(in: 0...30, using: &generator)).map { _ in
                pieces.randomElement(using: &generator) ?? "a"
            }
            var editor = LineEditor(String(characters))
            for _ in 0..<Int.random(in: 0...characters.count, using: &generator) { _ = editor.react(to: .left) }
            let width = Int.random(in: 1...20, using: &generator)
            var canvas = Canvas(size: Size(rows: 1, columns: 22))
            editor.draw(on: &canvas, row: 0, column: 1, width: width, isFocused: true)
            let cursor = editor.cursor(row: 0, column: 1, width: width)
            let comment: Comment = "\(characters), cursor \(editor.cursor), width \(width): \(canvas.rows)"
            #expect(canvas.isWhole && canvas[0, 0] == .blank && canvas[0, width + 1] == .blank, comment)
            #expect((1..<1 + width).contains(cursor.column), comment)
            if width < 5 { continue }
            let character = editor.cursor < characters.count ? String(characters[editor.cursor]) : " "
            #expect(canvas[0, cursor.column].glyph.text == character, comment)
        }
    }
}

@Suite("Line editor: selected text") struct LineEditorSelectionTests {
    private func editor(after keys: Key...) -> LineEditor {
        var editor = LineEditor(selecting: "sea stories")
        for key in keys { _ = editor.react(to: key) }
        return editor
    }

    @Test func typedAndPastedTextReplacesIt() {
        #expect(editor(after: .character("x"), .character("y")).text == "xy")
        var pasted = editor()
        pasted.insert("whales")
        #expect(pasted.text == "whales" && pasted.cursor == 6 && !pasted.isSelected)
    }

    @Test(arguments: [Key.backspace, .control("h"), .delete, .control("d")])
    func deletingDeletesAllOfIt(key: Key) {
        #expect(editor(after: key).text == "")
    }

    @Test func enterKeepsIt() {
        var editor = editor()
        #expect(editor.react(to: .enter) == .accepted && editor.text == "sea stories")
    }

    @Test(arguments: [
        (Key.left, "xsea stories"), (.home, "xsea stories"), (.right, "sea storiesx"), (.end, "sea storiesx"),
        (.control("w"), "sea x"),
    ])
    func otherEditingKeysDeselectIt(key: Key, text: String) {
        #expect(editor(after: key, .character("x")).text == text)
    }

    @Test func anEmptyTextIsNotSelected() { #expect(!LineEditor(selecting: "").isSelected) }

    @Test func itIsDrawnLikeTheCurrentRow() {
        var canvas = Canvas(size: Size(rows: 1, columns: 20))
        editor().draw(on: &canvas, row: 0, column: 0, width: 20, prompt: "> ", isFocused: true)
        #expect(canvas.text(ofRow: 0).hasPrefix("> sea stories"))
        #expect(canvas.row(0)[1].style.surface == .window)
        #expect(canvas.row(0)[2].style.surface == .selection && canvas.row(0)[12].style.surface == .selection)
        #expect(canvas.row(0)[13].style.surface == .window)
    }
}
