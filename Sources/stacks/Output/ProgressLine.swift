internal import Catalog
internal import Glibc
internal import Indexing
internal import Library

/// How far a command has come, on the terminal that standard error is; only what takes more than a second is told.
struct ProgressLine {
    /// What is done, as in "reading".
    private let verb: String
    private let start = ContinuousClock.now
    private var last: ContinuousClock.Instant?
    private let isShown: Bool

    /// The progress of what is called by `verb`; never shown where `isShown` is false.
    init(_ verb: String, isShown: Bool = true) {
        self.verb = verb
        self.isShown = isShown && isatty(STDERR_FILENO) == 1
    }

    /// Shows with how many books it has done, and with which share of all.
    mutating func show(_ count: Int, fraction: Double?) {
        guard isShown else { return }
        let now = ContinuousClock.now
        guard now - start > .seconds(1), last.map({ now - $0 > .milliseconds(200) }) ?? true else { return }
        last = now
        let share = fraction.map { " \(Int($0 * 100)) %," } ?? ""
        put("\r\(verb):\(share) \(count.of("book"))\u{1B}[K")
    }

    /// Takes the line away.
    func clear() {
        if last != nil { put("\r\u{1B}[K") }
    }

    private func put(_ text: String) {
        var text = text
        text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

extension JSONFileCatalog {
    /// Reads all books that are left, and tells how far it is if that takes its time.
    func readRestTellingProgress() {
        var line = ProgressLine("reading")
        readRest { line.show(index.count, fraction: fractionRead) }
        line.clear()
    }

    /// The share of the file that was read, from 0 to 1; nil if nobody knows how long it is, or if all was.
    var fractionRead: Double? { if case .loading(let fraction) = state { fraction } else { nil } }
}
