internal import Indexing
internal import Text

/// What the books of one section have in common. Of authors and subjects the first counts, so that a book stands once.
public enum SectionKey: String, CaseIterable, Sendable {
    case letter, decade, series, author, subject, fiction, status

    /// The kind of the lines by whose first a book's section is told; nil where it is told by a number.
    var textKind: IndexedTextField? {
        switch self {
        case .series: .series
        case .author: .author
        case .subject: .subject
        case .letter, .decade, .fiction, .status: nil
        }
    }
}

/// How sections stand one after another, as far as that is a matter of language.
struct SectionOrder: Sendable {
    /// What tells the sections of titles apart, of two the smaller comes first; nil for a title without characters.
    let letter: @Sendable (_ title: UnsafeBufferPointer<UInt8>, LanguageCode) -> UInt64?
    /// What stands over the section that `letter` gives.
    let letterTitle: @Sendable (UInt64) -> String
    /// Appends the sort key of an author, a series or a subject: sections with one key are one. Nil to sort them by the
    /// folded texts.
    let appendKey: (@Sendable (SectionKey, _ folded: UnsafeBufferPointer<UInt8>, inout ByteBuffer) -> Void)?

    /// By the first character of the folded title, all digits together, and by the folded texts.
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

    /// As books are sorted: by the first letter of the title without its article, authors by their family names.
    static let collated = SectionOrder(
        letter: { title, language in
            // Behind an article and quotation marks the first letter is not far.
            var count = min(title.count, 40)
            while count < title.count, count > 0, title[count] & 0xC0 == 0x80 { count -= 1 }
            let beginning = UnsafeBufferPointer(rebasing: title[..<count])
            let language = language == .unknown ? nil : language
            // Of most titles no key is needed.
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
            if key == .author { NameKey.append(folded, to: &buffer) } else { Collation.append(folded, to: &buffer) }
        })
}
