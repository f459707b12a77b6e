internal import Search

/// The fields of words, as bits of the column `fields` of the tokens.
struct SearchField: OptionSet {
    let rawValue: UInt8

    static let title = SearchField(rawValue: 1)
    static let author = SearchField(rawValue: 2)
    static let series = SearchField(rawValue: 4)
    static let subject = SearchField(rawValue: 8)
    static let isbn = SearchField(rawValue: 16)
    static let publisher = SearchField(rawValue: 32)

    /// The fields in which words without a field are searched for.
    static let anywhere: SearchField = [.title, .author, .series, .subject, .isbn]
    /// All fields.
    static let all: SearchField = [.title, .author, .series, .subject, .isbn, .publisher]

    /// Creates a set from its bits.
    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The field or fields of a pattern; nil for languages, which have no words.
    init?(_ field: Query.TextField?) {
        switch field {
        case nil: self = .anywhere
        case .title?: self = .title
        case .author?: self = .author
        case .series?: self = .series
        case .subject?: self = .subject
        case .isbn?: self = .isbn
        case .publisher?: self = .publisher
        case .language?: return nil
        }
    }

    /// The columns of the books with the normalized texts of these fields.
    var columns: [String] {
        let names: [(SearchField, String)] = [
            (.title, "title"), (.author, "authors"), (.series, "series"), (.subject, "subjects"),
            (.publisher, "publisher"),
        ]
        return names.filter { contains($0.0) }.map(\.1)
    }
}
