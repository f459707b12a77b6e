internal import CText

/// The field of a line in a book's text.
///
/// The first line is the title and the lines after it without a prefix are authors; all others start with the raw value
/// as a byte, which does not occur in normalized text.
public enum IndexedTextField: UInt8, Sendable {
    case title = 0
    case author = 1
    /// The digits of the ISBN, after the last line feed.
    case isbn = 2
    /// The digits of another ISBN of the record.
    case otherISBN = 0x18
    /// Another title, such as the one in the original script.
    case otherTitle = 0x19
    /// A language tag, if the language column does not cover all languages of the book.
    case language = 0x1A
    /// The sort title of the catalog.
    case sortTitle = 0x1B
    case publisher = 0x1C
    case series = 0x1D
    case subject = 0x1E

    /// The fields that terms without a field name search.
    public static let searched: [IndexedTextField] = [
        .title, .otherTitle, .author, .series, .subject, .isbn, .otherISBN,
    ]

    /// The bit of this field in the text-search functions.
    public var searchBit: UInt32 {
        switch self {
        case .title: UInt32(TEXT_TITLE)
        case .author: UInt32(TEXT_AUTHOR)
        case .isbn: UInt32(TEXT_ISBN)
        default: 1 << UInt32(rawValue)
        }
    }
}
