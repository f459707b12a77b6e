import Storage

@testable import Books
@testable import Catalog
@testable import Indexing
@testable import Search
@testable import Threading

/// Measures making columns of fields, bringing them up to date and reading them from the cache.
struct ColumnBenchmark {
    private let catalog: JSONFileCatalog
    private let subject: Subject

    init(_ subject: Subject) {
        self.subject = subject
        catalog = JSONFileCatalog(path: subject.file.path)
        try? catalog.open()
        catalog.readRest()
    }

    func run() {
        guard let reader = catalog.content?.reader, let own = catalog.format?.mapping.own else { return }
        var sources = own.map(ColumnSource.own)
        sources += NameColumns.fields.map(ColumnSource.lines)
        for threadCount in [1, 2] {
            let pool = ThreadPool(threadCount: threadCount)
            for source in sources { measure([source], named: "\(source.name)", reader, on: pool, threadCount) }
            measure(Array(sources.prefix(4)), named: "first four", reader, on: pool, threadCount)
            measure(own.map(ColumnSource.own), named: "all own", reader, on: pool, threadCount)
        }
        let columns = reader.columns(of: sources) {}.taken() ?? []
        for (source, column) in zip(sources, columns) { edit(column, source) }
    }

    private func measure(
        _ sources: [ColumnSource], named name: String, _ reader: RecordReader, on pool: ThreadPool, _ threadCount: Int
    ) {
        Sample {
            let columns = reader.columns(of: sources, on: pool) {}.taken() ?? []
            return (columns.reduce(0) { $0 + $1.byteCount }, columns.first?.valueCount ?? 0)
        }.print("column \(name), \(threadCount) threads", of: subject)
    }

    private func edit(_ column: FieldColumn, _ source: ColumnSource) {
        let (middle, count) = (column.bookCount / 2, column.bookCount)
        func edited(_ values: [ColumnMeaning]) {
            let book = FieldColumn.Piece.book(ColumnBookValues(values))
            let result = column.edited(by: [.books(0..<middle), book, .books(middle + 1..<count)])
            precondition(result.bookCount == count)
        }
        let known: [ColumnMeaning]
        switch column.kind {
        case .number: known = [.number(column.number(ofValue: 0))]
        case .text: known = [.text(column.spelling(ofValue: 0))]
        }
        Sample {
            edited(known)
            return (column.byteCount, count)
        }.print("edit \(source.name), known value", of: subject)
        Sample {
            edited([column.kind == .number ? .number(-7.25) : .text("m n o p q")])
            return (column.byteCount, count)
        }.print("edit \(source.name), new value", of: subject)
        var bytes: [UInt8] = []
        column.store { bytes += $0 }
        let memory = ColumnMemory(byteCount: bytes.count)
        memory.bytes.copyBytes(from: bytes)
        Sample {
            let all = UnsafeRawBufferPointer(rebasing: memory.bytes.prefix(bytes.count))
            let read = FieldColumn(checking: UnsafeRawBufferPointer(all), owner: memory)
            return (bytes.count, read?.valueCount ?? 0)
        }.print("check \(source.name)", of: subject)
    }
}

extension ColumnSource {
    fileprivate var name: String {
        switch self {
        case .own(let field): field.id
        case .lines(let field): "\(field)"
        }
    }
}
