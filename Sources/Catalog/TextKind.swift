/// What a line of a book's text is. All but the first, the title, and the authors behind it have the byte before them that is
/// the raw value here; no text that was folded has one of these.
enum TextKind: UInt8 {
    case title = 0
    case author = 1
    case series = 0x1D
    case subject = 0x1E
    case publisher = 0x1C
    /// The title as the catalog has it sorted.
    case sortTitle = 0x1B
    /// A tag of a language, where the column of languages does not have all.
    case language = 0x1A
    /// The digits of the ISBN, behind the last line feed.
    case isbn = 2

    /// The kind of the line that begins with `byte` and is not the first.
    @inline(__always)
    init(ofLineBeginningWith byte: UInt8) {
        self = byte < 0x20 ? TextKind(rawValue: byte) ?? .author : .author
    }

    /// Whether words of no field in particular are looked for in it.
    @inline(__always)
    var isSearched: Bool {
        switch self {
        case .title, .author, .series, .subject, .isbn: true
        case .publisher, .sortTitle, .language: false
        }
    }
}
