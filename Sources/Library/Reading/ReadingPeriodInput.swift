public import Books

/// The days of a reading and how it ended, as a reader types them: "9 mar to 12 apr", "2019 to 2020 abandoned",
/// "2024-03-09 to", "to 2020", "yesterday". Two days need " to " between them; a day alone is the start of a reading that
/// lasts, and the end of one that does not.
public struct ReadingPeriodInput: Hashable, Sendable {
    /// The first day as user data store it; nil if it is unknown.
    public let start: String?
    /// The last day; nil if it is unknown or the reading lasts.
    public let end: String?
    /// How the reading ended; nil if it lasts.
    public let outcome: Reading.Outcome?

    /// Reads a text that takes the place of the days and the outcome of a reading. An outcome that is not typed stays,
    /// but a reading with an end has ended.
    ///
    /// - Throws: `DayInput.Problem` if a part of the text is not a day in the past.
    public init(_ typed: String, of reading: Reading, today: CalendarDay) throws(DayInput.Problem) {
        var words = typed.split(whereSeparator: \.isWhitespace).map(String.init)
        var outcome = reading.outcome
        if let word = words.last?.lowercased(), let named = Self.outcomes[word] {
            outcome = named
            words.removeLast()
        }
        let middle = words.firstIndex { $0.lowercased() == "to" || $0 == "–" }
        let first = words[..<(middle ?? 0)].joined(separator: " ")
        let last = words[(middle.map { $0 + 1 } ?? 0)...].joined(separator: " ")
        var days: [String?] = []
        for text in [first, last] { days.append(text.isEmpty ? nil : try DayInput(text, today: today).text) }
        if middle == nil, outcome == nil { days.reverse() }
        (start, end) = (days[0], days[1])
        self.outcome = outcome ?? (end == nil ? nil : .finished)
    }

    private static let outcomes: [String: Reading.Outcome] = [
        "read": .finished, "finished": .finished, "abandoned": .abandoned,
    ]

    /// Returns the text of the days of a reading, which the input reads as the same.
    public static func text(of reading: Reading) -> String {
        switch (reading.start, reading.end) {
        case (nil, nil): reading.outcome?.rawValue ?? ""
        case (let start, let end):
            ([start, "to", end].compactMap(\.self) + (reading.outcome == .abandoned ? ["abandoned"] : []))
                .joined(separator: " ") + (end == nil && reading.isOpen ? " " : "")
        }
    }

    /// Returns a reading with these days and this outcome.
    public func applied(to reading: Reading) -> Reading {
        var reading = reading
        (reading.start, reading.end, reading.outcome) = (start, end, outcome)
        return reading
    }
}
