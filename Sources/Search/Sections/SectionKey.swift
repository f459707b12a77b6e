public import Books
internal import Indexing
internal import Text

/// The property by which a list is grouped; only the first author or subject counts, so that each book appears once.
public enum SectionKey: Hashable, Sendable {
    case letter, decade, series, author, subject, fiction, status
    /// A field that only the catalog has; dates are grouped by year.
    case own(BookField)

    /// The properties of every book.
    public static let ofEveryBook: [SectionKey] = [.letter, .decade, .series, .author, .subject, .fiction, .status]

    /// The name in preferences.
    public var rawValue: String { if case .own(let field) = self { field.id } else { "\(self)" } }

    /// The property of this name; those of every book come first.
    public init?(rawValue name: String, of schema: Schema = .ofEveryBook) {
        if let key = Self.ofEveryBook.first(where: { $0.rawValue == name }) {
            self = key
        } else if let field = schema.ownField(named: name) {
            self = .own(field)
        } else {
            return nil
        }
    }

    /// The kind of line whose first occurrence determines the section, or nil if a number does.
    var textKind: IndexedTextField? {
        switch self {
        case .series: .series
        case .author: .author
        case .subject: .subject
        case .letter, .decade, .fiction, .status, .own: nil
        }
    }

    /// Whether sections are in the order of letters, true, or of years, false; nil for neither.
    public var hasLetters: Bool? {
        switch self {
        case .letter, .author, .series, .subject: true
        case .own(let field): field.info.own?.kind.isNumeric == false ? true : nil
        case .decade: false
        case .fiction, .status: nil
        }
    }

    /// The title of the section of books without a value.
    var absenceTitle: String {
        switch self {
        case .series: Facet.noSeriesName
        case .status: Facet.noStatusName
        case .letter, .decade, .author, .subject, .fiction, .own: Facet.unknownName
        }
    }

    /// The sort key that orders books as their sections are ordered, if there is one.
    private var sortKey: SortOrder.Key? {
        switch self {
        case .letter: .title
        case .decade: .year
        case .series: .series
        case .author: .author
        case .own(let field): .own(field)
        case .subject, .fiction, .status: nil
        }
    }

    /// Returns whether sections follow a list in `order` downwards: Z before A, the newest decade first.
    public func isDescending(in order: SortOrder) -> Bool {
        order.criteria.first { $0.key == sortKey }?.isReversed ?? false
    }
}

/// The order of sections, as far as it depends on language.
struct SectionOrder: Sendable {
    /// Returns a sortable value that identifies the section of a title, or nil for a title without characters.
    let letter: @Sendable (_ title: UnsafeBufferPointer<UInt8>, LanguageCode) -> UInt64?
    /// Returns the title of the section with this value.
    let letterTitle: @Sendable (UInt64) -> String
    /// Appends the sort key of an author, subject or series, so that texts with equal keys share a section; nil to sort
    /// by the normalized texts.
    let appendKey: (@Sendable (SectionKey, _ folded: UnsafeBufferPointer<UInt8>, inout ByteBuffer) -> Void)?

    /// Orders by normalized text: titles by their first character, with all digits in one section.
    static let folded = SectionOrder(
        letter: { title, _ in
            guard let byte = title.first else { return nil }
            if byte.isASCIILetter { return UInt64(byte) }
            guard let first = String(decoding: title.prefix(4), as: UTF8.self).unicodeScalars.first else { return nil }
            if first.properties.numericType != nil { return 0 }
            return first.properties.isAlphabetic ? UInt64(first.value) : 1
        },
        letterTitle: { letter in
            switch letter {
            case 0: "0–9"
            case 1: "#"
            default: Unicode.Scalar(UInt32(truncatingIfNeeded: letter))?.properties.titlecaseMapping ?? "#"
            }
        },
        appendKey: nil)

    /// Orders as books are sorted: titles by their first letter and series by their name, both without the article, and
    /// authors by family name.
    static let collated = SectionOrder(
        letter: { title, language in
            // The first letter is near the beginning, even after an article and quotation marks.
            var count = min(title.count, 40)
            while count < title.count, count > 0, title[count] & 0xC0 == 0x80 { count -= 1 }
            let beginning = UnsafeBufferPointer(rebasing: title[..<count])
            let language = language == .unknown ? nil : language
            // Most titles do not need a collation key.
            let articleLength = LeadingArticles.length(in: beginning, language: language)
            if articleLength < count, let section = AlphabeticIndex(ofLetter: beginning[articleLength]) {
                return UInt64(section.number)
            }
            var key = ByteBuffer(capacity: 128)
            TitleKey.append(beginning, language: language, to: &key)
            let section = AlphabeticIndex(ofKey: UnsafeBufferPointer(key.bytes))
            return section == .unknown ? nil : UInt64(section.number)
        },
        letterTitle: { AlphabeticIndex(number: UInt32(truncatingIfNeeded: $0)).title },
        appendKey: { key, folded, buffer in
            switch key {
            case .author: NameKey.append(folded, to: &buffer)
            case .series: SeriesKey.append(folded, to: &buffer)
            default: Collation.append(folded, to: &buffer)
            }
        })
}
