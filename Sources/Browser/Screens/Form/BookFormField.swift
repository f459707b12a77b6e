internal import Books
internal import Graphemes
internal import Library
internal import Search
internal import TerminalUI

/// A line of the form: a field and its text.
struct BookFormField {
    /// The field.
    let field: BookField
    /// The text, with signs for line breaks.
    var editor: LineEditor
    /// The reason why the text is not valid, known once the cursor left the field.
    var problem: String? { inputError ?? (refusal?.text == editor.text ? refusal?.sentence : nil) }
    /// The reason why the text is not a value of the field.
    private var inputError: String?
    /// The text that the catalog cannot hold, with the reason.
    private var refusal: (text: String, sentence: String)?
    /// The advice if the compared books have the same value but are not all books.
    private let comparison: String?
    /// Whether the text was changed since the cursor entered the field.
    var isBeingEdited = false
    /// Whether the field is cleared in all books, although their values differ.
    private(set) var isCleared = false
    /// Whether the field cannot get one value for all books before the user unlocks it.
    private(set) var isLocked: Bool
    /// The text of the books; nil if their values differ.
    private let original: String?
    /// Whether one of the books has a value.
    let isUsed: Bool

    /// The sign of a line break.
    static let lineBreak: Character = "⏎"

    /// Creates the line for `field` of `books`, the first of `count` books; without books, the line is empty.
    init(_ field: BookField, of books: [Book], count: Int) {
        self.field = field
        isLocked = count > 1 && field.isLockedForSeveral
        isUsed = books.contains { field.value(in: $0) != nil }
        let value = books.first.flatMap(field.value)
        let areAlike = books.dropFirst().allSatisfy { field.value(in: $0) == value }
        let isShared = areAlike && count <= books.count
        comparison =
            areAlike && !isShared ? Message.onlySomeCompared.text(books.count.grouped, count.of("book")) : nil
        editor = LineEditor(isShared ? Self.shown(value.map { FieldInput.text(of: $0, for: field) } ?? "") : "")
        original = isShared ? editor.text : nil
    }

    /// The label.
    var label: String { field.info.label }

    /// Whether the values of the books differ and are not changed.
    var differs: Bool { original == nil && !isTouched }

    /// Whether the form changes the field.
    var isTouched: Bool { original.map { $0 != editor.text } ?? (isCleared || !editor.text.isEmpty) }

    /// Whether the field has no value that could be replaced.
    var isEmpty: Bool { editor.text.isEmpty && !differs && !isCleared }

    /// Whether the erase key clears the field in all books, or takes that back.
    var canBeCleared: Bool { original == nil && editor.text.isEmpty }

    /// The text shown if the line is empty; "" for none.
    var placeholder: String {
        if isLocked { return (original.map { $0.isEmpty ? "" : $0 + "  " } ?? "") + "(locked)" }
        return isCleared ? "(cleared)" : !differs ? "" : comparison == nil ? "(differ)" : "(not compared)"
    }

    /// Allows one value for all books.
    mutating func unlock() { isLocked = false }

    /// Clears the field in all books, or takes that back.
    mutating func toggleCleared() { isCleared.toggle() }

    /// Updates the state after the text changed.
    mutating func noteEdit() {
        isBeingEdited = true
        isCleared = false
        inputError = nil
    }

    /// Replaces the text by a value.
    mutating func take(_ value: FieldValue) {
        editor = LineEditor(Self.shown(FieldInput.text(of: value, for: field)))
        noteEdit()
    }

    /// Whether the text is that of a value.
    func hasText(of value: FieldValue) -> Bool { editor.text == Self.shown(FieldInput.text(of: value, for: field)) }

    /// Returns the value of the text; nil clears the field.
    ///
    /// - Throws: `FieldInputError` if the text is not valid.
    func value() throws(FieldInputError) -> FieldValue? {
        let text = editor.text.replacing(String(Self.lineBreak), with: "\n")
        return try FieldInput.value(of: field, text, besides: original ?? "")
    }

