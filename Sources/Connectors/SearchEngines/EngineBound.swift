internal import JSON

/// The value with which a search engine compares sort keys to find the first book at a letter or number, as typed.
struct EngineBound {
    private let isNumber: Bool
    private let isDate: Bool
    private let isDescending: Bool
    private let typed: String

    /// The last character of all.
    private static let last = "\u{10FFFF}"
    /// The days from the year 0 to 1970 in the proleptic Gregorian calendar.
    private static let daysBefore1970 = 719_528

    /// Creates a bound; nil for text among numbers.
    init?(_ typed: String, isNumber: Bool, isDate: Bool, isDescending: Bool) {
        if (isNumber || isDate) && Int(typed) == nil { return nil }
        (self.isNumber, self.isDate, self.isDescending, self.typed) = (isNumber, isDate, isDescending, typed)
    }

    /// The value as JSON; a year among dates as its beginning in milliseconds since 1970, or its end in a descending order.
    /// Texts that are not folded begin with a capital letter.
    var json: JSONValue {
        if isDate, let milliseconds { return JSONValue(milliseconds) }
        if isNumber || isDate { return .number(typed) }
        return .string(typed.uppercased() + (isDescending ? Self.last : ""))
    }

    private var milliseconds: Int? {
        guard let year = Int(typed), abs(year) < 100_000 else { return nil }
        let (days, next) = (Self.days(before: year), Self.days(before: year + 1))
        return ((isDescending ? next : days) - Self.daysBefore1970) * 86_400_000 - (isDescending ? 1 : 0)
    }

    /// The value in the query language of Solr.
    var solrText: String {
        guard isDate else { return SolrText.quoted(json.string ?? json.json) }
        let year = String(repeating: "0", count: max(0, 4 - typed.count)) + typed
        return "\"\(year)-\(isDescending ? "12-31T23:59:59.999Z" : "01-01T00:00:00Z")\""
    }

    private static func days(before year: Int) -> Int {
        let years = year - 1
        return years * 365 + years / 4 - years / 100 + years / 400 + 366
    }
}
