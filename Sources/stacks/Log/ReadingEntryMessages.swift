internal import Books
internal import Library
internal import Text

extension ReadingEntry {
    /// What was entered: "started on 9 March 2026, finished on 12 March 2026".
    var sentence: String {
        let end = outcome == .finished ? "finished" : "abandoned"
        let parts = [
            toRead.map { "to read since " + DayInput.inWords($0) }, start.map { "started " + ReadingSentence.on($0) },
            progress.map { $0.place.shown + " " + ReadingSentence.on($0.day) },
            self.end.map { end + " " + ReadingSentence.on($0) },
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}

extension ReadingEntry.Problem {
    /// The error message about a book with this title, without a full stop.
    func sentence(of title: String) -> String {
        switch self {
        case .endsBeforeStart(let end, let start):
            Message.readingEndsFirst.text(ReadingSentence.on(end), ReadingSentence.on(start))
        case .progressOutside(let progress):
            Message.progressOutside.text(progress.place.shown, ReadingSentence.on(progress.day))
        case .hasEnded(let reading):
            CommandMessage.readingHasEnded.text(
                title, reading.outcome == .abandoned ? "abandoned" : "read",
                reading.end.map { " " + ReadingSentence.on($0) } ?? "")
        case .isBeingRead(let start):
            CommandMessage.readingGoesOn.text(title, start.map { " since " + DayInput.inWords($0) } ?? "")
        }
    }
}
