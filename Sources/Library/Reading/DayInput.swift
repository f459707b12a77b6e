internal import Books
internal import Text

/// A day as a reader types it, in the past or today: "yesterday", "last sunday", "12 mar", "3 days ago", "2024-03",
/// "2019".
public struct DayInput: Hashable, Sendable {
    /// Why a text is not a day that can be entered.
    public enum Problem: Error, Hashable, Sendable {
        /// The text is not a day in any known form.
        case notADay(String)
        /// The day does not exist, such as 31 June.
        case noSuchDay(String)
        /// The day, in words, is not in the past.
        case inTheFuture(String)
    }

    /// The day as user data store it: "2026-11-21", "2024-03", "2019".
    public let text: String

    /// Reads a text; an empty one is today.
    ///
    /// Days without a year are the last ones of that name. Names of months and weekdays are English, in full or with at
    /// least three letters; numbers are day, month, year, or year, month, day if the year comes first.
    ///
    /// - Throws: `Problem` if the text is no day, or one in the future.
    public init(_ typed: String, today: CalendarDay) throws(Problem) {
        let words = Self.words(of: typed)
        guard let date = Self.relativeDay(words, today) ?? Self.date(words, today) else {
            throw .notADay(typed)
        }
        if let problem = Self.problem(with: date, typed, today) { throw problem }
        text = date.description
    }

    /// The day in words: "12 March 2024", "March 2024", "2019"; with "today" or "yesterday" if it is that.
    public func shown(today: CalendarDay) -> String { Self.shown(text, today: today) }

    /// Returns a stored day in words.
    public static func shown(_ day: String, today: CalendarDay) -> String {
        if day == today.text { return "today" }
        if day == (today - 1).text { return "yesterday" }
        return inWords(day)
    }

    /// Returns a stored day in words that do not depend on today: "12 March 2024".
    public static func inWords(_ day: String) -> String {
        let parts = day.split(separator: "-").compactMap { Int($0) }
        guard let year = parts.first, parts.count < 2 || 1...12 ~= parts[1] else { return day }
        return switch parts.count {
        case 1: String(year)
        case 2: "\(months[parts[1] - 1]) \(year)"
        default: "\(parts[2]) \(months[parts[1] - 1]) \(year)"
        }
    }

    /// The English names of the months.
    public static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// The English names of the days of the week, from Monday.
    static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

    // MARK: - Reading

    /// Splits a text into words and numbers: "12th of March, 2024" is 12, march, 2024.
    private static func words(of text: String) -> [String] {
        let separators: Set<Character> = [" ", "\t", ",", ".", "/", "-"]
        let words = text.lowercased().split { separators.contains($0) }.map(String.init)
        return words.filter { !fillers.contains($0) }.map(withoutEnding)
    }

    /// Words that say nothing.
    private static let fillers: Set<String> = ["of", "on", "the", "in"]

    /// Returns a number without the ending of an ordinal: "12th" becomes "12".
    private static func withoutEnding(_ word: String) -> String {
        let digits = word.prefix { $0.isASCII && $0.isNumber }
        let isOrdinal = ["st", "nd", "rd", "th"].contains(String(word.dropFirst(digits.count)))
        return isOrdinal && !digits.isEmpty ? String(digits) : word
    }

    private static func relativeDay(_ words: [String], _ today: CalendarDay) -> PartialDate? {
        func partial(_ day: CalendarDay) -> PartialDate {
            let (year, month, day) = day.parts
            return PartialDate(year: year, month: month, day: day)
        }
        let (year, month, _) = today.parts
        switch words {
        case [], ["today"], ["now"]: return partial(today)
        case ["yesterday"]: return partial(today - 1)
        case ["tomorrow"]: return partial(today + 1)
        case ["day", "before", "yesterday"]: return partial(today - 2)
        case ["last", "week"]: return partial(today - 7)
        case ["last", "month"]:
            return PartialDate(year: month == 1 ? year - 1 : year, month: month == 1 ? 12 : month - 1)
        case ["this", "month"]: return PartialDate(year: year, month: month)
        case ["last", "year"]: return PartialDate(year: year - 1)
        case ["this", "year"]: return PartialDate(year: year)
        default: break
        }
        if words.count == 3, words[2] == "ago", let count = count(words[0]), count < 100_000 {
            switch words[1] {
            case "day", "days": return partial(today - count)
            case "week", "weeks": return partial(today - 7 * count)
            case "month", "months":
                let months = year * 12 + month - 1 - count
                return PartialDate(year: months / 12, month: months % 12 + 1)
            case "year", "years": return PartialDate(year: year - count)
            default: return nil
            }
        }
        let name = words.first == "last" ? Array(words.dropFirst()) : words
        if name.count == 1, let weekday = number(of: name[0], in: weekdays) {
            // The last day of this name before today.
            let back = (today.weekday - weekday + 6) % 7 + 1
            return partial(today - back)
        }
        return nil
    }

