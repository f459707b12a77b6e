internal import Catalog
internal import Glibc
internal import Indexing
internal import Library

/// A progress line on standard error, if that is a terminal; shown after a second.
struct ProgressLine {
    /// The activity, such as "reading".
    private let verb: String
    private let start = ContinuousClock.now
    private var last: ContinuousClock.Instant?
    private let isShown: Bool

    /// Creates the progress line of an activity; it never appears if `isShown` is false.
    init(_ verb: String, isShown: Bool = true) {
        self.verb = verb
        self.isShown = isShown && isatty(STDERR_FILENO) == 1
    }

    /// Shows the number of books processed and the fraction of all books, at most every 200 ms.
    mutating func show(_ count: Int, fraction: Double?, rate: String? = nil) {
        guard isShown else { return }
        let now = ContinuousClock.now
        guard now - start > .seconds(1), last.map({ now - $0 > .milliseconds(200) }) ?? true else { return }
        last = now
        let share = fraction.map { " \(Int($0 * 100)) %," } ?? ""
        Self.put("\r\(verb):\(share) \(count.of("book"))\(rate.map { ", \($0)" } ?? "")\u{1B}[K")
    }

    /// Erases the line.
    func clear() {
        if last != nil { Self.put("\r\u{1B}[K") }
    }

    /// Writes to standard error, without a line end.
    static func put(_ text: String) {
        var text = text
        text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

extension JSONFileCatalog {
    /// Reads all remaining books and shows the progress.
    func readRestShowingProgress() {
        var line = ProgressLine("reading")
        readRest { line.show(index.count, fraction: fractionRead) }
        line.clear()
    }

    /// The fraction of the file read so far, 0...1; nil if the size is unknown or the file was read completely.
    var fractionRead: Double? { if case .loading(let fraction) = state { fraction } else { nil } }
}
