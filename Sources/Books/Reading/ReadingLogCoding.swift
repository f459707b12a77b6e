public import JSON

extension ReadingLog {
    /// Creates the log of stored members: the most recent day of each status and, if these do not say all, the
    /// readings. A damaged member counts as missing.
    public init(dates: JSONValue?, readings: JSONValue?, status: Book.ReadingStatus?) {
        let dates = dates.flatMap([Book.ReadingStatus: String].init(json:)) ?? [:]
        if let readings = readings.flatMap([Reading].init(json:)) {
            self.init(toRead: dates[.toRead], readings: readings)
        } else {
            self.init(statusDates: dates, status: status)
        }
    }

    /// The readings as stored beside the most recent day of each status; nil if they follow from these days.
    public func json(with status: Book.ReadingStatus?) -> JSONValue? {
        followsFromStatusDates(of: status) ? nil : readings.json
    }
}

extension [Reading] {
    /// The readings as an array of objects with sorted keys.
    public var json: JSONValue { .array(map(\.json)) }

    /// Parses the readings; fails if `value` is not an array of readings.
    public init?(json value: JSONValue) {
        guard case .array(let elements) = value else { return nil }
        self = []
        for element in elements {
            guard let reading = Reading(json: element) else { return nil }
            append(reading)
        }
    }
}

extension Reading {
    fileprivate var json: JSONValue {
        var members: [JSONValue.Member] = []
        func add(_ key: String, _ value: JSONValue?) {
            if let value { members.append(JSONValue.Member(key: key, value: value)) }
        }
        add("end", end.map(JSONValue.string))
        add("outcome", outcome.map { .string($0.rawValue) })
        add("progress", progress.isEmpty ? nil : .array(progress.map(\.json)))
        add("start", start.map(JSONValue.string))
        return .object(members)
    }

    fileprivate init?(json value: JSONValue) {
        guard value.members != nil else { return nil }
        var outcome: Outcome?
        if let name = value["outcome"]?.string {
            guard let known = Outcome(rawValue: name) else { return nil }
            outcome = known
        }
        var progress: [ReadingProgress] = []
        if case .array(let steps)? = value["progress"] {
            for step in steps {
                guard let step = ReadingProgress(json: step) else { return nil }
                progress.append(step)
            }
        }
        self.init(start: value["start"]?.string, end: value["end"]?.string, outcome: outcome, progress: progress)
    }
}

extension ReadingProgress {
    fileprivate var json: JSONValue {
        let place =
            switch place {
            case .page(let page): JSONValue.Member(key: "page", value: JSONValue(page))
            case .percent(let percent): JSONValue.Member(key: "percent", value: JSONValue(percent))
            }
        return .object([JSONValue.Member(key: "day", value: .string(day)), place])
    }

    fileprivate init?(json value: JSONValue) {
        guard let day = value["day"]?.string else { return nil }
        if let page = value["page"]?.integer, page > 0 {
            self.init(.page(page), on: day)
        } else if let percent = value["percent"]?.integer, 0...100 ~= percent {
            self.init(.percent(percent), on: day)
        } else {
            return nil
        }
    }
}

extension [Book.ReadingStatus: String] {
    /// The dates as an object, sorted by the names of the statuses.
    public var json: JSONValue {
        .object(
            sorted { $0.key.rawValue < $1.key.rawValue }
                .map { JSONValue.Member(key: $0.key.rawValue, value: .string($0.value)) })
    }

    /// Parses the dates; fails if `value` is not an object of dates by status.
    public init?(json value: JSONValue) {
        guard let members = value.members else { return nil }
        self.init()
        for member in members {
            guard let status = Book.ReadingStatus(rawValue: member.key), let day = member.value.string else {
                return nil
            }
            self[status] = day
        }
    }
}
