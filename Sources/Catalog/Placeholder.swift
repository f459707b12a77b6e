public enum SectionKey: String, Sendable { case letter, decade, series, author, subject, fiction, status }
public struct BookSections: Sendable {
    public let list: BookList
    public let starts: [Int]
    public init?(of list: BookList, by key: SectionKey, in index: BookIndex, isCancelled: @escaping @Sendable () -> Bool) { return nil }
    public func title(ofSection section: Int, in store: BookStore) -> String { "" }
}
public final class BookSorter {
    public init() {}
    public func order(_ order: SortOrder, of index: BookIndex, waiting: Int, notifying: @escaping @Sendable () -> Void) -> [UInt32]? { nil }
}
public struct MatchFinder {
    public init(_ query: Query) {}
    public func ranges(in text: String, field: Query.TextField) -> [Range<Int>] { [] }
}

public enum Likeness: String, Sendable { case author, series, subject, year
  public func query(for book: Book) -> String? { book.authors.first.map { Query.text(of: .author, whole: $0) } }
}
