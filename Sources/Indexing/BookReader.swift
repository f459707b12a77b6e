public import Books

/// Who can give whole books without waiting.
public protocol BookReader {
    /// The book, if it is at hand.
    func bookAtHand(_ id: BookID) -> Book?
}
