public import Books

extension DayInput.Problem {
    /// The reason in words, without a full stop.
    public var phrase: String {
        switch self {
        case .notADay(let typed): Message.notADay.text(typed)
        case .noSuchDay(let typed): Message.noSuchDay.text(typed)
        case .inTheFuture(let day): Message.dayInTheFuture.text(day)
        }
    }
}

extension ProgressInput.Problem {
    /// The reason in words, without a full stop.
    public var phrase: String {
        switch self {
        case .notAPlace(let typed): typed.isEmpty ? Message.placeMissing.text() : Message.notAPlace.text(typed)
        case .beyondEnd(let pageCount): Message.placeBeyondEnd.text(pageCount.of("page"))
        case .day(let problem): problem.phrase
        }
    }
}

extension ReadingProgress.Place {
    /// The place as it is shown: "page 180", "45 %".
    public var shown: String {
        switch self {
        case .page(let page): "page \(page.grouped)"
        case .percent(let percent): "\(percent)\u{A0}%"
        }
    }
}

extension CalendarDay {
    /// Returns a date of a log in short words, as seen on this day: "today", "9 Mar", "9 Mar 2024", "Mar 2024", "2019".
    public func shortName(of date: String) -> String {
        if date == text { return "today" }
        let parts = date.split(separator: "-").compactMap { Int($0) }
        guard parts.count > 1, 1...12 ~= parts[1] else { return date }
        let month = String(DayInput.months[parts[1] - 1].prefix(3))
        let name = parts.count == 2 ? month : "\(parts[2])\u{A0}\(month)"
        return parts[0] == self.parts.year && parts.count == 3 ? name : "\(name)\u{A0}\(parts[0])"
    }
}
