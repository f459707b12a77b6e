internal import Books
public import Indexing
internal import Threading

extension InMemoryCatalog: ColumnBacked {
    /// Returns a column, which is made on first use. Linear in the books then.
    public func column(of source: ColumnSource) -> FieldColumn? {
        if columns[source] == nil { columns[source] = makeColumn(of: source) }
        return columns[source]
    }

    private func makeColumn(of source: ColumnSource) -> FieldColumn? {
        let work = ColumnWork([source])
        let task = ColumnMaking.start(
            work.plans, of: index.columnSlices, on: ThreadPool(threadCount: 0)
        ) { [books, index] range, collectors in
            index.collect(range, work.lines, work.ofLines.map { collectors[$0] })
            guard let field = work.own.first else { return }
            for number in range {
                collectors[0].begin(number)
                collectors[0].add(field.info.own?.kind.columnValues(of: field.value(in: books[number])) ?? [])
                collectors[0].end()
            }
        }
        return task.value?.first
    }

    /// Makes columns at once.
    public func makeColumns(
        of sources: [ColumnSource], notifying notify: @escaping @Sendable () -> Void
    ) -> ColumnTask? {
        var made: [ColumnSource: FieldColumn] = [:]
        for source in sources { made[source] = column(of: source) }
        let columns = made
        notify()
        return ColumnTask(of: sources, []) { columns }
    }
}
