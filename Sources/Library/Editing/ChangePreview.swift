internal import Books
public import Editing
public import Indexing
internal import Synchronization
public import Threading

/// What a change would do to books.
public struct ChangePreview: Hashable, Sendable {
    /// A change of a text, which is that of an item for a list. Of long texts, it has the part with the first
    /// difference.
    public struct Row: Hashable, Sendable {
        /// The present text; "" if it is added.
        public let old: String
        /// The text afterwards; "" if it is removed.
        public let new: String
        /// The number of books with this change.
        public let bookCount: Int
    }

    /// The maximum number of rows.
    public static let rowLimit = 1000

    /// The changes, the most frequent first, and then by the present text.
    public let rows: [Row]
    /// The number of different changes, also of those that are not among the rows.
    public let rowCount: Int
    /// The number of books that change.
    public let changedCount: Int
    /// The number of books that stay as they are.
    public let unchangedCount: Int
    /// The number of books for which the result is not a value.
    public let failedCount: Int
    /// The error message for the first of them, which names the book, the field and the text.
    public let firstFailure: String?
}

extension Library {
    /// Starts computing what a change would do to books.
    ///
    /// - Parameter notify: Called on any thread at the end, and ten times a second until then.
    /// - Throws: `CatalogEditError` if the catalog cannot be edited now.
    public func startPreview(
        of transform: FieldTransform, _ ids: [BookID], notifying notify: @escaping @Sendable () -> Void
    ) throws(CatalogEditError) -> BackgroundTask<ChangePreview> {
        let job = PreviewJob(transform, ids, of: try forkOfCatalog(), notifying: notify)
        return ThreadPool.shared.start(job, notifying: notify)
    }
}

/// Computes a preview in parts.
private final class PreviewJob: ParallelJob {
    let partCount: Int
    private let transform: FieldTransform
    private let ids: [BookID]
    private let catalog: EditedCatalog.Fork
    private let progress: BulkChange.Progress
    private let parts: Locked<[Int: PreviewPart]> = Locked([:])
    private let isStopped = Atomic(false)

    /// The number of books that a thread changes at a time.
    private static let partSize = 512
    /// The number of books between two reports.
    private static let reportedCount = 64

    init(
        _ transform: FieldTransform, _ ids: [BookID], of catalog: EditedCatalog.Fork,
        notifying notify: @escaping @Sendable () -> Void
    ) {
        (self.transform, self.ids, self.catalog) = (transform, ids, catalog)
        partCount = (ids.count + Self.partSize - 1) / Self.partSize
        progress = BulkChange.Progress(totalCount: ids.count, notifying: notify)
    }

    func perform(part number: Int) {
        let catalog = EditedCatalog(catalog)
        var part = PreviewPart()
        let end = min(ids.count, (number + 1) * Self.partSize)
        for start in stride(from: number * Self.partSize, to: end, by: Self.reportedCount) {
            if isStopped.load(ordering: .relaxed) { return }
            let books = ids[start..<min(start + Self.reportedCount, end)]
            catalog.forEachBook(of: books, with: transform.field) { part.add(transform, $0, in: catalog.path) }
            progress.add(books.count)
        }
        parts.withLock { $0[number] = part }
    }

    func complete() -> ChangePreview? {
        let parts = parts.withLock { $0 }
        return PreviewPart(joining: parts.sorted { $0.key < $1.key }.map(\.value)).preview
    }

    func stop() { isStopped.store(true, ordering: .relaxed) }
}

/// The preview of some of the books.
private struct PreviewPart: Sendable {
    /// The texts of a row.
    private struct Texts: Hashable {
        var old: String
        var new: String
    }

    private var bookCounts: [Texts: Int] = [:]
    private var changedCount = 0
    private var unchangedCount = 0
    private var failedCount = 0
    private var firstFailure: String?

    init() {}

    /// Joins parts in the order of their books.
    init(joining parts: [PreviewPart]) {
        for part in parts {
            bookCounts.merge(part.bookCounts, uniquingKeysWith: +)
            changedCount += part.changedCount
            unchangedCount += part.unchangedCount
            failedCount += part.failedCount
            firstFailure = firstFailure ?? part.firstFailure
        }
    }

    mutating func add(_ transform: FieldTransform, _ book: Book?, in path: String) {
        do throws(CatalogEditError) {
            guard let book else { throw .recordGone(title: "") }
            guard let change = try transform.change(of: book) else {
                unchangedCount += 1
                return
            }
            changedCount += 1
            // A book counts once, even if two of its items become the same.
            var seen: Set<Texts> = []
            for (old, new) in change.texts {
                let (old, new) = Self.excerpts(of: old, new)
                let texts = Texts(old: old, new: new)
                if change.texts.count == 1 || seen.insert(texts).inserted { bookCounts[texts, default: 0] += 1 }
            }
        } catch {
            failedCount += 1
            if firstFailure == nil {
                firstFailure = error.sentence(changing: path)
            }
        }
    }

    var preview: ChangePreview {
        var rows: [ChangePreview.Row] = []
        for (texts, count) in bookCounts {
            let row = ChangePreview.Row(old: texts.old, new: texts.new, bookCount: count)
            if rows.count == ChangePreview.rowLimit, let last = rows.last, !row.precedes(last) { continue }
            // Most rows are behind the last one that is kept, so that this is faster than sorting all.
            rows.insert(row, at: rows.firstIndexBehind(row))
            if rows.count > ChangePreview.rowLimit { rows.removeLast() }
        }
        return ChangePreview(
            rows: rows, rowCount: bookCounts.count, changedCount: changedCount, unchangedCount: unchangedCount,
            failedCount: failedCount, firstFailure: firstFailure)
    }

    /// The length in bytes up to which texts are kept as a whole, so that descriptions do not fill the memory.
    private static let longestText = 400
    /// The numbers of characters before the first difference and from there on.
    private static let (excerptLead, excerptLength) = (40, 160)

    /// Returns both texts, or their parts around the first difference.
    private static func excerpts(of old: String, _ new: String) -> (old: String, new: String) {
        guard old.utf8.count > longestText || new.utf8.count > longestText else { return (old, new) }
        let same = zip(old, new).prefix { $0 == $1 }.count
        let start = max(0, same - excerptLead)
        func excerpt(_ text: String) -> String {
            let rest = text.dropFirst(start)
            let part = rest.prefix(excerptLead + excerptLength)
            return (start > 0 ? "…" : "") + part + (part.endIndex < text.endIndex ? "…" : "")
        }
        return (excerpt(old), excerpt(new))
    }
}

extension ChangePreview.Row {
    /// Whether the row comes before another one.
    fileprivate func precedes(_ other: Self) -> Bool {
        if bookCount != other.bookCount { return bookCount > other.bookCount }
        return (old, new) < (other.old, other.new)
    }
}

extension [ChangePreview.Row] {
    /// Returns the index of the first row that `row` precedes. Binary search.
    fileprivate func firstIndexBehind(_ row: ChangePreview.Row) -> Int {
        var range = 0..<count
        while !range.isEmpty {
            let middle = (range.lowerBound + range.upperBound) / 2
            range = self[middle].precedes(row) ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}
