public import Books

/// How far a reader has come in a book, as they type it: "180", "p. 180", "180/285", "45%", with a day behind it or not:
/// "180 yesterday".
public struct ProgressInput: Hashable, Sendable {
    /// Why a text is no progress that can be entered.
    public enum Problem: Error, Hashable, Sendable {
        /// The text begins with neither a page nor a part in per cent.
        case notAPlace(String)
        /// The book has only this many pages.
        case beyondEnd(pageCount: Int)
        /// The text behind the place is not a day in the past.
        case day(DayInput.Problem)
    }

    /// The place.
    public let place: ReadingProgress.Place
    /// The day, if one was typed.
    public let day: DayInput?

    /// Reads a text.
    ///
    /// - Parameter pageCount: The number of pages of the book, if it is known.
    /// - Throws: `Problem` if it is no progress, or not in this book.
    public init(_ typed: String, pageCount: Int?, today: CalendarDay) throws(Problem) {
        var rest = typed[...].drop(while: \.isWhitespace)
        for name in ["page", "pp.", "pp", "p.", "p"] where rest.lowercased().hasPrefix(name) {
            rest = rest.dropFirst(name.count).drop(while: \.isWhitespace)
            break
        }
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits), number < 1_000_000 else { throw .notAPlace(typed) }
        rest = rest.dropFirst(digits.count)
        let isPercent = rest.drop(while: \.isWhitespace).hasPrefix("%")
        if isPercent { rest = rest.drop(while: \.isWhitespace).dropFirst() }
        if !isPercent, rest.hasPrefix("/") { rest = rest.dropFirst().drop { $0.isASCII && $0.isNumber } }
        guard rest.first?.isWhitespace ?? true || isPercent, isPercent ? number <= 100 : number > 0 else {
            throw .notAPlace(typed)
        }
        if !isPercent, let pageCount, number > pageCount { throw .beyondEnd(pageCount: pageCount) }
        place = isPercent ? .percent(number) : .page(number)
        if rest.allSatisfy(\.isWhitespace) {
            day = nil
        } else {
            do throws(DayInput.Problem) {
                day = try DayInput(String(rest.drop(while: \.isWhitespace)), today: today)
            } catch { throw .day(error) }
        }
    }
}
