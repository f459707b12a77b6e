public import Storage

extension UserData {
    /// Returns the number of books that the reader wants to read in a year; 0 if it is set to none, nil if it is not set.
    public func goal(of year: Int) -> Int? { replay.state.goals[year] }

    /// Sets the number of books to read in a year, at least 0 for none; nil leaves it to the settings.
    ///
    /// - Throws: `FileError`; see `apply(_:to:)`.
    public func setGoal(_ count: Int?, of year: Int) throws(FileError) {
        loadOnce()
        let line = JournalEntry(
            subject: .goal(year: year), value: count.map { .number(max(0, $0)) } ?? .nothing, old: .nothing)
        if add(line, at: moment, step: nil) != nil { try commit() }
    }
}
