package import Books
package import Text

/// The numeric fields of a book, by which books are filtered, sorted and counted.
package struct NumericFields {
    /// The date when the book was added, packed by `packed(_:)` so that later dates are greater; 0 if unknown.
    package var added: UInt32 = 0
    /// The position in the series; NaN if unknown.
    package var position = Float.nan
    /// The publication year; `unknownYear` if unknown.
    package var year = Self.unknownYear
    /// The number of pages, clamped to the maximum; 0 if unknown.
    package var pages: UInt16 = 0
    /// The first language; 0 if unknown.
    package var language = LanguageCode.unknown
    /// One plus the rating in units of 1/40; 0 if unknown.
    package var rating: UInt8 = 0
    /// Fiction, the reading status, and the presence of a description and a cover.
    package var traits = Traits()

    /// The value of `year` for unknown years.
    package static let unknownYear = Int16.min

    /// A bit set of flags and small enumerations.
    package struct Traits: OptionSet, Hashable {
        package var rawValue: UInt8 = 0

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package init() {}

        static let fiction = Traits(rawValue: 1)
        static let nonFiction = Traits(rawValue: 2)
        /// The record has a description, or a cover.
        package static let described = Traits(rawValue: 4)
        package static let covered = Traits(rawValue: 8)
        /// The position and mask of the reading status, a number with 0 for none.
        private static let statusShift = 4
        private static let statusBits: UInt8 = 7 << 4

        /// Whether the book is fiction, if known.
        package var isFiction: Bool? {
            get { contains(.fiction) ? true : contains(.nonFiction) ? false : nil }
            set {
                subtract([.fiction, .nonFiction])
                if let newValue { insert(newValue ? .fiction : .nonFiction) }
            }
        }

        /// The reading status in the catalog.
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

    /// Creates a value in which everything is unknown.
    package init() {}

    /// Creates the numeric fields of `book`.
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

    /// Sets the rating, clamped to 0...5.
    package mutating func set(rating value: Double?) {
        rating = value.map { UInt8(1 + (min(5, max(0, $0)) * 40).rounded()) } ?? 0
    }

    /// Packs a date into a positive number, greater for later dates.
    package static func packed(_ date: PartialDate) -> UInt32 {
        UInt32(clamping: ((date.year + 10_000) * 16 + (date.month ?? 0)) * 32 + (date.day ?? 0))
    }

    /// Returns the year of a packed date.
    package static func year(ofPacked date: UInt32) -> Int { Int(date) / 512 - 10_000 }
}