    /// Checks the text, and replaces it by the standard form of its value.
    ///
    /// - Parameter isNeeded: Whether an unchanged field is checked too.
    mutating func check(isNeeded: Bool = false) {
        inputError = nil
        guard isTouched || isNeeded else { return }
        do throws(FieldInputError) {
            let text = Self.shown(try value().map { FieldInput.text(of: $0, for: field) } ?? "")
            if text != editor.text { editor = LineEditor(text) }
        } catch {
            inputError = error.sentence
        }
    }

    /// Records that the catalog cannot hold the current text.
    mutating func refuse(_ sentence: String) { refusal = (editor.text, sentence) }

    /// Forgets that the catalog could not hold the text, so that it is tried again.
    mutating func forgetRefusal() { refusal = nil }

    /// The text on one line, with signs for its line breaks.
    static func shown(_ text: String) -> String { String(text.map { $0.isNewline ? lineBreak : $0 }) }

    /// Returns the lines around the cursor, at most `limit`, of a description that has several; none for other fields.
    func preview(width: Int, limit: Int) -> [String] {
        guard field == .description, width > 0 else { return [] }
        let lines = Self.lines(of: editor.text, width: width)
        guard lines.count > 1 else { return [] }
        let row = Self.lines(of: String(editor.text.prefix(editor.cursor)), width: width).count - 1
        let first = max(0, min(row - limit / 2, lines.count - limit))
        return Array(lines[first..<min(lines.count, first + limit)])
    }

    private static func lines(of text: String, width: Int) -> [String] {
        LineWrapper(text.replacing(String(lineBreak), with: "\n"), width: width).map { $0.map(\.text).joined() }
    }

    /// The advice on the input format; "" if it is obvious.
    var advice: String {
        if differs, let comparison { return comparison }
        return switch field {
        case .languages: "French, fr or fre; several are separated by ;"
        case .identifiers: "As in doi:10.1000/182; several are separated by ;"
        case .contributors: "As in Constance Garnett (translator); several are separated by ;"
        case .rating: "From 0 to 5"
        case .description: "\(Self.lineBreak) is a line break"
        default:
            switch field.info.kind {
            case .list, .gatheredList: "Several are separated by ;"
            case .date: "As in 1815, Dec 1815, 23 Dec 1815 or 1815-12-23"
            case .boolean, .status: field.info.noun
            case .text, .number, .isbn, .link: ""
            }
        }
    }

    /// The query field whose values in the catalog complete this one.
    var completionField: Query.TextField? {
        Query.TextField(field).flatMap { $0.isCompleted ? $0 : nil }
    }

    /// Whether values in the catalog complete this one.
    var isCompleted: Bool {
        completionField != nil || field.info.own.map { $0.kind == .text || $0.kind == .list } ?? false
    }

    /// The range of UTF-8 bytes to complete at the cursor, and its text; nil within or before a word.
    var unfinished: (range: Range<Int>, typed: String)? {
        let text = editor.text
        let rest = text.dropFirst(editor.cursor).drop { $0 == " " }
        let characters =
            field.isList ? FieldInput.item(endingAt: editor.cursor, in: text) : 0..<editor.cursor
        guard rest.isEmpty || field.isList && rest.first == ";" else { return nil }
        let head = text.prefix(characters.lowerBound)
        let typed = text.prefix(characters.upperBound).dropFirst(characters.lowerBound)
        guard typed.contains(where: { !$0.isWhitespace }) else { return nil }
        return (head.utf8.count..<head.utf8.count + typed.utf8.count, String(typed))
    }

    /// The items of a list in lower case, apart from the one that is completed at the cursor.
    var otherItems: Set<String> {
        guard field.isList, let range = unfinished?.range else { return [] }
        let text = editor.text.utf8
        let others = [text.prefix(range.lowerBound), text.dropFirst(range.upperBound)]
        return Set(others.flatMap { FieldInput.items(of: Substring($0)) }.map { $0.lowercased() })
    }
}
