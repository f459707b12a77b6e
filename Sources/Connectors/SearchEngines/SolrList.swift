internal import Threading

/// What is known of a sorted list of Solr, which all threads share.
///
/// A mark is the sort keys of a row as text; it remains valid whatever is requested in the meantime.
final class SolrList: Sendable {
    private let state = Locked(State())
    /// Whether a request is on its way to a row without a known mark; others then continue from where it arrives.
    let walk = Turn()

    private struct State {
        /// The marks by the number of the row after them.
        var marks = [0: "*"]
        var count: Int?
    }

    /// The number of books, if it is known exactly.
    var count: Int? {
        get { state.withLock { $0.count } }
        set { state.withLock { $0.count = newValue } }
    }

    /// The mark before a row, if it is known.
    subscript(row: Int) -> String? {
        get { state.withLock { $0.marks[row] } }
        set { state.withLock { $0.marks[row] = newValue } }
    }

    /// Returns the known mark that is nearest to a row, before it or at it.
    func mark(upTo row: Int) -> (row: Int, mark: String) {
        state.withLock { $0.marks.filter { $0.key <= row }.max { $0.key < $1.key } } ?? (0, "*")
    }

    /// Forgets the marks, because the list has changed.
    func forgetMarks() { state.withLock { $0.marks = [0: "*"] } }
}
