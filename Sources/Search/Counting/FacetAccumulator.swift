internal import Books
internal import Indexing
internal import Text

/// The values that one thread has counted.
struct FacetAccumulator: ~Copyable {
    /// The number of books that have a value.
    struct Tally: BitwiseCopyable {
        /// The number of books.
        var count: UInt32 = 0
        /// The first of the books in catalog order.
        var first: UInt32 = 0
        /// The book counted last, so that a book with a repeated value counts only once.
        var last: UInt32 = 0

        /// Counts a book.
        @inline(__always)
        mutating func add(_ book: UInt32) {
            if count == 0 {
                (count, first, last) = (1, book, book)
            } else if last != book {
                count += 1
                if book < first { first = book }
                last = book
            }
        }

        /// Adds the count of other books.
        @inline(__always)
        mutating func add(_ other: Tally) {
            first = count == 0 ? other.first : min(first, other.first)
            count += other.count
            // A number that no further book has.
            last = .max
        }
    }

    /// The counts of texts.
    private(set) var authors = TermCounts()
    private(set) var subjects = TermCounts()
    private(set) var series = TermCounts()
    /// The languages without a code.
    private(set) var namedLanguages = TermCounts()
    /// The languages with a code, by the bits of the code.
    private(set) var languages = [Tally](repeating: Tally(), count: 1 << 15)
    /// The decades, starting with that of the earliest possible year.
    private(set) var decades = [Tally](repeating: Tally(), count: Decade.numbers.count)
    /// The traits, by their bits.
    private(set) var traits = [Tally](repeating: Tally(), count: 1 << 8)
    /// The ratings in the encoding of `NumericFields`; unknown at index 0.
    private(set) var ratings = [Tally](repeating: Tally(), count: 1 << 8)
    /// The number of books with a text in each field, by raw value; languages with a code also count as text.
    private(set) var bookCounts = [Int](repeating: 0, count: 1 << 5)

    /// Counts the selected books in a segment; the texts of `facets` only, because texts take the most time.
    mutating func add(_ books: SelectionBySegment, inSegment number: Int, _ facets: Set<Facet>) {
        if !facets.isDisjoint(with: [.author, .subject, .series, .language]) { addTexts(books, number, facets) }
        addNumbers(books, number)
    }

    private mutating func addTexts(_ books: SelectionBySegment, _ number: Int, _ facets: Set<Facet>) {
        let countsAuthors = facets.contains(.author)
        let countsSubjects = facets.contains(.subject)
        let countsSeries = facets.contains(.series)
        let countsLanguages = facets.contains(.language)
        let segment = books.segments[number]
        let start = books.starts[number]
        books.forEach(inSegment: number) { offset in
            let book = UInt32(truncatingIfNeeded: start + offset)
            var kinds: UInt32 = 0
            if !segment.languages.isEmpty, segment.languages[offset] != 0 {
                languages[Int(segment.languages[offset] & 0x7FFF)].add(book)
                kinds = 1 << UInt32(IndexedTextField.language.rawValue)
            }
            for line in IndexedText(segment.text(at: offset)) where !line.content.isEmpty {
                kinds |= 1 << UInt32(line.kind.rawValue)
                switch line.kind {
                case .author where countsAuthors:
                    authors.add(line.content, of: book)
                case .subject where countsSubjects:
                    subjects.add(line.content, of: book)
                case .series where countsSeries:
                    let name = UnsafeBufferPointer(rebasing: line.content.prefix(SeriesName.length(of: line.content)))
                    series.add(name, of: book)
                case .language where countsLanguages: add(language: line.content, of: book)
                default: break
                }
            }
            while kinds != 0 {
                bookCounts[kinds.trailingZeroBitCount] += 1
                kinds &= kinds - 1
            }
        }
        authors.endSegment()
        subjects.endSegment()
        series.endSegment()
        namedLanguages.endSegment()
    }

