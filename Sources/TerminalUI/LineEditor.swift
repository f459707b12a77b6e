internal import Graphemes

/// A line that is being typed: its text, the cursor in it, and what the usual keys do to them.
public struct LineEditor: Hashable, Sendable {
    /// What a key did.
    public enum Outcome: Hashable, Sendable {
        /// The text is another now.
        case edited
        /// The text is as it was; the cursor may stand elsewhere.
        case moved
        /// The line is finished, with Enter.
        case accepted
        /// The line is given up, with Esc.
        case cancelled
        /// The key has no meaning here.
        case notHandled
    }

    /// What was typed so far.
    public private(set) var text: String
    /// How many characters are before the cursor.
    public private(set) var cursor: Int
    private let history: [String]
    /// Which line of the history the text was taken from; behind the last where it is the reader's own.
    private var recalled: Int
    /// The reader's own line, while another is recalled.
    private var draft = ""

    /// A line that begins as `text`, with the cursor behind it.
    ///
    /// - Parameter history: Earlier lines, oldest first, which ↑ and ↓ recall; without any these keys are not handled.
    public init(_ text: String = "", history: [String] = []) {
        self.text = text.onOneLine
        self.history = history
        cursor = self.text.count
        recalled = history.count
    }

    /// Does what `key` does to a line. Of the keys that move and delete those that page or cancel elsewhere are left to
    /// the caller: ^f ^b ^c, and ^d where the line is empty.
    public mutating func react(to key: Key) -> Outcome {
        switch key {
        case .enter: .accepted
        case .escape: .cancelled
        case .character(let character): replaceCharacters(in: cursor..<cursor, with: String(character).onOneLine)
        case .backspace, .control("h"): replaceCharacters(in: max(0, cursor - 1)..<cursor, with: "")
        case .control("d") where text.isEmpty: .notHandled
        case .delete, .control("d"): replaceCharacters(in: cursor..<min(cursor + 1, text.count), with: "")
        case .control("w"): replaceCharacters(in: wordStart..<cursor, with: "")
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

    /// Inserts what was pasted at the cursor, as one line: without blanks at its ends and without what cannot be seen.
    public mutating func insert(_ pasted: String) {
        let visible = pasted.onOneLine.filter { GraphemeSanitizer(String($0)).contains { _ in true } }
        let isBlank = { (character: Character) in character.isWhitespace }
        let trimmed = visible.drop(while: isBlank).reversed().drop(while: isBlank).reversed()
        _ = replaceCharacters(in: cursor..<cursor, with: String(trimmed))
    }

    private mutating func move(to index: Int) -> Outcome {
        cursor = min(max(index, 0), text.count)
        return .moved
    }

    /// Puts `new` in place of some characters, and the cursor behind it.
    private mutating func replaceCharacters(in range: Range<Int>, with new: String) -> Outcome {
        if range.isEmpty && new.isEmpty { return .moved }
        let head = text.prefix(range.lowerBound) + new
        text = String(head + text.dropFirst(range.upperBound))
        // A mark joins the character before it, so that there may be fewer characters now than both parts had.
        cursor = text.characterCount(ofBytes: head.utf8.count, isRoundedUp: true)
        return .edited
    }

    /// Where the word before the cursor begins: words are what blanks set apart, as for the terminal's own ^w.
    private var wordStart: Int {
        let isBlank = { (character: Character) in character.isWhitespace }
        return text.prefix(cursor).reversed().drop(while: isBlank).drop { !isBlank($0) }.count
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

/// How a line looks: where it is too long for its place, the part around the cursor is shown, with "…" where it is cut.
extension LineEditor {
    /// Draws `prompt` and the text behind it; without the focus, the beginning of the text.
    public func draw(
        on canvas: inout Canvas, row: Int, column: Int, width: Int, prompt: String = "",
        surface: Style.Surface = .window, isFocused: Bool
    ) {
        let used = canvas.write(
            prompt, row: row, column: column, width: width, style: Style(isFocused ? .strong : .secondary, on: surface))
        let room = width - used
        let shown = isFocused ? text(from: firstColumn(room: room), room: room) : text
        canvas.write(shown, row: row, column: column + used, width: room, style: Style(on: surface))
    }

    /// Where the cursor is on the screen, drawn with the same arguments and the focus.
    public func cursor(row: Int, column: Int, width: Int, prompt: String = "") -> Position {
        position(
            ofByteAt: text.prefix(cursor).utf8.count, row: row, column: column, width: width, prompt: prompt)
    }

    /// Where the character with this UTF-8 byte of the text is on the screen, drawn with the same arguments and the
    /// focus; at the edge where it is out of sight.
    public func position(ofByteAt offset: Int, row: Int, column: Int, width: Int, prompt: String = "") -> Position {
        let used = min(prompt.displayColumns, max(0, width - 1))
        let room = width - used
        let index = text.characterCount(ofBytes: offset, isRoundedUp: false)
        let inText = columns(before: index) - firstColumn(room: room)
        return Position(row: row, column: column + used + min(max(inText, 0), max(0, room - 1)))
    }

    private func columns(before index: Int) -> Int { String(text.prefix(index)).displayColumns }

    /// The column of the text at the left end of its place: the cursor is in the middle where text on either side of it
    /// is out of sight, so that the reader sees what is before and behind it.
    private func firstColumn(room: Int) -> Int {
        let columns = text.displayColumns
        // The cursor behind the text takes a column.
        return columns < room ? 0 : min(max(0, self.columns(before: cursor) - room / 2), columns + 1 - room)
    }

    private func text(from first: Int, room: Int) -> String {
        if first == 0 { return text }
        // In less the sign would stand on the cursor.
        let sign = room < 5 ? "" : "…"
        var rest = text[...]
        var column = 0
        while column < first + sign.count, let character = rest.popFirst() {
            column += String(character).displayColumns
        }
        // Half of a wide character leaves a blank.
        return sign + String(repeating: " ", count: column - first - sign.count) + rest
    }
}

extension String {
    /// This text with blanks in place of newlines and other controls.
    fileprivate var onOneLine: String {
        String(map { $0.isNewline || $0.unicodeScalars.first?.properties.generalCategory == .control ? " " : $0 })
    }

    /// How many characters the first bytes are; one of which they have a part counts only where that is rounded up.
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
