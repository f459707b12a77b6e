internal import Books
internal import Glibc
internal import Graphemes
internal import JSON
internal import Library
internal import Text

/// Prints what sources know of books, and what they do not.
struct LookupPrinter {
    private let format: LookupCommand.Format
    /// The width of lines on a terminal; nil for a program.
    private let width: Int?
    private var isFirst = true
    private var problems = LookupProblems()

    /// Creates a printer to standard output.
    init(_ format: LookupCommand.Format) {
        self.format = format
        width = isatty(STDOUT_FILENO) == 1 ? outputSize().columns : nil
    }

    /// Prints an answer, and to standard error which sources failed, and what none of them knows.
    ///
    /// - Returns: The exit status of writing.
    mutating func print(_ answer: LookupSession.Answer, to query: LookupQuery) -> Int32 {
        let books = LookedUpBook.books(of: answer, to: query)
        var output = ""
        switch format {
        case .text: output = books.map { Self.text(of: $0, in: width) }.joined(separator: "\n")
        case .json: output = books.enumerated().map { json(of: $1, isFirst: isFirst && $0 == 0) }.joined()
        }
        if format == .text, !isFirst, !output.isEmpty { output = "\n" + output }
        if !books.isEmpty { isFirst = false }
        let code = PlainList.write(output)
        if code != 0 { return code }
        problems.print(answer, to: query)
        return 0
    }

    /// Ends the output.
    ///
    /// - Returns: The exit status.
    func end() -> Int32 {
        if format == .json {
            let code = PlainList.write(isFirst ? "[]\n" : "\n]\n")
            if code != 0 { return code }
        }
        return problems.exitStatus
    }

    // MARK: - Text

    /// The values of a book, one per line with their sources; lines longer than `width` are cut.
    static func text(of book: LookedUpBook, in width: Int?) -> String {
        var lines = [book.book.isbn.map { $0.formatted } ?? book.book.shownTitle]
        for choice in book.proposal.choices where choice.field != .isbn {
            for (number, value) in book.values(of: choice).enumerated() {
                var shown = Book(title: "")
                choice.field.set(value.value, in: &shown)
                let text = (choice.field.shown(in: shown) ?? value.value.text).onOneLine
                let label = number == 0 ? choice.field.info.label : ""
                lines.append("  \(label.padded(to: 18))\(text)  (\(value.sources.joined(separator: ", ")))")
            }
        }
        return lines.map { line in
            let line = line.sanitized
            return (width.map { line.clipped(to: max(1, $0)).text } ?? line) + "\n"
        }.joined()
    }

    // MARK: - JSON

    private func json(of book: LookedUpBook, isFirst: Bool) -> String {
        let fields = book.proposal.choices.map { choice in
            jsonObject([
                "field": .string(choice.field.id),
                "values": .array(
                    book.values(of: choice).map { value in
                        jsonObject(["value": value.value.printed, "sources": JSONValue(value.sources)])
                    }),
            ])
        }
        var text = Array((isFirst ? "[\n" : ",\n").utf8)
        jsonObject(["title": .string(book.book.title), "fields": .array(fields)]).writeHarmlessly(to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}

/// The sources that failed, and what none of them knows.
struct LookupProblems {
    /// The exit status: that of the first book that no source has, which is that of a source that failed, if one did.
    private(set) var exitStatus: Int32 = 0
    /// The exit status of a command that has saved what was found.
    var exitStatusAfterSaving: Int32 { exitStatus == 0 ? 0 : ExitStatus.nothingFound }
    private var printed: Set<String> = []

    /// Says that no source has the fields that a book lacks.
    mutating func printWithoutFields(_ query: LookupQuery) {
        printError(CommandMessage.fieldsNotKnown.text(query.name))
        if exitStatus == 0 { exitStatus = ExitStatus.nothingFound }
    }

    /// Prints the problems of an answer to standard error, each failure of a source once.
    mutating func print(_ answer: LookupSession.Answer, to query: LookupQuery) {
        for failure in answer.failures where printed.insert(failure.failure.sentence).inserted {
            printError(failure.failure.sentence)
        }
        if !answer.found.isEmpty { return }
        let message = answer.failures.isEmpty ? CommandMessage.notLookedUp : .notLookedUpElsewhere
        printError(message.text(query.name))
        if exitStatus == 0 { exitStatus = answer.failures.first?.failure.exitStatus ?? ExitStatus.nothingFound }
    }
}

extension FieldValue {
    /// The value in JSON: a number, a boolean, an array of texts, or a text.
    fileprivate var printed: JSONValue {
        switch self {
        case .integer, .number: .number(text)
        case .boolean(let isTrue): .boolean(isTrue)
        case .list: JSONValue(texts)
        case .text, .date, .isbn, .status: .string(text)
        }
    }
}
