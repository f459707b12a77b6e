public import Books

/// A reading in words.
public struct ReadingSentence {
    private let reading: Reading

    /// Creates the words for a reading.
    public init(_ reading: Reading) { self.reading = reading }

    /// The days: "from 1 May 2019 to 2 June 2019", "that ended in 2019", "since 9 March 2026".
    public var days: String {
        let start = reading.start.map(DayInput.inWords)
        let end = reading.end.map(DayInput.inWords)
        return switch (start, end) {
        case (let start?, let end?): "from \(start) to \(end)"
        case (let start?, nil): reading.isOpen ? "since \(start)" : "that began \(Self.on(reading.start ?? ""))"
        case (nil, _?): "that ended \(Self.on(reading.end ?? ""))"
        case (nil, nil): "on unknown days"
        }
    }

    /// How far the reading has come: "read", "abandoned", "reading, page 180".
    public var state: String {
        switch reading.outcome {
        case .finished: "read"
        case .abandoned: ["abandoned", reading.progress.last?.place.shown].compactMap(\.self).joined(separator: ", ")
        case nil: ["reading", reading.progress.last?.place.shown].compactMap(\.self).joined(separator: ", ")
        }
    }

    /// The days and the state: "read from 1 May 2019 to 2 June 2019", "reading since 9 March 2026, page 180 on 12 March
    /// 2026".
    public var sentence: String {
        let verb = reading.outcome?.rawValue ?? "reading"
        let days = days.hasPrefix("that ") ? String(days.dropFirst(5)) : days
        let steps = reading.progress.last.map { [$0.place.shown + " " + Self.on($0.day)] } ?? []
        return ([verb + (days.hasPrefix("from") || days.hasPrefix("since") ? " " : ", ") + days] + steps)
            .joined(separator: ", ")
    }

    /// Returns a day with its preposition: "on 12 March 2024", "in March 2024".
    public static func on(_ day: String) -> String { (day.utf8.count > 7 ? "on " : "in ") + DayInput.inWords(day) }
}
