internal import Books
internal import Library
internal import Shelves

/// What the reading log says of a book, in words for its card.
struct ReadingLines {
    /// The status of the book.
    let status: Book.ReadingStatus?
    /// The log.
    let log: ReadingLog
    /// The number of pages of the book, if it is known.
    var pageCount: Int?
    /// Today; days of this year are shown without it.
    let today: CalendarDay

    /// The status with its day: "◐ Reading since 9 Mar (day 12)", "● Read 1 Apr 2024, 3 times".
    var statusLine: String? {
        guard let status else { return nil }
        var line = "\(status.sign) \(status.shown)"
        switch status {
        case .toRead: if let day = log.toRead { line += " since " + shown(day) }
        case .reading:
            guard let start = log.current?.start else { break }
            line += " since " + shown(start)
            if let first = CalendarDay(start), first <= today { line += " (day \(today.number - first.number + 1))" }
        case .read:
            if let day = log.lastFinished?.end { line += " " + shown(day) }
            if log.finishedCount > 1 { line += ", \(log.finishedCount) times" }
        case .abandoned:
            if let day = log.readings.last(where: { $0.outcome == .abandoned })?.end { line += " " + shown(day) }
        }
        return line
    }

    /// How far the reader has come in the current reading: "▓▓▓▓▓▓▓░░░░ p. 180 of 285"; nil without progress.
    var progressLine: String? {
        guard let place = log.current?.progress.last?.place else { return nil }
        let bar = place.part(of: pageCount).map { part in
            let filled = Int((part * Double(Self.barWidth)).rounded(.down))
            return String(repeating: "▓", count: filled) + String(repeating: "░", count: Self.barWidth - filled)
                + " "
        }
        let text =
            switch place {
            case .page(let page):
                "p.\u{A0}\(page.grouped)" + (pageCount.map { "\u{A0}of\u{A0}\($0.grouped)" } ?? "")
            case .percent: place.shown
            }
        return (bar ?? "") + text
    }

    /// The entries of the log, the latest first: "9 Mar started · May 2019 – 3 Jun 2019 read · 2 Feb to read"; nil if the
    /// status line says it all.
    var logLine: String? {
        var entries: [(order: String, text: String)] = log.readings.map { reading in
            let name = reading.outcome.map { $0 == .finished ? "read" : "abandoned" }
            return switch (reading.start, reading.end) {
            case (let start?, let end?): (start, "\(shown(start)) – \(shown(end)) \(name ?? "")")
            case (let start?, nil): (start, shown(start) + (name.map { " – ? \($0)" } ?? " started"))
            case (nil, let end?): (end, "\(shown(end)) \(name ?? "")")
            case (nil, nil): ("", name.map { "? \($0)" } ?? "")
            }
        }
        if let day = log.toRead { entries.append((day, shown(day) + " to read")) }
        let texts = entries.enumerated().sorted { ($0.element.order, $0.offset) > ($1.element.order, $1.offset) }
            .map(\.element.text).filter { !$0.isEmpty }
        let isKnown = texts.count < 2 && log.readings.allSatisfy { $0.start == nil || $0.end == nil }
        return isKnown ? nil : texts.joined(separator: "\u{A0}· ")
    }

    private static let barWidth = 11

    private func shown(_ day: String) -> String { today.shortName(of: day) }
}
