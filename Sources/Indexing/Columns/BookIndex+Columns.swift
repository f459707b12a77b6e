internal import Text
public import Threading

extension IndexedTextField {
    /// Whether a book can have several lines of this field.
    public var isList: Bool { self == .author || self == .subject }
}

extension ColumnPlan {
    /// Creates a plan for lines of the text of an index: authors, subjects, series without the place, or others.
    public init(of field: IndexedTextField) { self.init(namesInLists: field.isList) }
}

extension BookIndex {
    /// Consecutive books of one segment each, which a thread looks at together.
    public var columnSlices: [Range<Int>] {
        let length = 1024
        return zip(segments, starts).flatMap { segment, start in
            stride(from: 0, to: segment.count, by: length).map {
                start + $0..<start + min($0 + length, segment.count)
            }
        }
    }

    /// Starts to make columns of lines of the text. Linear in the text.
    ///
    /// - Parameter notify: Called on any thread when they are complete.
    public func columns(
        of fields: [IndexedTextField], on pool: ThreadPool = .shared,
        notifying notify: @escaping @Sendable () -> Void = {}
    ) -> BackgroundTask<[FieldColumn]> {
        ColumnMaking.start(fields.map(ColumnPlan.init(of:)), of: columnSlices, on: pool, notifying: notify) {
            collect($0, fields, $1)
        }
    }

    /// Passes the lines of consecutive books of one segment to collectors, one for each field. Linear in the text.
    public func collect(_ books: Range<Int>, _ fields: [IndexedTextField], _ collectors: [ColumnCollector]) {
        if books.isEmpty || fields.isEmpty { return }
        let number = segmentNumber(of: books.lowerBound)
        let (segment, start) = (segments[number], starts[number])
        for book in books {
            for collector in collectors { collector.begin(book) }
            for line in IndexedText(segment.text(at: book - start)) where !line.content.isEmpty {
                for (position, field) in fields.enumerated() where field == line.kind {
                    let name = line.columnName
                    if !name.isEmpty { collectors[position].add(name) }
                }
            }
            for collector in collectors { collector.end() }
        }
    }
}

extension IndexedText.Line {
    /// The name that a column has: a series is without the place.
    var columnName: UnsafeBufferPointer<UInt8> {
        kind == .series ? UnsafeBufferPointer(rebasing: content.prefix(SeriesName.length(of: content))) : content
    }
}
