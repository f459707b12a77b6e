internal import Shelves
public import Storage

extension Library {
    /// Returns the number of books to read in a year: the reader's goal, else that of the settings; nil if there is none.
    public func readingGoal(of year: Int, else setting: Int?) -> Int? {
        let goal = userData.goal(of: year) ?? setting
        return goal == 0 ? nil : goal
    }

    /// Sets the number of books to read in a year, 0 for none; nil leaves it to the settings.
    ///
    /// - Throws: `FileError` if it cannot be saved; it is kept in memory and saved with the next change that succeeds.
    public func setReadingGoal(_ count: Int?, of year: Int) throws(FileError) {
        try userData.setGoal(count, of: year)
    }
}
