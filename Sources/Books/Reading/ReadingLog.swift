/// The readings of a book, and the day on which it was put on the list of books to read.
public struct ReadingLog: Hashable, Sendable {
    /// The day on which the book became one to read, such as "2026-11-21"; nil if it is unknown.
    public var toRead: String?
    /// The readings, earliest first; at most one of them is open.
    public private(set) var readings: [Reading] = []

    /// Creates an empty log.
    public init() {}

    /// Creates a log of readings in any order.
    public init(toRead: String? = nil, readings: [Reading]) {
        self.toRead = toRead
        self.readings = readings
        sort()
    }

    /// Whether the log says nothing.
    public var isEmpty: Bool { toRead == nil && readings.isEmpty }

    /// The reading that has not ended.
    public var current: Reading? { readings.last(where: \.isOpen) }

    /// The last reading that was finished, by the order of the log.
    public var lastFinished: Reading? { readings.last { $0.outcome == .finished } }

    /// The number of times that the book was finished.
    public var finishedCount: Int { readings.count { $0.outcome == .finished } }

    private mutating func sort() {
        // Of those that begin on one day, the one that lasts is the last. Only readings that are alike keep the order in
        // which they were entered, so that logs can be merged in any order.
        func key(_ reading: Reading) -> (String, Int, String, String) {
            (reading.order, reading.isOpen ? 1 : 0, reading.end ?? "", reading.outcome?.rawValue ?? "")
        }
        readings = readings.enumerated()
            .sorted { first, second in
                let (one, other) = (key(first.element), key(second.element))
                return one == other ? first.offset < second.offset : one < other
            }
            .map(\.element)
    }
}

// MARK: - The most recent day of each status

extension ReadingLog {
    /// Creates the log that follows from the most recent day of each status, all that early versions and other programs
    /// store: a book that was begun and finished later was read once.
    public init(statusDates dates: [Book.ReadingStatus: String], status: Book.ReadingStatus?) {
        toRead = dates[.toRead]
        var ended: [Reading] = []
        if let end = dates[.read] { ended.append(Reading(end: end, outcome: .finished)) }
        if let end = dates[.abandoned] { ended.append(Reading(end: end, outcome: .abandoned)) }
        ended.sort { $0.order < $1.order }
        // A status that ends a reading has one, even if nobody knows when.
        if let outcome = status?.outcome, !ended.contains(where: { $0.outcome == outcome }) {
            ended.append(Reading(outcome: outcome))
        }
        let start = dates[.reading]
        if status != .reading, let start,
            let next = ended.firstIndex(where: { $0.end.map { !Self.isDay(start, after: $0) } ?? true })
        {
            ended[next].start = start
        } else if status == .reading || start != nil {
            ended.append(Reading(start: start))
        }
        readings = ended
        sort()
    }

    /// The most recent day of each status, as far as they are known.
    public var statusDates: [Book.ReadingStatus: String] {
        var dates: [Book.ReadingStatus: String] = [:]
        dates[.toRead] = toRead
        dates[.reading] = readings.compactMap(\.start).max()
        dates[.read] = readings.compactMap { $0.outcome == .finished ? $0.end : nil }.max()
        dates[.abandoned] = readings.compactMap { $0.outcome == .abandoned ? $0.end : nil }.max()
        return dates
    }

    /// Whether the most recent day of each status says as much as the log.
    public func followsFromStatusDates(of status: Book.ReadingStatus?) -> Bool {
        self == ReadingLog(statusDates: statusDates, status: status)
    }

    /// Returns whether a day is certainly after another one: "2024" is not after "2024-03", nor the other way round.
    public static func isDay(_ day: String, after other: String) -> Bool {
        let count = min(day.utf8.count, other.utf8.count)
        return day.prefix(count) > other.prefix(count)
    }
}

extension Reading {
    /// Whether the reading has no other day than `day`, and no progress.
    fileprivate func isEntry(of day: String) -> Bool {
        progress.isEmpty && [start, end].allSatisfy { $0 == nil || $0 == day }
    }
}

extension Book.ReadingStatus {
    /// How a reading ended that this status is about.
    var outcome: Reading.Outcome? {
        switch self {
        case .read: .finished
        case .abandoned: .abandoned
        case .toRead, .reading: nil
        }
    }
}

// MARK: - Changes

