public import Books

/// Something that reads the books of a catalog: names of authors, subjects and series are written as a book has them.
public protocol BookReader {
    /// The book at `index`; nil if its record is gone or damaged.
    func book(at index: Int) -> Book?
}
