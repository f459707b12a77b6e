internal import Books
internal import Graphemes
internal import Library
internal import Search
internal import TerminalUI

/// A line of the form for books: a field, and the text that is typed for it.
struct BookFormField {
    /// The field.
    let field: BookField
    /// What is typed, with signs for line breaks.
    var editor: LineEditor
    /// Why the text does not fit, if it does not; known once the field was left.
    var problem: String? { misfit ?? (refusal?.text == editor.text ? refusal?.sentence : nil) }
    /// Why the text is no value of the field.
    private var misfit: String?
    /// The text that the catalog cannot hold, and why.
    private var refusal: (text: String, sentence: String)?
    /// What is to be said if only some of the books were compared, and these are alike.
    private let comparison: String?
    /// Whether the text was changed since the field was entered.
    var isBeingEdited = false
    /// Whether the field is made empty in all books, though they differ.
    private(set) var isCleared = false
    /// The text of the books; nil if they differ.
    private let original: String?

    /// The sign for a line break.
    static let lineBreak: Character = "⏎"

    /// Creates the line for `field` of `books`, which are the first ones of `count`; of no books it is empty.
    init(_ field: BookField, of books: [Book], count: Int) {
        self.field = field
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

    /// Whether the books differ in the field, and will.
    var differs: Bool { original == nil && !isTouched }

    /// Whether the books get another value.
    var isTouched: Bool { original.map { $0 != editor.text } ?? (isCleared || !editor.text.isEmpty) }

    /// Whether there is nothing to replace.
    var isEmpty: Bool { editor.text.isEmpty && !differs && !isCleared }

    /// Whether the key that erases the text makes the field empty in all books, or leaves it again.
    var canBeCleared: Bool { original == nil && editor.text.isEmpty }

    /// What is shown in place of a text, if anything.
    var placeholder: String {
        isCleared ? "(made empty)" : !differs ? "" : comparison == nil ? "(differ)" : "(not all compared)"
    }

    /// Makes the field empty in all books, or no longer.
    mutating func toggleCleared() { isCleared.toggle() }

    /// Takes over that the text is another.
    mutating func noteEdit() {
        isBeingEdited = true
        isCleared = false
        misfit = nil
    }

    /// Puts the value of `book` in place of the text, if it has one.
    ///
    /// - Returns: Whether it has.
    @discardableResult
    mutating func take(from book: Book) -> Bool {
        let text = Self.shown(FieldInput.text(of: field, in: book))
        if text.isEmpty { return false }
        editor = LineEditor(text)
        noteEdit()
        return true
    }

    /// The value that is typed; nil makes the field empty.
    ///
    /// - Throws: `FieldInputError` if the text does not fit.
    func value() throws(FieldInputError) -> FieldValue? {
        let text = editor.text.replacing(String(Self.lineBreak), with: "\n")
        return try FieldInput.value(of: field, text, besides: original ?? "")
    }

    /// Finds out whether the text fits, and shows a value as it was understood.
    ///
    /// - Parameter isNeeded: Whether the field cannot stay as it is.
    mutating func check(isNeeded: Bool = false) {
        misfit = nil
        guard isTouched || isNeeded else { return }
        do throws(FieldInputError) {
            let text = Self.shown(try value().map { FieldInput.text(of: $0, for: field) } ?? "")
            if text != editor.text { editor = LineEditor(text) }
        } catch {
            misfit = error.sentence
        }
    }

    /// Notes that the catalog cannot hold the text as it is now.
    mutating func refuse(_ sentence: String) { refusal = (editor.text, sentence) }

    /// Forgets that the catalog could not hold the text, to try it again.
    mutating func forgetRefusal() { refusal = nil }

    /// The text on one line, with signs for its line breaks.
    static func shown(_ text: String) -> String { String(text.map { $0.isNewline ? lineBreak : $0 }) }

    /// The lines around the cursor of a text with line breaks that is longer than a line, at most `limit`; none of
    /// other fields.
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

    /// How the field is typed, if that is not obvious.
    var advice: String {
        if differs, let comparison { return comparison }
        return switch field {
        case .languages: "French, fr or fre; several are separated by ;"
        case .identifiers: "As in doi:10.1000/182; several are separated by ;"
        case .contributors: "As in Constance Garnett (translator); several are separated by ;"
        case .published, .dateAdded: "As in 1815, Dec 1815, 23 Dec 1815 or 1815-12-23"
        case .rating: "From 0 to 5"
        case .fiction: "yes or no"
        case .status: "to-read, reading, read or abandoned"
        case .description: "\(Self.lineBreak) is a line break"
        default: field.isList ? "Several are separated by ;" : ""
        }
    }

    /// The field of queries whose values in the catalog complete this one.
    var completionField: Query.TextField? {
        switch field {
        case .authors: .author
        case .subjects: .subject
        case .series: .series
        case .publisher: .publisher
        case .languages: .language
        default: nil
        }
    }

    /// The range of the text that is completed at the cursor, in UTF-8 bytes, and what it contains; nil within a word
    /// or before one.
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
}
