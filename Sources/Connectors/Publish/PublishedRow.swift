internal import Books
internal import ConnectorProtocol
internal import Indexing
internal import JSON
internal import Search
internal import Text

/// The columns of books, computed as for the index of a local catalog, so that orders and searches have the same results.
struct PublishedRows {
    /// The data of a book.
    private(set) var rows: [PublishedRow] = []

    /// The mapping of the records that stacks writes in its own format.
    private static let mapping: FieldMapping = {
        let names: [(BookField, String)] = [
            (.title, "title"), (.subtitle, "subtitle"), (.sortTitle, "sortTitle"), (.authors, "authors"),
            (.isbn, "isbn"), (.pageCount, "pageCount"), (.fiction, "fiction"), (.publisher, "publisher"),
            (.published, "published"), (.languages, "language"), (.subjects, "subjects"), (.series, "series"),
            (.seriesPosition, "seriesPosition"), (.description, "description"), (.cover, "cover"),
            (.rating, "rating"), (.dateAdded, "dateAdded"),
        ]
        let rules = names.map { ($0, FieldMapping.Rule([.init(FieldPath(steps: [.name($1)]))])) }
        return FieldMapping(rules: Dictionary(uniqueKeysWithValues: rules))
    }()

    /// Computes the data of records with an id.
    ///
    /// - Parameter first: The number of the first record in the catalog, for messages.
    /// - Throws: `ConnectorFailure` for a record without an id.
    init(_ records: [JSONValue], from first: Int) throws(ConnectorFailure) {
        var writer = SegmentWriter()
        for (index, record) in records.enumerated() {
            writer.add(Self.mapping.book(from: record), offset: index)
        }
        var index = 0
        for segment in writer.take() {
            for place in 0..<segment.count {
                let record = records[index]
                guard let id = record["id"]?.string, !id.isEmpty else {
                    throw ConnectorFailure(.format, .member, detail: "id", at: .record(first + index + 1))
                }
                rows.append(PublishedRow(id: id, record: record, in: segment, at: place))
                index += 1
            }
        }
    }
}

/// The columns of a book.
struct PublishedRow {
    /// The id in the catalog.
    let id: [UInt8]
    /// The record as JSON.
    let record: [UInt8]
    /// The sort keys of texts: title, author, series.
    let keys: [[UInt8]]
    /// The numbers and traits.
    let facts: NumericFields
    /// The normalized texts, with a line feed between several values.
    private(set) var texts: [SearchField.RawValue: [UInt8]] = [:]
    /// The tags of the languages, one a line.
    private(set) var languages: [UInt8] = []
    /// The thirteen digits of the ISBN; empty if there is none.
    private(set) var isbn: [UInt8] = []
    /// The words, each with the fields in which it occurs.
    private(set) var words: [[UInt8]: SearchField] = [:]

    /// The values that a book can have besides texts and numbers.
    struct Trait: OptionSet {
        let rawValue: UInt8

        static let described = Trait(rawValue: 1)
        static let covered = Trait(rawValue: 2)
    }

    fileprivate init(id: String, record: JSONValue, in segment: IndexSegment, at index: Int) {
        self.id = Array(id.utf8)
        var json: [UInt8] = []
        record.write(to: &json)
        self.record = json
        keys = [SortOrder.Key.title, .author, .series].map { key in
            var bytes = ByteBuffer()
            segment.appendSortKey(of: index, by: key, to: &bytes)
            return Array(bytes.bytes)
        }
        facts = segment.facts(at: index)
        for line in IndexedText(segment.text(at: index)) { add(line) }
        if languages.isEmpty, facts.language != .unknown { languages = Array(facts.language.text.utf8) }
    }

    private mutating func add(_ line: IndexedText.Line) {
        if line.content.isEmpty { return }
        let field: SearchField
        switch line.kind {
        case .title: field = .title
        case .author: field = .author
        case .series: field = .series
        case .subject: field = .subject
        case .publisher: field = .publisher
        case .isbn:
            isbn = Array(line.content)
            words[isbn, default: []].insert(.isbn)
            return
        case .language:
            if !languages.isEmpty { languages.append(0x0A) }
            languages += line.content
            return
        default: return
        }
        if texts[field.rawValue] != nil { texts[field.rawValue]?.append(0x0A) }
        texts[field.rawValue, default: []] += line.content
        for word in SearchWords.words(in: line.content) { words[word, default: []].insert(field) }
    }

    /// The normalized text of a field.
    func text(_ field: SearchField) -> [UInt8] { texts[field.rawValue] ?? [] }

    /// Whether the book is fiction (1), non-fiction (2) or neither (0).
    var fiction: Int { facts.traits.isFiction.map { $0 ? 1 : 2 } ?? 0 }

    /// The traits.
    var traits: Trait {
        var traits: Trait = []
        if facts.traits.contains(.described) { traits.insert(.described) }
        if facts.traits.contains(.covered) { traits.insert(.covered) }
        return traits
    }
}
