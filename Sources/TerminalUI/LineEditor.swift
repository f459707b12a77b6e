internal import Graphemes

/// A one-line text editor with a cursor, the usual editing keys and a history.
public struct LineEditor: Hashable, Sendable {
    /// The effect of a key.
    public enum Outcome: Hashable, Sendable {
        /// The text has changed.
        case edited
        /// The text is unchanged; the cursor may have moved.
        case moved
        /// Enter was pressed.
        case accepted
        /// Esc was pressed.
        case cancelled
        /// The editor does not use this key.
        case notHandled
    }

    /// The edited text.
    public private(set) var text: String
    /// The cursor position: the number of characters before it.
    public private(set) var cursor: Int
    /// Whether the whole text is selected, so that typed or pasted text replaces it; any other key deselects it.
    public private(set) var isSelected = false
    private let history: [String]
    /// The index of the recalled line in the history, or `history.count` while the user edits a new line.
    private var recalled: Int
    /// The user's new line while a line of the history is shown.
    private var draft = ""

    /// Creates an editor of `text` with the cursor at its end.
    ///
    /// - Parameter history: Earlier lines, oldest first, that ↑ and ↓ recall; if it is empty, ↑ and ↓ are not handled.
    public init(_ text: String = "", history: [String] = []) {
        self.text = text.onOneLine
        self.history = history
        cursor = self.text.count
        recalled = history.count
    }

    /// Creates an editor of `text` with the whole text selected.
    public init(selecting text: String) {
        self.init(text)
        isSelected = !self.text.isEmpty
    }

    /// This editor with a dot in place of each character, for a password.
    public var masked: LineEditor {
        var editor = self
        editor.text = String(repeating: "•", count: text.count)
        return editor
    }

    /// Applies `key` to the line. The editing keys that page or cancel elsewhere are left to the caller: ^f, ^b, ^c,
    /// and ^d if the line is empty.
    public mutating func react(to key: Key) -> Outcome {
        if isSelected, key != .enter, key != .escape {
            isSelected = false
            switch key {
            case .character(let character): return replaceText(with: String(character).onOneLine)
            case .backspace, .control("h"), .delete, .control("d"), .alt("\u{7F}"), .alt("d"):
                return replaceText(with: "")
            // As in desktop dialogs, the cursor moves to that end of the selection.
            case .left: return move(to: 0)
            case .right: return move(to: text.count)
            default: break
            }
        }
        return reactUnselected(to: key)
    }

    /// Whether the editor uses `key`.
    public func handles(_ key: Key) -> Bool {
        var copy = self
        return copy.react(to: key) != .notHandled
    }

    private mutating func reactUnselected(to key: Key) -> Outcome {
        switch key {
        case .enter: .accepted
        case .escape: .cancelled
        case .character(let character): replaceCharacters(in: cursor..<cursor, with: String(character).onOneLine)
        case .backspace, .control("h"): replaceCharacters(in: max(0, cursor - 1)..<cursor, with: "")
        case .control("d") where text.isEmpty: .notHandled
        case .delete, .control("d"): replaceCharacters(in: cursor..<min(cursor + 1, text.count), with: "")
        case .control("w"): replaceCharacters(in: wordStart..<cursor, with: "")
        case .alt("\u{7F}"): replaceCharacters(in: previousWord..<cursor, with: "")
        case .alt("d"): replaceCharacters(in: cursor..<nextWord, with: "")
        case .alt("b"): move(to: previousWord)
        case .alt("f"): move(to: nextWord)
        case .control("u"): replaceCharacters(in: 0..<cursor, with: "")
        case .control("k"): replaceCharacters(in: cursor..<text.count, with: "")
        case .left: move(to: cursor - 1)
        case .right: move(to: cursor + 1)
        case .home, .control("a"): move(to: 0)
        case .end, .control("e"): move(to: text.count)
        case .up: recall(recalled - 1)
        case .down: recall(recalled + 1)
        default: .notHandled
        }
    }

    /// The longest text that is pasted, in characters: more is pasted by mistake.
    public static let maximumPaste = 1 << 16

    /// Types characters at once.
    public mutating func type(_ typed: String) {
        let range = isSelected ? 0..<text.count : cursor..<cursor
        isSelected = false
        _ = replaceCharacters(in: range, with: typed.onOneLine)
    }

    /// Inserts pasted text at the cursor as one line, without invisible characters and surrounding blanks, up to the
    /// longest text.
    public mutating func insert(_ pasted: String) {
        let visible = pasted.prefix(Self.maximumPaste).onOneLine.filter {
            GraphemeSanitizer(String($0)).contains { _ in true }
        }
        let isBlank = { (character: Character) in character.isWhitespace }
        let trimmed = visible.drop(while: isBlank).reversed().drop(while: isBlank).reversed()
        let range = isSelected ? 0..<text.count : cursor..<cursor
        isSelected = false
        _ = replaceCharacters(in: range, with: String(trimmed))
    }

    private mutating func replaceText(with new: String) -> Outcome {
        replaceCharacters(in: 0..<text.count, with: new)
    }

    private mutating func move(to index: Int) -> Outcome {
        cursor = min(max(index, 0), text.count)
        return .moved
    }

