public import Books

/// The readings of a book as a text of one line, for a field of a table.
///
/// Readings are separated by semicolons. Each has its start and its end with two dots between them, and "?" for an
/// unknown day: "2019-05-01..2019-06-02; ?..2023 abandoned; 2026-03-09.., p. 180 on 2026-03-12, 64 % on 2026-03-20".
/// Without an end, the reading lasts. A day on its own is the end of a reading.
public enum ReadingText {
    /// Returns the text of readings; empty if there are none.
    public static func text(of readings: [Reading]) -> String { readings.map(text).joined(separator: "; ") }

    /// Returns the progress of a reading as it follows its days; empty if there is none.
    public static func text(of progress: [ReadingProgress]) -> String {
        progress.map(text).joined(separator: ", ")
    }

    /// Parses a text as `text(of:)` returns it; nil if it is invalid.
    public static func readings(of text: String) -> [Reading]? {
        var readings: [Reading] = []
        for part in text.split(separator: ";") where part.contains(where: { !$0.isWhitespace }) {
            guard let reading = reading(of: part) else { return nil }
            readings.append(reading)
        }
        return readings
    }

    private static let range = ".."
    private static let unknown = "?"
    private static let abandoned = "abandoned"

    private static func text(of reading: Reading) -> String {
        var text = (reading.start ?? unknown) + range
        if !reading.isOpen { text += reading.end ?? unknown }
        if reading.outcome == .abandoned { text += " " + abandoned }
        return ([text] + reading.progress.map(Self.text)).joined(separator: ", ")
    }

    private static func text(of step: ReadingProgress) -> String {
        switch step.place {
        case .page(let page): "p. \(page) on \(step.day)"
        case .percent(let percent): "\(percent) % on \(step.day)"
        }
    }

    private static func reading(of text: Substring) -> Reading? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard var days = parts.first?.split(whereSeparator: \.isWhitespace) else { return nil }
        var reading = Reading(outcome: .finished)
        if days.last == abandoned[...] {
            reading.outcome = .abandoned
            days.removeLast()
        }
        guard days.count == 1 else { return nil }
        var end = days[0]
        if let dots = end.firstRange(of: range) {
            guard let start = day(end[..<dots.lowerBound]) else { return nil }
            reading.start = start.known
            end = end[dots.upperBound...]
        }
        if end.isEmpty {
            // A reading that was abandoned has ended.
            if reading.outcome == .finished { reading.outcome = nil }
        } else {
            guard let day = day(end) else { return nil }
            reading.end = day.known
        }
        for part in parts.dropFirst() {
            guard let step = step(of: part) else { return nil }
            reading.progress.append(step)
        }
        return reading
    }

    /// A day of which nothing may be known.
    private struct Day {
        var known: String?
    }

    private static func day(_ text: Substring) -> Day? {
        if text == unknown[...] { return Day() }
        return PrintedUserData.isDate(String(text)) ? Day(known: String(text)) : nil
    }

    private static func step(of text: Substring) -> ReadingProgress? {
        let words = text.replacing("%", with: " % ").replacing("p.", with: "p. ").split(whereSeparator: \.isWhitespace)
        guard words.count == 4, words[2] == "on", PrintedUserData.isDate(String(words[3])) else { return nil }
        if words[0] == "p.", let page = Int(words[1]), page > 0 {
            return ReadingProgress(.page(page), on: String(words[3]))
        }
        if words[1] == "%", let percent = Int(words[0]), 0...100 ~= percent {
            return ReadingProgress(.percent(percent), on: String(words[3]))
        }
        return nil
    }
}
