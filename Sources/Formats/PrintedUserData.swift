public import Books
public import JSON

/// The user data of a book to be formatted.
public struct PrintedUserData: Hashable, Sendable {
    /// Whether the book is a favourite.
    public var isFavourite = false
    /// The names of the shelves that contain the book.
    public var shelves: [String] = []
    /// The reading status.
    public var status: Book.ReadingStatus?
    /// The readings, and the day on which the book became one to read.
    public var readingLog = ReadingLog()
    /// The rating.
    public var rating: StarRating?
    /// The note.
    public var note: String?

    /// Creates user data without any value.
    public init() {}

    /// The most recent date of each status, such as "2026-11-21".
    public var statusDates: [Book.ReadingStatus: String] { readingLog.statusDates }

    /// The readings, unless they follow from the status and the most recent date of each status; nil in that case.
    public var furtherReadings: [Reading]? {
        readingLog.followsFromStatusDates(of: status) ? nil : readingLog.readings
    }

    /// Whether all values are unset.
    public var isEmpty: Bool { self == Self() }
}

/// The member `userData` of the native record.
extension PrintedUserData {
    /// The name of the member in the record of a book.
    public static let memberName = "userData"

    /// The user data as an object that contains only the values that are set.
    public var json: JSONValue {
        var members: [JSONValue.Member] = []
        func add(_ key: String, _ value: JSONValue?) {
            if let value { members.append(.init(key: key, value: value)) }
        }
        add("favourite", isFavourite ? .boolean(true) : nil)
        add("shelves", shelves.isEmpty ? nil : JSONValue(shelves))
        add("status", JSONValue(status?.rawValue))
        let dates = Book.ReadingStatus.allCases.compactMap { status in
            statusDates[status].map { JSONValue.Member(key: status.rawValue, value: .string($0)) }
        }
        add("statusDates", dates.isEmpty ? nil : .object(dates))
        add("readings", furtherReadings?.json)
        add("rating", rating.map { $0.hasHalf ? .number($0.number) : JSONValue($0.whole) })
        add("note", JSONValue(note))
        return .object(members)
    }

    /// Reads an object as `json` writes it, and ignores members with other names.
    ///
    /// - Parameter invalid: Receives the names of members whose values are invalid; they stay unset.
    public init(json: JSONValue, invalid: inout [String]) {
        guard let members = json.members else {
            invalid.append(Self.memberName)
            return
        }
        var log = StoredLog()
        for member in members where member.value != .null {
            if !take(member, log: &log) { invalid.append(member.key) }
        }
        readingLog = log.log(of: status)
    }

    /// The members that make up the reading log.
    private struct StoredLog {
        var dates: [Book.ReadingStatus: String] = [:]
        var readings: [Reading]?

        func log(of status: Book.ReadingStatus?) -> ReadingLog {
            readings.map { ReadingLog(toRead: dates[.toRead], readings: $0) }
                ?? ReadingLog(statusDates: dates, status: status)
        }
    }

    /// Returns whether `text` is a full or partial date: "2026", "2026-11" or "2026-11-21".
    public static func isDate(_ text: String) -> Bool {
        JSONValue.string(text).partialDate?.description == text
    }

    /// Sets the value of a member.
    ///
    /// - Returns: Whether the value is valid.
    private mutating func take(_ member: JSONValue.Member, log: inout StoredLog) -> Bool {
        let value = member.value
        switch member.key {
        case "favourite":
            guard let flag = value.boolean else { return false }
            isFavourite = flag
        case "shelves":
            guard case .array(let elements) = value else { return false }
            shelves = elements.compactMap(\.string)
            return shelves.count == elements.count
        case "status":
            status = value.string.flatMap(Book.ReadingStatus.init(rawValue:))
            return status != nil
        case "statusDates":
            guard let dates = value.members else { return false }
            for date in dates {
                guard let status = Book.ReadingStatus(rawValue: date.key), let text = date.value.string,
                    Self.isDate(text)
                else { return false }
                log.dates[status] = text
            }
        case "readings":
            guard let readings = [Reading](json: value), readings.allSatisfy(\.hasOnlyDates) else { return false }
            log.readings = readings
        case "rating":
            rating = value.double.flatMap { StarRating(exactly: $0) }
            return rating != nil
        case "note":
            guard let text = value.string else { return false }
            note = text
        default: break
        }
        return true
    }
}

extension Reading {
    /// Whether all days are full or partial dates.
    fileprivate var hasOnlyDates: Bool {
        ([start, end].compactMap(\.self) + progress.map(\.day)).allSatisfy(PrintedUserData.isDate)
    }
}