    private mutating func add(language tag: UnsafeBufferPointer<UInt8>, of book: UInt32) {
        // Variants of a language count as the language, as a search for it also finds them.
        let code = LanguageCode(of: String(decoding: tag.prefix { $0 != UInt8(ascii: "-") }, as: UTF8.self))
        if code == .unknown {
            namedLanguages.add(tag, of: book)
        } else {
            languages[Int(code.bits)].add(book)
        }
    }

    private mutating func addNumbers(_ books: SelectionBySegment, _ number: Int) {
        let segment = books.segments[number]
        let start = books.starts[number]
        if !segment.years.isEmpty {
            books.forEach(inSegment: number) { offset in
                let year = segment.years[offset]
                if year == NumericFields.unknownYear { return }
                decades[Decade(ofYear: Int(year)).number - Decade.numbers.lowerBound].add(UInt32(start + offset))
            }
        }
        if !segment.ratings.isEmpty {
            books.forEach(inSegment: number) { offset in
                ratings[Int(segment.ratings[offset])].add(UInt32(start + offset))
            }
        }
        if segment.traits.isEmpty { return }
        books.forEach(inSegment: number) { offset in
            traits[Int(segment.traits[offset])].add(UInt32(start + offset))
        }
    }

    /// Adds the counts of `other`, except for texts.
    mutating func addNumbers(of other: borrowing FacetAccumulator) {
        Self.add(other.languages, to: &languages)
        Self.add(other.decades, to: &decades)
        Self.add(other.traits, to: &traits)
        Self.add(other.ratings, to: &ratings)
        for kind in bookCounts.indices { bookCounts[kind] += other.bookCounts[kind] }
    }

    private static func add(_ others: [Tally], to tallies: inout [Tally]) {
        for offset in tallies.indices where others[offset].count > 0 { tallies[offset].add(others[offset]) }
    }

    /// Adds the texts of `facet` in one of the `RadixPartitions` to `table`.
    func add(_ facet: Facet, part: Int, to table: inout TermHashTable<Tally>) {
        switch facet {
        case .author: authors.add(part: part, to: &table)
        case .subject: subjects.add(part: part, to: &table)
        case .series: series.add(part: part, to: &table)
        case .language: namedLanguages.add(part: part, to: &table)
        case .decade, .fiction, .status, .rating, .ownRating, .shelf, .yearRead, .own: break
        }
    }

    /// Returns the counts of `facet` except for texts, with the values in the syntax of `FacetValue.value`.
    func numbers(of facet: Facet) -> [(value: String, tally: Tally)] {
        func known(_ tallies: [Tally], _ value: (Int) -> String?) -> [(value: String, tally: Tally)] {
            var found: [(value: String, tally: Tally)] = []
            for offset in tallies.indices where tallies[offset].count > 0 {
                guard let value = value(offset) else { continue }
                if let same = found.firstIndex(where: { $0.value == value }) {
                    found[same].tally.add(tallies[offset])
                } else {
                    found.append((value, tallies[offset]))
                }
            }
            return found
        }
        switch facet {
        // Own ratings, shelves and years of reading are user data only.
        case .author, .subject, .series, .ownRating, .shelf, .yearRead, .own: return []
        case .language: return known(languages) { LanguageCode(bits: UInt16($0)).text }
        case .decade:
            return known(decades) {
                let years = Decade(number: $0 + Decade.numbers.lowerBound).years
                return "\(years.lowerBound)..\(years.upperBound)"
            }
        case .fiction:
            return known(traits) { NumericFields.Traits(rawValue: UInt8($0)).isFiction.map { $0 ? "yes" : "no" } }
        case .status: return known(traits) { NumericFields.Traits(rawValue: UInt8($0)).status?.rawValue }
        case .rating: return known(ratings) { $0 == 0 ? nil : NumericFields.halfStars(of: UInt8($0)).number }
        }
    }

    /// Returns the number of books that have a value of `facet`.
    func knownCount(of facet: Facet) -> Int {
        facet.textField.map { bookCount(having: $0.line) }
            ?? numbers(of: facet).reduce(0) { $0 + Int($1.tally.count) }
    }

    /// Returns the number of books that have a text in a field.
    func bookCount(having kind: IndexedTextField) -> Int { bookCounts[Int(kind.rawValue)] }
}
