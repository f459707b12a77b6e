public import Books
public import Text

/// The numeric fields of a book, by which books are filtered, sorted and counted.
public struct NumericFields {
    /// The date when the book was added, packed by `packed(_:)` so that later dates are greater; 0 if unknown.
    public var added: UInt32 = 0
    /// The position in the series; NaN if unknown.
    public var position = Float.nan
    /// The publication year; `unknownYear` if unknown.
    public var year = Self.unknownYear
    /// The number of pages, clamped to the maximum; 0 if unknown.
    public var pages: UInt16 = 0
    /// The first language; 0 if unknown.
    public var language = LanguageCode.unknown
    /// One plus the rating in units of 1/40; 0 if unknown.
    public var rating: UInt8 = 0
    /// Fiction, the reading status, the presence of a description and a cover, and an invalid ISBN.
    public var traits = Traits()

    /// The value of `year` for unknown years.
    @inlinable @inline(__always)
    public static var unknownYear: Int16 { .min }

    /// A bit set of flags and small enumerations.
    public struct Traits: OptionSet, Hashable, Sendable {
        /// The bits of the traits.
        public var rawValue: UInt8 = 0

        /// Creates a set from its bits.
        @inlinable @inline(__always)
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Creates an empty set.
        @inlinable @inline(__always)
        public init() {}

        // Computed, as a constant of another module is read by a call.
        @inlinable @inline(__always)
        static var fiction: Traits { Traits(rawValue: 1) }
        @inlinable @inline(__always)
        static var nonFiction: Traits { Traits(rawValue: 2) }
        /// The record has a description.
        @inlinable @inline(__always)
        public static var described: Traits { Traits(rawValue: 4) }
        /// The record has a cover.
        @inlinable @inline(__always)
        public static var covered: Traits { Traits(rawValue: 8) }
        /// The record has an ISBN, but no valid one.
        @inlinable @inline(__always)
        public static var invalidISBN: Traits { Traits(rawValue: 128) }
        /// The position and mask of the reading status, a number with 0 for none.
        @inlinable @inline(__always)
        static var statusShift: Int { 4 }
        @inlinable @inline(__always)
        static var statusBits: UInt8 { 7 << 4 }

        /// Whether the book is fiction, if known.
        @inlinable @inline(__always)
        public var isFiction: Bool? {
            get { contains(.fiction) ? true : contains(.nonFiction) ? false : nil }
            set {
                subtract([.fiction, .nonFiction])
                if let newValue { insert(newValue ? .fiction : .nonFiction) }
            }
        }

        /// The reading status in the catalog.
        @inlinable @inline(__always)
        public var status: Book.ReadingStatus? {
            get {
                switch (rawValue & Self.statusBits) >> Self.statusShift {
                case 1: .toRead
                case 2: .reading
                case 3: .read
                case 4: .abandoned
                default: nil
                }
            }
            set {
                let number: UInt8 =
                    switch newValue {
                    case nil: 0
                    case .toRead: 1
                    case .reading: 2
                    case .read: 3
                    case .abandoned: 4
                    }
                rawValue = rawValue & ~Self.statusBits | number << Self.statusShift
            }
        }
    }

    /// Creates a value in which everything is unknown.
    public init() {}

    /// Creates the numeric fields of `book`.
    public init(of book: Book) {
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
        if book.isbn?.isValid == false { traits.insert(.invalidISBN) }
    }

    /// Sets the year to that of `date`.
    public mutating func set(year date: PartialDate?) {
        year = date.flatMap { Int16(exactly: $0.year) } ?? Self.unknownYear
    }

    /// Sets the number of pages.
    public mutating func set(pages count: Int?) { pages = count.map { UInt16(clamping: $0) } ?? 0 }

    /// Sets the rating, clamped to 0...5.
    public mutating func set(rating value: Double?) {
        rating = value.map { UInt8(1 + (min(5, max(0, $0)) * 40).rounded()) } ?? 0
    }

    /// Packs a date into a positive number, greater for later dates.
    public static func packed(_ date: PartialDate) -> UInt32 {
        UInt32(clamping: ((date.year + 10_000) * 16 + (date.month ?? 0)) * 32 + (date.day ?? 0))
    }

    /// Returns the year of a packed date.
    public static func year(ofPacked date: UInt32) -> Int { Int(date) / 512 - 10_000 }
}
