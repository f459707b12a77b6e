internal import Books
internal import Glibc
internal import Graphemes
internal import Library
internal import Text

/// The codes of which no book became one as it should, listed at the end of a scan.
struct ScanReport {
    /// The number of books that were added, found or put on the shelf.
    var count = 0
    private var damaged: [String] = []
    private var unknown: [ISBN] = []
    private var doubled: [ISBN] = []
    private var seen: Set<ISBN> = []

    /// Says on a terminal how to begin.
    static func begin() {
        if isatty(STDIN_FILENO) == 1 { printError(CommandMessage.scanBegins.text()) }
    }

    /// Returns the ISBN of a line, unless it is damaged or was scanned before, which is said.
    mutating func isbn(of line: String) -> ISBN? {
        switch ScannedCode(line) {
        case nil: return nil
        case .damaged(let text):
            damaged.append(text)
            printError(CommandMessage.codeDamaged.text(text))
            return nil
        case .isbn(let isbn):
            if seen.insert(isbn).inserted { return isbn }
            doubled.append(isbn)
            printError(CommandMessage.scannedTwice.text(isbn.formatted))
            return nil
        }
    }

    /// Notes that no book is known by an ISBN.
    mutating func note(unknown isbn: ISBN) { unknown.append(isbn) }

    /// Prints the numbers and the codes; `what` became of the books that were taken in, and `ofUnknown` of those with an
    /// unknown code.
    ///
    /// - Returns: The exit status.
    func end(_ what: String, ofUnknown: String) -> Int32 {
        var lines = ["\(count.of("book")) \(what)"]
        if !unknown.isEmpty { lines.append("\(ofUnknown): \(unknown.map(\.formatted).joined(separator: ", "))") }
        if !damaged.isEmpty { lines.append("Damaged: \(damaged.joined(separator: ", "))") }
        if !doubled.isEmpty { lines.append("Scanned twice: \(doubled.map(\.formatted).joined(separator: ", "))") }
        let code = PlainList.write(lines.map { $0.sanitized + "\n" }.joined())
        if code != 0 { return code }
        return unknown.isEmpty && damaged.isEmpty ? 0 : ExitStatus.nothingFound
    }
}