    /// Replaces a range of characters and moves the cursor to the end of the replacement.
    private mutating func replaceCharacters(in range: Range<Int>, with new: String) -> Outcome {
        if range.isEmpty && new.isEmpty { return .moved }
        let head = text.prefix(range.lowerBound) + new
        text = String(head + text.dropFirst(range.upperBound))
        // A combining mark joins the character before it, so the text can have fewer characters than both parts
        // together.
        cursor = text.characterCount(ofBytes: head.utf8.count, isRoundedUp: true)
        return .edited
    }

    /// The start of the word before the cursor; words are separated by blanks, as for ^w in a terminal's line
    /// discipline.
    private var wordStart: Int {
        let isBlank = { (character: Character) in character.isWhitespace }
        return text.prefix(cursor).reversed().drop(while: isBlank).drop { !isBlank($0) }.count
    }

    /// The start of the letters and digits before the cursor, as for Alt-b in readline.
    private var previousWord: Int {
        text.prefix(cursor).reversed().drop { !$0.isInWord }.drop(while: \.isInWord).count
    }

    /// The end of the letters and digits behind the cursor, as for Alt-f in readline.
    private var nextWord: Int {
        text.count - text.dropFirst(cursor).drop { !$0.isInWord }.drop(while: \.isInWord).count
    }

    private mutating func recall(_ line: Int) -> Outcome {
        if history.isEmpty { return .notHandled }
        guard (0...history.count).contains(line) else { return .moved }
        if recalled == history.count { draft = text }
        recalled = line
        text = line == history.count ? draft : history[line].onOneLine
        cursor = text.count
        return .edited
    }
}

/// Drawing: a line that is too long for its field shows the part around the cursor, with "…" at the cut.
extension LineEditor {
    /// Draws `prompt` and the text after it; without the focus, the text is shown from its beginning.
    public func draw(
        on canvas: inout Canvas, row: Int, column: Int, width: Int, prompt: String = "",
        surface: Style.Surface = .window, isFocused: Bool
    ) {
        let used = canvas.write(
            prompt, row: row, column: column, width: width, style: Style(isFocused ? .strong : .secondary, on: surface))
        let room = width - used
        let shown = isFocused ? text(from: firstColumn(room: room), room: room) : text
        // Text that the next key replaces looks like the current row.
        let style = Style(on: isFocused && isSelected ? .selection : surface)
        canvas.write(shown, row: row, column: column + used, width: room, style: style)
    }

    /// Returns the screen position of the cursor in a line drawn with the same arguments and the focus.
    public func cursor(row: Int, column: Int, width: Int, prompt: String = "") -> Position {
        position(
            ofByteAt: text.prefix(cursor).utf8.count, row: row, column: column, width: width, prompt: prompt)
    }

    /// Returns the screen position of the character at a UTF-8 byte offset in a line drawn with the same arguments and
    /// the focus; a character that is scrolled out of view has the position at the nearest edge.
    public func position(ofByteAt offset: Int, row: Int, column: Int, width: Int, prompt: String = "") -> Position {
        let used = min(prompt.displayColumns, max(0, width - 1))
        let room = width - used
        let index = text.characterCount(ofBytes: offset, isRoundedUp: false)
        let inText = columns(before: index) - firstColumn(room: room)
        return Position(row: row, column: column + used + min(max(inText, 0), max(0, room - 1)))
    }

    private func columns(before index: Int) -> Int { String(text.prefix(index)).displayColumns }

    /// The column of the text at the left edge of the field. If text is hidden on both sides, the cursor is centred, so
    /// that the user sees the text before and after it.
    private func firstColumn(room: Int) -> Int {
        let columns = text.displayColumns
        // A cursor at the end of the text takes one column.
        return columns < room ? 0 : min(max(0, self.columns(before: cursor) - room / 2), columns + 1 - room)
    }

    private func text(from first: Int, room: Int) -> String {
        if first == 0 { return text }
        // In a narrower field the ellipsis would cover the cursor.
        let sign = room < 5 ? "" : "…"
        var rest = text[...]
        var column = 0
        while column < first + sign.count, let character = rest.popFirst() {
            column += String(character).displayColumns
        }
        // Half of a wide character becomes a blank.
        return sign + String(repeating: " ", count: column - first - sign.count) + rest
    }
}

extension Character {
    fileprivate var isInWord: Bool { isLetter || isNumber }
}

extension StringProtocol {
    /// This text with newlines and other control characters replaced by blanks.
    fileprivate var onOneLine: String {
        String(map { $0.isNewline || $0.unicodeScalars.first?.properties.generalCategory == .control ? " " : $0 })
    }
}

extension String {
    /// Returns the number of characters in the first `bytes` UTF-8 bytes; a character that is cut counts only if
    /// `isRoundedUp`.
    fileprivate func characterCount(ofBytes bytes: Int, isRoundedUp: Bool) -> Int {
        var count = 0
        var end = 0
        for character in self {
            if end >= bytes { break }
            end += character.utf8.count
            if end > bytes && !isRoundedUp { break }
            count += 1
        }
        return count
    }
}