    private static func count(_ word: String) -> Int? {
        ["a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6][word] ?? Int(word)
    }

    /// Returns the number of the name that a word of at least three letters begins, from 0.
    private static func number(of word: String, in names: [String]) -> Int? {
        guard word.count >= 3 else { return nil }
        return names.firstIndex { $0.lowercased().hasPrefix(word) }
    }

    private static func date(_ words: [String], _ today: CalendarDay) -> PartialDate? {
        let (thisYear, thisMonth, _) = today.parts
        /// The last year in which the month, or the day of it, is not after today.
        func lastYear(_ month: Int, _ day: Int?) -> Int {
            guard let day else { return month > thisMonth ? thisYear - 1 : thisYear }
            return CalendarDay(year: thisYear, month: month, day: day).map { $0 <= today } ?? true
                ? thisYear : thisYear - 1
        }
        let monthPlace = words.firstIndex { number(of: $0, in: months) != nil }
        let namedMonth = monthPlace.flatMap { number(of: words[$0], in: months) }.map { $0 + 1 }
        let others = words.indices.filter { $0 != monthPlace }.map { words[$0] }
        let numbers = others.compactMap { Int($0) }
        guard numbers.count == others.count else { return nil }
        return namedMonth.map { dateNaming($0, numbers, lastYear) } ?? dateInNumbers(numbers, lastYear)
    }

    /// Returns the date of a named month with the other numbers typed; nil if they are no day or year.
    private static func dateNaming(
        _ month: Int, _ numbers: [Int], _ lastYear: (Int, Int?) -> Int
    ) -> PartialDate? {
        switch numbers.count {
        case 0: return PartialDate(year: lastYear(month, nil), month: month)
        case 1 where isYear(numbers[0]): return PartialDate(year: numbers[0], month: month)
        case 1 where 1...31 ~= numbers[0]:
            return PartialDate(year: lastYear(month, numbers[0]), month: month, day: numbers[0])
        case 2 where isYear(numbers[1]): return PartialDate(year: numbers[1], month: month, day: numbers[0])
        case 2 where isYear(numbers[0]): return PartialDate(year: numbers[0], month: month, day: numbers[1])
        default: return nil
        }
    }

    /// Returns the date of numbers alone; nil if they are none.
    private static func dateInNumbers(_ numbers: [Int], _ lastYear: (Int, Int?) -> Int) -> PartialDate? {
        guard let first = numbers.first, let last = numbers.last else { return nil }
        switch numbers.count {
        case 1 where isYear(first): return PartialDate(year: first)
        case 2 where isYear(first): return PartialDate(year: first, month: last)
        case 2 where isYear(last): return PartialDate(year: last, month: first)
        case 2 where 1...31 ~= first && 1...12 ~= last:
            return PartialDate(year: lastYear(last, first), month: last, day: first)
        case 3 where isYear(first): return PartialDate(year: first, month: numbers[1], day: last)
        case 3 where isYear(last): return PartialDate(year: last, month: numbers[1], day: first)
        default: return nil
        }
    }

    private static func isYear(_ number: Int) -> Bool { 1000...9999 ~= number }

    private static func problem(with date: PartialDate, _ typed: String, _ today: CalendarDay) -> Problem? {
        let (year, month, _) = today.parts
        if let named = date.month {
            guard 1...12 ~= named else { return .noSuchDay(typed) }
            if let day = date.day {
                guard let day = CalendarDay(year: date.year, month: named, day: day) else { return .noSuchDay(typed) }
                return day > today ? .inTheFuture(inWords(date.description)) : nil
            }
        }
        return (date.year, date.month ?? 1) > (year, month) ? .inTheFuture(inWords(date.description)) : nil
    }
}
