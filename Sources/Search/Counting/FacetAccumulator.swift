internal import Books
internal import Indexing
internal import Text

/// What one thread counts of the values that books have.
struct FacetAccumulator: ~Copyable {
    /// How many books have a value.
    struct Tally: BitwiseCopyable {
        /// How many there are.
        var count: UInt32 = 0
        /// The first of them in the catalog.
        var first: UInt32 = 0
        /// The last that was counted: a book counts once however often it has a value.
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

        /// Adds what was counted of other books.
        @inline(__always)
        mutating func add(_ other: Tally) {
            first = count == 0 ? other.first : min(first, other.first)
            count += other.count
            // None of the books to come.
            last = .max
        }
    }

    /// The texts that were counted.
    private(set) var authors = TermCounts()
    private(set) var subjects = TermCounts()
    private(set) var series = TermCounts()
    /// The languages that have no code.
    private(set) var namedLanguages = TermCounts()
    /// The others by the bits of their codes.
    private(set) var languages = [Tally](repeating: Tally(), count: 1 << 15)
    /// The decades, from that of the first year that there can be on.
    private(set) var decades = [Tally](repeating: Tally(), count: Decade.numbers.count)
    /// What is yes or no, or one of a few, by its bits.
    private(set) var traits = [Tally](repeating: Tally(), count: 1 << 8)
    /// How many books have a text of a kind, by the kind; of languages also those that have a code.
    private(set) var bookCounts = [Int](repeating: 0, count: 1 << 5)

    /// Counts those of `books` that are in the segment of this number.
    mutating func add(_ books: SelectionBySegment, inSegment number: Int) {
        addTexts(books, number)
        addNumbers(books, number)
    }

    private mutating func addTexts(_ books: SelectionBySegment, _ number: Int) {
        let segment = books.segments[number]
        let start = books.starts[number]
        books.forEach(inSegment: number) { place in
            let book = UInt32(truncatingIfNeeded: start + place)
            var kinds: UInt32 = 0
            if !segment.languages.isEmpty, segment.languages[place] != 0 {
                languages[Int(segment.languages[place] & 0x7FFF)].add(book)
                kinds = 1 << UInt32(IndexedTextField.language.rawValue)
            }
            for line in IndexedText(segment.text(at: place)) where !line.content.isEmpty {
                kinds |= 1 << UInt32(line.kind.rawValue)
                switch line.kind {
                case .author:
                    authors.add(line.content, of: book)
                case .subject:
                    subjects.add(line.content, of: book)
                case .series:
                    let name = UnsafeBufferPointer(rebasing: line.content.prefix(SeriesName.length(of: line.content)))
                    series.add(name, of: book)
                case .language: add(language: line.content, of: book)
                case .title, .isbn, .sortTitle, .publisher: break
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
        // What a search for the language finds: its variants are it too.
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
            books.forEach(inSegment: number) { place in
                let year = segment.years[place]
                if year == NumericFields.unknownYear { return }
                decades[Decade(ofYear: Int(year)).number - Decade.numbers.lowerBound].add(UInt32(start + place))
            }
        }
        if segment.traits.isEmpty { return }
        books.forEach(inSegment: number) { place in
            traits[Int(segment.traits[place])].add(UInt32(start + place))
        }
    }

    /// Adds what `other` counted of other books, but for the texts.
    mutating func addNumbers(of other: borrowing FacetAccumulator) {
        Self.add(other.languages, to: &languages)
        Self.add(other.decades, to: &decades)
        Self.add(other.traits, to: &traits)
        for kind in bookCounts.indices { bookCounts[kind] += other.bookCounts[kind] }
    }

    private static func add(_ others: [Tally], to tallies: inout [Tally]) {
        for place in tallies.indices where others[place].count > 0 { tallies[place].add(others[place]) }
    }

    /// Adds the texts of `facet` in a part, of those of `RadixPartitions`, to a table of all.
    func add(_ facet: Facet, part: Int, to table: inout TermHashTable<Tally>) {
        switch facet {
        case .author: authors.add(part: part, to: &table)
        case .subject: subjects.add(part: part, to: &table)
        case .series: series.add(part: part, to: &table)
        case .language: namedLanguages.add(part: part, to: &table)
        case .decade, .fiction, .status: break
        }
    }

    /// What was counted of `facet` but for texts, and the values as a facet has them.
    func numbers(of facet: Facet) -> [(value: String, tally: Tally)] {
        func known(_ tallies: [Tally], _ value: (Int) -> String?) -> [(value: String, tally: Tally)] {
            var found: [(value: String, tally: Tally)] = []
            for place in tallies.indices where tallies[place].count > 0 {
                guard let value = value(place) else { continue }
                if let same = found.firstIndex(where: { $0.value == value }) {
                    found[same].tally.add(tallies[place])
                } else {
                    found.append((value, tallies[place]))
                }
            }
            return found
        }
        switch facet {
        case .author, .subject, .series: return []
        case .language: return known(languages) { LanguageCode(bits: UInt16($0)).text }
        case .decade:
            return known(decades) {
                let years = Decade(number: $0 + Decade.numbers.lowerBound).years
                return "\(years.lowerBound)..\(years.upperBound)"
            }
        case .fiction:
            return known(traits) { NumericFields.Traits(rawValue: UInt8($0)).isFiction.map { $0 ? "yes" : "no" } }
        case .status: return known(traits) { NumericFields.Traits(rawValue: UInt8($0)).status?.rawValue }
        }
    }

    /// How many books have a value of `facet`.
    func knownCount(of facet: Facet) -> Int {
        switch facet {
        case .author: bookCount(having: .author)
        case .subject: bookCount(having: .subject)
        case .series: bookCount(having: .series)
        case .language: bookCount(having: .language)
        case .decade, .fiction, .status: numbers(of: facet).reduce(0) { $0 + Int($1.tally.count) }
        }
    }

    /// How many books have a text of `kind`.
    func bookCount(having kind: IndexedTextField) -> Int { bookCounts[Int(kind.rawValue)] }
}
