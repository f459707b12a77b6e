public import Indexing
public import Text

extension IndexSegment {
    /// Appends the sort key of the book at `index` for a key that compares texts, so that a database that compares bytes
    /// has the order of a list; appends nothing if the text is unknown.
    public func appendSortKey(of index: Int, by key: SortOrder.Key, to bytes: inout ByteBuffer) {
        switch key {
        case .title: appendTitleKey(of: index, to: &bytes)
        case .author: appendAuthorKey(of: index, to: &bytes)
        case .series: appendSeriesKey(of: index, to: &bytes)
        case .year, .pages, .rating, .added, .mine, .read, .status, .random, .own: break
        }
    }
}
