public import Indexing
public import Threading

/// A source that can make columns of fields, which are made when they are first needed.
///
/// A column is at hand once a task that makes it is made and taken, or if it was kept in the cache; it is brought up to
/// date with edits. When the source is read again, its columns are discarded.
public protocol ColumnBacked: LocallyIndexed {
    /// Returns the column of a source, with the books of the index, if it is at hand; otherwise it must be made. Takes
    /// milliseconds for a million books after an edit or when it comes from the cache, and is constant after that.
    func column(of source: ColumnSource) -> FieldColumn?

    /// Starts making columns in the background, those of records in one pass. Those at hand are not made again.
    ///
    /// - Parameter notify: Called on any thread when they are complete.
    /// - Returns: Nil while the catalog is being read.
    func makeColumns(of sources: [ColumnSource], notifying notify: @escaping @Sendable () -> Void) -> ColumnTask?
}

extension ColumnBacked {
    /// Whether all of these columns are at hand.
    public func hasColumns(of sources: [ColumnSource]) -> Bool { sources.allSatisfy { column(of: $0) != nil } }

    /// Makes columns that are not at hand, and waits for them. Linear in the catalog.
    ///
    /// - Parameter isUnwanted: Called several times a second; when it returns true, the work is cancelled.
    /// - Returns: Whether all are at hand.
    @discardableResult
    public func waitForColumns(of sources: [ColumnSource], unless isUnwanted: () -> Bool = { false }) -> Bool {
        if hasColumns(of: sources) { return true }
        guard let task = makeColumns(of: sources, notifying: {}) else { return false }
        task.wait(unless: isUnwanted)
        task.take()
        return hasColumns(of: sources)
    }
}

/// Columns that are being made in the background. It can be waited for and taken on any thread.
public final class ColumnTask: Sendable {
    /// The sources of the columns.
    public let sources: [ColumnSource]
    private let parts: [any ColumnTaskPart]
    private let made: @Sendable () -> [ColumnSource: FieldColumn]
    private let taken = Locked<[ColumnSource: FieldColumn]?>(nil)

    /// Creates a task of these parts; `made` returns the columns once all are complete.
    package init(
        of sources: [ColumnSource], _ parts: [any ColumnTaskPart],
        making made: @escaping @Sendable () -> [ColumnSource: FieldColumn]
    ) {
        (self.sources, self.parts, self.made) = (sources, parts, made)
    }

    /// Whether the columns are complete or the task was cancelled, so that they can be taken.
    public var isMade: Bool { parts.allSatisfy(\.isMade) }

    /// The finished fraction of the work, from 0 to 1.
    public var fraction: Double { parts.map(\.fraction).min() ?? 1 }

    /// Stops the work.
    public func cancel() { for part in parts { part.cancel() } }

    /// Waits until the columns are complete, at most `milliseconds`.
    ///
    /// - Returns: Whether they are.
    @discardableResult
    public func wait(milliseconds: Int) -> Bool {
        for part in parts { part.waitForEnd(milliseconds: milliseconds) }
        return isMade
    }

    /// Waits until the columns are complete, and cancels the work as soon as `isUnwanted` returns true; it is called
    /// several times a second.
    public func wait(unless isUnwanted: () -> Bool) {
        while !wait(milliseconds: 20) {
            if isUnwanted() { return cancel() }
        }
    }

    /// Puts the columns at hand, if they are complete; of a catalog that was read again in the meantime, they are dropped.
    ///
    /// - Returns: Whether they were complete.
    @discardableResult
    public func take() -> Bool { sources.isEmpty || !columns.isEmpty }

    /// The columns of the books at the start of the task, if they are complete, and puts them at hand. Takes milliseconds
    /// for a million books with edits.
    public var columns: [ColumnSource: FieldColumn] {
        guard isMade else { return [:] }
        return taken.withLock { taken in
            if let taken { return taken }
            let columns = made()
            taken = columns
            return columns
        }
    }
}

/// A part of the work for columns.
package protocol ColumnTaskPart: Sendable {
    var isMade: Bool { get }
    var fraction: Double { get }
    func cancel()
    func waitForEnd(milliseconds: Int)
}

extension BackgroundTask: ColumnTaskPart {
    /// Waits until the task ends, at most `milliseconds`.
    package func waitForEnd(milliseconds: Int) { wait(milliseconds: milliseconds) }
}

extension ColumnTask: ColumnTaskPart {
    /// Waits until the task ends, at most `milliseconds`.
    package func waitForEnd(milliseconds: Int) { wait(milliseconds: milliseconds) }
}

/// The columns at hand, of one state of a catalog.
package final class ColumnShelf: Sendable {
    private let columns = Locked<[ColumnSource: FieldColumn]>([:])

    /// Creates an empty set of columns.
    package init() {}

    /// A column at hand.
    package subscript(source: ColumnSource) -> FieldColumn? {
        get { columns.withLock { $0[source] } }
        set { columns.withLock { $0[source] = newValue } }
    }
}

extension ColumnTask {
    /// Starts to make columns of lines of an index that no catalog keeps.
    package convenience init(
        of fields: [IndexedTextField], in index: BookIndex, on pool: ThreadPool = .shared,
        notifying notify: @escaping @Sendable () -> Void = {}
    ) {
        let task = index.columns(of: fields, on: pool, notifying: notify)
        self.init(of: fields.map(ColumnSource.lines), [task]) {
            var columns: [ColumnSource: FieldColumn] = [:]
            for (field, column) in zip(fields, task.value ?? []) { columns[.lines(field)] = column }
            return columns
        }
    }
}
