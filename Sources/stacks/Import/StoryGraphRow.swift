internal import Books
internal import Formats
internal import Text

/// Reading a row of the CSV of StoryGraph.
extension ImportedRow {
    /// Returns the book of a row with the columns at `places`.
    func book(ofStoryGraph places: [StoryGraphFormatter.Column: Int]) -> ImportedBook {
        func text(_ column: StoryGraphFormatter.Column) -> String { self.text(at: places[column]) }
        let title = text(.title)
        let authors = text(.authors).split(separator: ",").map(\.trimmed).filter { !$0.isEmpty }
        // Editions without an ISBN have a key of another kind in its column.
        let isbn = ISBN(text(.isbn))
        var imported = ImportedBook(
            line: line, book: Book(title: title, authors: authors, isbn: isbn.isValid ? isbn : nil))
        imported.identity = BookIdentity(text(.identity))
        if let colon = title.firstIndex(of: ":") { imported.otherTitles.append(title[..<colon].trimmed) }
        imported.status = value(
            text(.readStatus), of: StoryGraphFormatter.Column.readStatus.rawValue, Self.status)
        imported.rating = value(text(.rating), of: StoryGraphFormatter.Column.rating.rawValue, Self.rating)
        if let rating = imported.rating, rating.stars != Double(text(.rating)) {
            omissions.add(
                "\(StoryGraphFormatter.Column.rating.rawValue), as rounded to half stars", text(.rating), at: line)
        }
        let note = GoodreadsNote.text(of: text(.review))
        imported.note = note.isEmpty ? nil : note
        for item in QuotedList.items(of: text(.tags), separator: ",") { imported.put(on: item) }
        imported.readingLog = readingLog(ofStoryGraph: places, status: imported.status)
        imported.setReadings(
            text(.readings), in: StoryGraphFormatter.Column.readings.rawValue, toRead: text(.dateToRead).day)
        return imported
    }

    private static func status(_ name: String) -> Book.ReadingStatus? {
        // A paused reading goes on later.
        if name.lowercased() == "paused" { return .reading }
        guard case .status(let status) = GoodreadsShelf(named: name) else { return nil }
        return status
    }

    /// Returns the nearest number of half stars, at least one half; ratings have quarters.
    private static func rating(_ text: String) -> StarRating? {
        guard let stars = Double(text), stars > 0, stars <= 5 else { return nil }
        return max(StarRating(halves: 1), StarRating(stars))
    }

    private func readingLog(
        ofStoryGraph places: [StoryGraphFormatter.Column: Int], status: Book.ReadingStatus?
    ) -> ReadingLog {
        func text(_ column: StoryGraphFormatter.Column) -> String { self.text(at: places[column]) }
        func day(_ column: StoryGraphFormatter.Column) -> String? { self.day(text(column), of: column.rawValue) }
        var ranges = text(.datesRead).split(separator: ",").compactMap { range($0.trimmed) }
        if ranges.isEmpty, let day = day(.lastDateRead) { ranges = [DateRange(end: day)] }
        let count = Int(text(.readCount)) ?? 0
        ranges.sort { $0.order < $1.order }
        // The dates of the current reading, or of one that was abandoned, are not among the readings that are counted.
        let last = status == .reading || status == .abandoned ? (ranges.count > count ? ranges.popLast() : nil) : nil
        var log = ReadingLog(
            readings: ranges.map { Reading(start: $0.start, end: $0.end, outcome: .finished) })
        switch status {
        case .reading: log.add(Reading(start: last?.start ?? last?.end))
        case .abandoned: log.add(Reading(start: last?.start, end: last?.end, outcome: .abandoned))
        case .toRead: log.toRead = day(.dateToRead) ?? day(.dateAdded)
        case .read, nil: break
        }
        log.addFinished(upTo: max(count, status == .read ? 1 : 0))
        return log
    }

    /// The days of a reading; a day on its own is the end.
    private struct DateRange {
        var start: String?
        var end: String?

        var order: String { end ?? start ?? "" }
    }

    private func range(_ text: String) -> DateRange? {
        func day(_ text: String) -> String? { self.day(text, of: StoryGraphFormatter.Column.datesRead.rawValue) }
        // Dates with dashes, as other programs write them, are no ranges.
        guard let dash = text.firstIndex(of: "-"), text.contains("/") || text.day == nil else {
            return day(text).map { DateRange(end: $0) }
        }
        var range = DateRange(start: day(text[..<dash].trimmed), end: day(text[dash...].dropFirst().trimmed))
        // A reading does not end before it starts.
        if let start = range.start, let end = range.end, ReadingLog.isDay(start, after: end) { range.start = nil }
        return range.order.isEmpty ? nil : range
    }
}