extension ReadingLog {
    /// Adds what a new status means.
    ///
    /// Reading continues the open reading or begins a new one; a book that is read or abandoned ends the open reading
    /// or, if there is none, one that began on an unknown day. A status that the book has already changes only a given
    /// day. No status removes what the old status is about; earlier readings stay.
    ///
    /// - Parameters:
    ///   - status: The new status.
    ///   - old: The status before.
    ///   - day: The day, such as "2026-11-21" or "2024-03".
    ///   - isGiven: Whether the reader gave the day; it replaces a known one then.
    /// - Returns: The status of the book after this: an end before the open reading began is one of an earlier reading.
    public mutating func set(
        _ status: Book.ReadingStatus?, after old: Book.ReadingStatus?, on day: String, isGiven: Bool
    ) -> Book.ReadingStatus? {
        switch status {
        case .toRead: if old != .toRead || isGiven { toRead = day }
        case .reading: start(on: day, isGiven: isGiven)
        case .read, .abandoned:
            guard let outcome = status?.outcome else { break }
            if let current, let start = current.start, Self.isDay(start, after: day) {
                add(Reading(end: day, outcome: outcome))
                return old ?? status
            }
            if let index = readings.lastIndex(where: \.isOpen) {
                readings[index].outcome = outcome
                readings[index].end = day
            } else if old == status, let index = readings.lastIndex(where: { $0.outcome == outcome }) {
                if isGiven { correctEnd(of: index, to: day) }
            } else {
                readings.append(Reading(end: day, outcome: outcome))
            }
        case nil: removeWhatIsBehind(old)
        }
        sort()
        return status
    }

    private mutating func start(on day: String, isGiven: Bool) {
        if let index = readings.lastIndex(where: \.isOpen) {
            if isGiven { readings[index].start = day }
        } else {
            readings.append(Reading(start: day))
        }
    }

    private mutating func correctEnd(of index: Int, to day: String) {
        readings[index].end = day
        // A reading does not end before it begins.
        if let start = readings[index].start, Self.isDay(start, after: day) { readings[index].start = nil }
    }

    /// Returns whether what clearing `status` would remove is an entry of `day`, without progress or another day.
    public func hasNothing(behind status: Book.ReadingStatus?, but day: String) -> Bool {
        switch status {
        case .toRead: return toRead == nil || toRead == day
        case .reading: return readings.filter(\.isOpen).allSatisfy { $0.isEntry(of: day) }
        case .read, .abandoned:
            return readings.last { $0.outcome == status?.outcome }.map { $0.isEntry(of: day) } ?? true
        case nil: return true
        }
    }

    private mutating func removeWhatIsBehind(_ status: Book.ReadingStatus?) {
        switch status {
        case .toRead: toRead = nil
        case .reading: readings.removeAll(where: \.isOpen)
        case .read, .abandoned:
            if let index = readings.lastIndex(where: { $0.outcome == status?.outcome }) { readings.remove(at: index) }
        case nil: break
        }
    }

    /// Sets how far the reader has come in the open reading, which begins on an unknown day if there is none.
    public mutating func set(_ progress: ReadingProgress) {
        let index = readings.lastIndex(where: \.isOpen) ?? readings.endIndex
        if index == readings.endIndex { readings.append(Reading()) }
        readings[index].progress.removeAll { $0.day == progress.day }
        readings[index].progress.append(progress)
        readings[index].progress.sort { $0.day < $1.day }
        sort()
    }

    /// Adds a reading.
    public mutating func add(_ reading: Reading) {
        readings.append(reading)
        sort()
    }

    /// Removes the reading at an index of `readings`.
    public mutating func removeReading(at index: Int) { readings.remove(at: index) }
}

// MARK: - Merging

extension ReadingLog {
    /// Adds the readings of another log of the same book; those that both have, possibly known more exactly in one of
    /// them, are one reading. The result does not depend on the order of the logs.
    ///
    /// A reading of unknown days stands for any reading that ended in the same way, since programs that count readings
    /// know the days of only one of them.
    public mutating func merge(_ other: ReadingLog) {
        toRead = Self.later(toRead, other.toRead)
        readings += match(other.readings)
        // Two open readings cannot be told apart from one that was begun twice.
        while let last = readings.lastIndex(where: \.isOpen),
            let first = readings[..<last].lastIndex(where: \.isOpen)
        {
            let reading = readings.remove(at: last)
            readings[first].merge(reading)
        }
        sort()
    }

