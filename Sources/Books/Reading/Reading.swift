/// One reading of a book, from its start to the day when the book was finished or abandoned.
public struct Reading: Hashable, Sendable {
    /// How a reading ended.
    public enum Outcome: String, Hashable, Sendable {
        case finished = "read"
        case abandoned
    }

    /// The day of the start, such as "2026-11-21", or only its year and month, or its year; nil if it is unknown.
    public var start: String?
    /// The day of the end, in the same form; nil if it is unknown or the reading has not ended.
    public var end: String?
    /// How the reading ended; nil while it lasts.
    public var outcome: Outcome?
    /// How far the reader had come, by day; at most one of each day.
    public var progress: [ReadingProgress] = []

    /// Creates a reading.
    public init(start: String? = nil, end: String? = nil, outcome: Outcome? = nil, progress: [ReadingProgress] = []) {
        (self.start, self.end, self.outcome, self.progress) = (start, end, outcome, progress)
    }

    /// Whether the reading has not ended.
    public var isOpen: Bool { outcome == nil }

    /// The day by which readings are ordered: the first one that is known. A reading that lasts and has no day is the
    /// last, one that has ended and has no day is the first.
    var order: String { start ?? progress.first?.day ?? end ?? (isOpen ? "9999" : "") }
}

/// How far a reader has come in a book.
public struct ReadingProgress: Hashable, Sendable {
    /// The place in the book.
    public enum Place: Hashable, Sendable {
        /// A page, from 1.
        case page(Int)
        /// A part of the book in per cent, from 0 to 100.
        case percent(Int)
    }

    /// The place.
    public var place: Place
    /// The day, such as "2026-11-21".
    public var day: String

    /// Creates the progress on a day.
    public init(_ place: Place, on day: String) { (self.place, self.day) = (place, day) }
}

extension ReadingProgress.Place {
    /// The part of a book with this number of pages, from 0 to 1; nil for a page if the number is unknown.
    public func part(of pageCount: Int?) -> Double? {
        switch self {
        case .percent(let percent): Double(percent) / 100
        case .page(let page): pageCount.flatMap { $0 > 0 ? min(1, Double(page) / Double($0)) : nil }
        }
    }

    /// The number of pages read in a book with this number of pages; nil for a part of unknown length.
    public func pages(of pageCount: Int?) -> Double? {
        switch self {
        case .page(let page): Double(page)
        case .percent(let percent): pageCount.map { Double($0) * Double(percent) / 100 }
        }
    }
}
