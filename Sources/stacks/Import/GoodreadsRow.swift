internal import Books
internal import Formats
internal import Text

/// Reading a row of the CSV of Goodreads.
extension ImportedRow {
    /// Returns the book of a row with the columns at `places`.
    func book(ofGoodreads places: [GoodreadsFormatter.Column: Int]) -> ImportedBook {
        func text(_ column: GoodreadsFormatter.Column) -> String { self.text(at: places[column]) }
        let full = text(.title).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let title = SeriesInTitle(full)?.title ?? full
        var authors = [text(.author).split(whereSeparator: \.isWhitespace).joined(separator: " ")]
        authors.removeAll(where: \.isEmpty)
        let others = text(.additionalAuthors).split(separator: ",").map(\.trimmed)
        for name in others where !name.isEmpty && !authors.contains(name) { authors.append(name) }
        let isbn = [text(.isbn13), text(.isbn)].map { ISBN($0) }.first { $0.isValid }
        var imported = ImportedBook(line: line, book: Book(title: title, authors: authors, isbn: isbn))
        imported.identity = BookIdentity(text(.identity))
        if title != full { imported.otherTitles.append(full) }
        if let colon = title.firstIndex(of: ":") { imported.otherTitles.append(title[..<colon].trimmed) }
        let whole = value(text(.rating), of: GoodreadsFormatter.Column.rating.rawValue) {
            Int($0).flatMap { (0...5).contains($0) ? $0 : nil }
        }
        let rating = StarRating(whole: whole ?? 0, hasHalf: text(.halfStar).lowercased() == CSVTable.yes)
        // 0 is no rating.
        imported.rating = rating.halves == 0 ? nil : rating
        let notes = [GoodreadsNote.text(of: text(.privateNotes)), GoodreadsNote.text(of: text(.review))]
        let note = notes.filter { !$0.isEmpty }.joined(separator: "\n\n")
        imported.note = note.isEmpty ? nil : note
        for column in [GoodreadsFormatter.Column.exclusiveShelf, .bookshelves] {
            for item in QuotedList.items(of: text(column), separator: ",") { imported.put(on: item) }
        }
        imported.readingLog = readingLog(ofGoodreads: places, status: imported.status)
        imported.setReadings(
            text(.readings), in: GoodreadsFormatter.Column.readings.rawValue, toRead: text(.dateToRead).day)
        return imported
    }

    private func readingLog(
        ofGoodreads places: [GoodreadsFormatter.Column: Int], status: Book.ReadingStatus?
    ) -> ReadingLog {
        func day(_ column: GoodreadsFormatter.Column) -> String? {
            self.day(text(at: places[column]), of: column.rawValue)
        }
        var dates: [Book.ReadingStatus: String] = [:]
        dates[.read] = day(.dateRead)
        // The other dates are in columns of stacks; without these columns, two dates of Goodreads stand for them.
        dates[.toRead] = day(.dateToRead)
        dates[.reading] = day(.dateStarted)
        dates[.abandoned] = day(.dateAbandoned)
        switch status {
        case .abandoned where places[.dateAbandoned] == nil:
            (dates[.read], dates[.abandoned]) = (nil, dates[.read])
        case .toRead where places[.dateToRead] == nil: dates[.toRead] = day(.dateAdded)
        default: break
        }
        var log = ReadingLog(statusDates: dates, status: status)
        let count = Int(text(at: places[.readCount])) ?? 0
        log.addFinished(upTo: GoodreadsFormatter.finishedCount(ofReadCount: count, status: status))
        return log
    }
}