    /// Replaces the log by another one of the same book, and keeps what this log knows more exactly of its readings.
    public mutating func replace(with other: ReadingLog) {
        let day = other.toRead ?? toRead
        if other.readings.allSatisfy(\.isUndated) {
            // The other log says only how often the book was read.
            merge(other)
        } else {
            let old = readings
            readings = other.readings
            _ = match(old)
            sort()
        }
        toRead = day
    }

    /// Merges each of `others` with the reading that is the same, each reading with at most one of them.
    ///
    /// - Returns: Those of `others` for which there is none.
    private mutating func match(_ others: [Reading]) -> [Reading] {
        var free = Array(readings.indices)
        func matching(_ others: [Reading], _ isSame: (Reading, Reading) -> Bool) -> [Reading] {
            others.filter { other in
                guard let place = free.firstIndex(where: { isSame(readings[$0], other) }) else { return true }
                readings[free.remove(at: place)].merge(other)
                return false
            }
        }
        let unequal = matching(others) { $0 == $1 }
        let different = matching(unequal) { $0.isSame(as: $1) }
        return matching(different) { ($0.isUndated || $1.isUndated) && !$0.isOpen && $0.outcome == $1.outcome }
    }

    /// Returns the later day, or the more exact one of days that may be the same.
    private static func later(_ day: String?, _ other: String?) -> String? {
        guard let day, let other else { return day ?? other }
        return isDay(other, after: day) || other.hasPrefix(day) ? other : day
    }

    /// Returns this log with the changes that lead from `old` to `new`.
    public func applying(changesFrom old: ReadingLog, to new: ReadingLog) -> ReadingLog {
        if self == old { return new }
        var log = self
        if new.toRead != old.toRead { log.toRead = new.toRead }
        let removed = old.readings.removing(new.readings)
        log.readings = log.readings.removing(removed)
        let added = new.readings.removing(old.readings)
        let dated = ReadingLog(readings: added.filter { !$0.isUndated || $0.isOpen })
        log.merge(dated)
        log.readings += added.filter { $0.isUndated && !$0.isOpen }
        log.sort()
        return log
    }
}

extension [Reading] {
    /// Returns the readings without those in `others`, each of which removes only one.
    fileprivate func removing(_ others: [Reading]) -> [Reading] {
        var rest = others
        return filter { reading in
            guard let index = rest.firstIndex(of: reading) else { return true }
            rest.remove(at: index)
            return false
        }
    }
}

extension Reading {
    /// Whether neither the start nor the end is known.
    fileprivate var isUndated: Bool { start == nil && end == nil }

    /// Returns whether both are about one reading: their ends do not contradict each other, and they have a day in
    /// common.
    fileprivate func isSame(as other: Reading) -> Bool {
        let starts = Self.areSame(start, other.start)
        let ends = Self.areSame(end, other.end)
        if starts == false || ends == false { return false }
        if let outcome, let another = other.outcome, outcome != another { return false }
        return starts == true || ends == true
    }

    /// Returns whether two days are the same as far as both are known; nil if one is not known at all.
    private static func areSame(_ day: String?, _ other: String?) -> Bool? {
        guard let day, let other else { return nil }
        return day.hasPrefix(other) || other.hasPrefix(day)
    }

    /// Adds what the other form of this reading knows more exactly.
    fileprivate mutating func merge(_ other: Reading) {
        func longer(_ day: String?, _ other: String?) -> String? {
            (other?.utf8.count ?? 0) > (day?.utf8.count ?? 0) ? other : day
        }
        start =
            Self.areSame(start, other.start) == true
            ? longer(start, other.start)
            : [start, other.start].compactMap(\.self).min()
        end = longer(end, other.end)
        outcome = outcome ?? other.outcome
        for step in other.progress {
            if let index = progress.firstIndex(where: { $0.day == step.day }) {
                // Of two places of one day, the later one in the book.
                if progress[index].place.order < step.place.order { progress[index] = step }
            } else {
                progress.append(step)
            }
        }
        progress.sort { $0.day < $1.day }
    }
}

extension ReadingProgress.Place {
    /// The key by which places are ordered; a page comes after each part in per cent.
    fileprivate var order: (Int, Int) {
        switch self {
        case .percent(let percent): (0, percent)
        case .page(let page): (1, page)
        }
    }
}
