public import Books

/// What a reader enters into the log of a book at once: the day on which it became one to read, and a reading or a part
/// of it.
///
/// The reading is the one that lasts; else, for a book that is read or abandoned, the one that ended so; else a new one.
public struct ReadingEntry: Hashable, Sendable {
    /// Why an entry does not fit the log.
    public enum Problem: Error, Hashable, Sendable {
        /// The reading would end on a day before the day on which it starts.
        case endsBeforeStart(end: String, start: String)
        /// The reader would have come this far before the reading starts or after it ends.
        case progressOutside(ReadingProgress)
        /// The reading has ended, on a day or an unknown one, so that a later day belongs to another reading.
        case hasEnded(Reading)
        /// The book is being read, since a day or an unknown one, so that no further reading can begin.
        case isBeingRead(since: String?)
    }

    /// The day on which the book became one to read.
    public var toRead: String?
    /// The day of the start.
    public var start: String?
    /// How the reading ended.
    public var outcome: Reading.Outcome?
    /// The day of the end.
    public var end: String?
    /// How far the reader had come.
    public var progress: ReadingProgress?
    /// Whether it is a further reading.
    public var isAgain = false

    /// Creates an entry without any day.
    public init() {}

    /// Whether the entry is about a reading, rather than only the day on which the book became one to read.
    private var hasReading: Bool { start != nil || outcome != nil || progress != nil }

    /// Returns the status and the log of a book after the entry.
    ///
    /// - Throws: `Problem` if the entry does not fit the log.
    public func entered(
        in log: ReadingLog, status: Book.ReadingStatus?
    ) throws(Problem) -> (status: Book.ReadingStatus?, log: ReadingLog) {
        var log = log
        var status = status
        if let toRead {
            let new = log.set(.toRead, after: status, on: toRead, isGiven: true)
            if !hasReading { status = new }
        }
        guard hasReading else { return (status, log) }
        let index = place(in: log, status: status)
        var reading = index.map { log.readings[$0] } ?? Reading()
        let known = reading
        reading.start = start ?? reading.start
        if let outcome { (reading.outcome, reading.end) = (outcome, end) }
        if let progress {
            if outcome == nil && !reading.isOpen { throw .hasEnded(known) }
            reading.progress.removeAll { $0.day == progress.day }
            reading.progress.append(progress)
            reading.progress.sort { $0.day < $1.day }
        }
        if outcome == nil, reading.endsBeforeStart { throw .hasEnded(known) }
        log = try log.replacingReading(at: index, with: reading)
        return (Self.status(status, after: reading, in: log), log)
    }

    /// Returns the index of the reading that the entry is about; nil for a new one.
    private func place(in log: ReadingLog, status: Book.ReadingStatus?) -> Int? {
        if isAgain { return nil }
        if let index = log.readings.lastIndex(where: \.isOpen) {
            // An end before the start of the reading that lasts is the end of an earlier one.
            let isEarlier = end.map { end in
                log.readings[index].start.map { ReadingLog.isDay($0, after: end) } ?? false
            }
            return isEarlier == true ? nil : index
        }
        guard let last = status?.endOfReading, outcome == nil || outcome == last else { return nil }
        return log.readings.lastIndex { $0.outcome == last }
    }

    /// Returns the status of a book after a reading was entered.
    fileprivate static func status(
        _ old: Book.ReadingStatus?, after reading: Reading, in log: ReadingLog
    ) -> Book.ReadingStatus? {
        if log.current != nil { return .reading }
        func isLater(_ day: String?) -> Bool {
            guard let day, let end = reading.end else { return false }
            return ReadingLog.isDay(day, after: end)
        }
        if old == .toRead && isLater(log.toRead) { return old }
        if let old, old.endOfReading != nil, log.readings.contains(where: { isLater($0.end) }) { return old }
        return reading.status
    }
}

extension ReadingLog {
    /// Returns the log with another reading in place of the one at an index of `readings`; nil adds it.
    ///
    /// - Throws: `ReadingEntry.Problem` if it does not fit the log.
    fileprivate func replacingReading(
        at index: Int?, with reading: Reading
    ) throws(ReadingEntry.Problem) -> ReadingLog {
        var log = self
        if reading.endsBeforeStart {
            throw .endsBeforeStart(end: reading.end ?? "", start: reading.start ?? "")
        }
        if let outside = reading.progressOutside { throw .progressOutside(outside) }
        if let index { log.removeReading(at: index) }
        if reading.isOpen, let current = log.current { throw .isBeingRead(since: current.start) }
        log.add(reading)
        return log
    }

    /// Returns the log and the status of a book after a reading was corrected. The status follows from the reading only
    /// if that has ended otherwise than before.
    ///
    /// - Throws: `ReadingEntry.Problem` if the reading does not fit the log.
    public func correctingReading(
        at index: Int, to reading: Reading, status: Book.ReadingStatus?
    ) throws(ReadingEntry.Problem) -> (status: Book.ReadingStatus?, log: ReadingLog) {
        let log = try replacingReading(at: index, with: reading)
        let hasOtherOutcome = reading.outcome != readings[index].outcome
        return (hasOtherOutcome ? ReadingEntry.status(status, after: reading, in: log) : status, log)
    }

    /// Removes the reading at an index of `readings`.
    ///
    /// - Returns: The status of the book after this, which follows from the rest of the log if it was about the reading.
    public mutating func remove(at index: Int, status: Book.ReadingStatus?) -> Book.ReadingStatus? {
        let removed = readings[index]
        removeReading(at: index)
        guard status == removed.status, !readings.contains(where: { $0.status == status }) else { return status }
        return readings.last?.status ?? (toRead == nil ? nil : .toRead)
    }
}

extension Reading {
    /// Whether the end is certainly before the start.
    fileprivate var endsBeforeStart: Bool {
        guard let start, let end else { return false }
        return ReadingLog.isDay(start, after: end)
    }

    /// The first progress that is certainly from before the start or after the end.
    fileprivate var progressOutside: ReadingProgress? {
        progress.first { progress in
            start.map { ReadingLog.isDay($0, after: progress.day) } == true
                || end.map { ReadingLog.isDay(progress.day, after: $0) } == true
        }
    }

    /// The status of a book whose last reading this is.
    public var status: Book.ReadingStatus {
        switch outcome {
        case .finished: .read
        case .abandoned: .abandoned
        case nil: .reading
        }
    }
}

extension Book.ReadingStatus {
    /// How a reading ended that this status is about.
    fileprivate var endOfReading: Reading.Outcome? {
        switch self {
        case .read: .finished
        case .abandoned: .abandoned
        case .toRead, .reading: nil
        }
    }
}
