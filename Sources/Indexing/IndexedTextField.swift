internal import CText

/// What a line of a book's text is. All but the first, the title, and the authors behind it have the byte before them that is
/// the raw value here; no text that was folded has one of these.
package enum IndexedTextField: UInt8 {
    case title = 0
    case author = 1
    /// The digits of the ISBN, behind the last line feed.
    case isbn = 2
    /// A tag of a language, where the column of languages does not have all.
    case language = 0x1A
    /// The title as the catalog has it sorted.
    case sortTitle = 0x1B
    case publisher = 0x1C
    case series = 0x1D
    case subject = 0x1E

    /// What words of no field in particular are looked for in.
    package static let searched: [IndexedTextField] = [.title, .author, .series, .subject, .isbn]

    /// The bit of this kind, as the search of the text has it.
    package var searchBit: UInt32 {
        switch self {
        case .title: UInt32(TEXT_TITLE)
        case .author: UInt32(TEXT_AUTHOR)
        case .isbn: UInt32(TEXT_ISBN)
        case .series, .subject, .publisher, .sortTitle, .language: 1 << UInt32(rawValue)
        }
    }
}
