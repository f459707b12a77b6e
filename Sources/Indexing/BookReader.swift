public import Books

/// A provider of decoded books that never blocks.
public protocol BookReader {
    /// Returns the book if it is already decoded or can be decoded without waiting.
    func bookAtHand(_ id: BookID) -> Book?
}
