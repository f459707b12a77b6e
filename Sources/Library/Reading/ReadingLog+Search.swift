internal import Books
internal import Indexing
internal import Search

extension UserDataFilter {
    /// Adds the readings of a book of `index`, as queries can refer to them.
    mutating func take(_ log: ReadingLog, of book: BookID, in index: BookIndex) {
        func add(_ field: Query.LogField, _ value: Double?) {
            if let value { logs[field, default: []].append((book.number, value)) }
        }
        for reading in log.readings {
            add(.started, reading.start.flatMap(Query.number(ofDay:)))
            if reading.outcome == .finished { add(.read, reading.end.flatMap(Query.number(ofDay:))) }
        }
        let ends = log.readings.compactMap { $0.outcome == .finished ? $0.end.flatMap { Int($0.prefix(4)) } : nil }
        for year in Set(ends) { readYears[year, default: []].append(book.number) }
        add(.readings, Double(log.readings.count))
        guard let place = log.current?.progress.last?.place else { return }
        let pageCount = book.index < index.count ? index.pageCount(of: book) : nil
        add(.progress, place.part(of: pageCount).map { ($0 * 100).rounded(.down) })
    }
}
