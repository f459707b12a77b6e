package import Books
package import Text

/// What is known of a book besides its text, in numbers: by these books are filtered, sorted and counted.
package struct NumericFields {
    /// When it came to the catalog, so that later ones are greater: see `init(packing:)`; 0 where nobody knows.
    package var added: UInt32 = 0
    /// Its place in its series; not a number where nobody knows.
    package var position = Float.nan
    /// The year it was published; `unknownYear` where nobody knows.
    package var year = Self.unknownYear
    /// The number of pages, or the greatest there is room for; 0 where nobody knows.
    package var pages: UInt16 = 0
    /// Its first language; 0 where nobody knows.
    package var language = LanguageCode.unknown
    /// The rating in fortieths, and one; 0 where nobody knows.
    package var rating: UInt8 = 0
    /// Whether it is fiction, how far the reader has come with it, and what there is of it.
    package var traits = Traits()

    /// The year of books of which nobody knows it.
    package static let unknownYear = Int16.min

    /// What is yes or no, or one of a few.
    package struct Traits: OptionSet, Hashable {
        package var rawValue: UInt8 = 0

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package init() {}

        static let fiction = Traits(rawValue: 1)
        static let nonFiction = Traits(rawValue: 2)
        /// Something stands where the description does, or the cover.
        package static let described = Traits(rawValue: 4)
        package static let covered = Traits(rawValue: 8)
        /// The bits of the status, which is a number: 0 for none.
        private static let statusShift = 4
        private static let statusBits: UInt8 = 7 << 4

        /// Whether the book is fiction.
        package var isFiction: Bool? {
            get { contains(.fiction) ? true : contains(.nonFiction) ? false : nil }
            set {
                subtract([.fiction, .nonFiction])
                if let newValue { insert(newValue ? .fiction : .nonFiction) }
            }
        }

        /// How far the reader has come with it, as the catalog says.
        package var status: Book.ReadingStatus? {
            get {
                let number = Int((rawValue & Self.statusBits) >> Self.statusShift)
                return number == 0 || number > Book.ReadingStatus.allCases.count
                    ? nil : Book.ReadingStatus.allCases[number - 1]
            }
            set {
                let number = newValue.flatMap(Book.ReadingStatus.allCases.firstIndex(of:)).map { UInt8($0) + 1 } ?? 0
                rawValue = rawValue & ~Self.statusBits | number << Self.statusShift
            }
        }
    }

    /// Nothing is known.
    package init() {}

    /// What is known of `book`.
    package init(of book: Book) {
        set(year: book.published)
        set(pages: book.pageCount)
        set(rating: book.rating)
        position = book.seriesPosition.map(Float.init) ?? .nan
        added = book.dateAdded.map(Self.packed) ?? 0
        language = book.languages.first.map(LanguageCode.init(of:)) ?? .unknown
        traits.isFiction = book.fiction
        traits.status = book.status
        if book.description != nil { traits.insert(.described) }
        if book.cover != nil { traits.insert(.covered) }
    }

    /// Sets the year to that of `date`.
    package mutating func set(year date: PartialDate?) {
        year = date.flatMap { Int16(exactly: $0.year) } ?? Self.unknownYear
    }

    /// Sets the number of pages.
    package mutating func set(pages count: Int?) { pages = count.map { UInt16(clamping: $0) } ?? 0 }

    /// Sets the rating, from 0 to 5.
    package mutating func set(rating value: Double?) {
        rating = value.map { UInt8(1 + (min(5, max(0, $0)) * 40).rounded()) } ?? 0
    }

    /// A date as a number, so that later ones are greater, and above zero.
    package static func packed(_ date: PartialDate) -> UInt32 {
        UInt32(clamping: ((date.year + 10_000) * 16 + (date.month ?? 0)) * 32 + (date.day ?? 0))
    }

    /// The year of a date that was packed.
    package static func year(ofPacked date: UInt32) -> Int { Int(date) / 512 - 10_000 }
}
