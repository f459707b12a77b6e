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
