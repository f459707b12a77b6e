internal import Indexing
internal import Text

/// What tells editions of a book apart.
struct Imprint {
    private(set) var isbns: Set<UInt64>
    private(set) var years: Set<Int16>
    private var languages: Set<UInt16>

    /// Creates the imprint of a book.
    init(_ book: IndexedBook) {
        isbns = Set(book.isbns)
        years = book.facts.year == NumericFields.unknownYear ? [] : [book.facts.year]
        languages = book.facts.language == .unknown ? [] : [book.facts.language.bits]
    }

    /// Whether neither ISBN, year nor language of both disagree, as far as they are known.
    func agrees(with other: Imprint) -> Bool {
        func agree<Value>(_ one: Set<Value>, _ other: Set<Value>) -> Bool {
            one.isEmpty || other.isEmpty || !one.isDisjoint(with: other)
        }
        return agree(years, other.years) && agree(languages, other.languages) && agree(isbns, other.isbns)
    }

    /// Adds what another book of the edition says.
    mutating func add(_ other: Imprint) {
        isbns.formUnion(other.isbns)
        years.formUnion(other.years)
        languages.formUnion(other.languages)
    }
}

/// The editions of a book, of which there may be thousands.
struct Editions {
    /// The books of each edition, in the order in which they were added.
    private(set) var all: [[UInt32]] = []
    private var imprints: [Imprint] = []
    private var byISBN: [UInt64: Set<Int>] = [:]
    private var byYear: [Int16: Set<Int>] = [:]
    private var withoutISBN: Set<Int> = []
    private var withoutYear: Set<Int> = []

    /// Adds copies with an imprint to the first edition that agrees, or as a new edition.
    mutating func add(_ books: [UInt32], _ imprint: Imprint) {
        let number = candidates(for: imprint).filter { imprints[$0].agrees(with: imprint) }.min() ?? all.count
        if number == all.count {
            all.append([])
            imprints.append(imprint)
        }
        all[number] += books
        imprints[number].add(imprint)
        withoutISBN.remove(number)
        withoutYear.remove(number)
        for isbn in imprint.isbns { byISBN[isbn, default: []].insert(number) }
        for year in imprint.years { byYear[year, default: []].insert(number) }
        if imprints[number].isbns.isEmpty { withoutISBN.insert(number) }
        if imprints[number].years.isEmpty { withoutYear.insert(number) }
    }

    /// The editions with which an imprint may agree.
    private func candidates(for imprint: Imprint) -> Set<Int> {
        if !imprint.isbns.isEmpty {
            return imprint.isbns.reduce(into: withoutISBN) { $0.formUnion(byISBN[$1] ?? []) }
        }
        if !imprint.years.isEmpty {
            return imprint.years.reduce(into: withoutYear) { $0.formUnion(byYear[$1] ?? []) }
        }
        return Set(imprints.indices)
    }
}
