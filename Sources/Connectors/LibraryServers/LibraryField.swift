internal import Search

/// A field that library servers search, whatever the protocol calls it.
enum LibraryField: String, CaseIterable {
    case anywhere, title, author, subject, series, publisher, isbn, language, year, id

    /// The field for a text condition; nil if library servers do not search it.
    init?(_ field: Query.TextField?) {
        guard let field else {
            self = .anywhere
            return
        }
        self.init(rawValue: field.rawValue)
    }

    /// The field for a key that stacks sorts by; nil if library servers do not sort by it.
    init?(sortKey: String) {
        guard Self.sortKeys.contains(sortKey) else { return nil }
        self.init(rawValue: sortKey)
    }

    /// The keys that stacks sorts by and library servers can, too.
    static let sortKeys = ["title", "author", "year"]

    /// The names of the index in CQL context sets, the most common one first. The sets are those of the SRU standard,
    /// and those of national libraries, Alma and PICA.
    var cqlNames: [String] {
        switch self {
        case .anywhere: ["cql.anywhere", "bib.anywhere", "bath.any", "dnb.woe", "alma.all_for_ui", "pica.all"]
        case .title: ["dc.title", "bath.title", "bib.title", "dnb.tit", "alma.title", "pica.tit"]
        case .author: ["dc.creator", "dc.author", "bath.author", "bib.author", "dnb.per", "alma.creator", "pica.per"]
        case .subject: ["dc.subject", "bath.subject", "bib.subject", "dnb.sw", "alma.subjects", "pica.slw"]
        case .series: ["bib.titleseries", "bib.serietitle", "bath.seriestitle", "alma.series", "pica.ser"]
        case .publisher: ["dc.publisher", "bath.publisher", "bib.publisher", "dnb.vlg", "alma.publisher", "pica.vlg"]
        case .isbn: ["bath.isbn", "bib.isbn", "dnb.isbn", "dnb.num", "alma.isbn", "pica.num"]
        case .language: ["dc.language", "bib.language", "dnb.spr", "alma.language"]
        case .year: ["dc.date", "bib.dateissued", "bib.publicationdate", "dnb.jhr", "alma.main_pub_date"]
        case .id: ["rec.id", "rec.identifier", "dnb.idn", "alma.mms_id", "pica.ppn"]
        }
    }

    /// The use attribute of the set Bib-1 (Z39.50).
    var useAttribute: Int {
        switch self {
        case .anywhere: 1016
        case .title: 4
        case .author: 1003
        case .subject: 21
        case .series: 5
        case .publisher: 1018
        case .isbn: 7
        case .language: 54
        case .year: 31
        case .id: 12
        }
    }
}
