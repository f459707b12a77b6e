internal import Books
internal import Glibc
internal import Indexing
internal import Text

/// What one thread knows of the sections: numbers for them in the order in which it found them.
struct GroupDictionary: ~Copyable {
    /// The number of no section.
    static let none = UInt32.max

    /// The texts that sections are of, with their numbers and one.
    private(set) var texts = TermHashTable<UInt32>()
    /// What sections are in the order of, where they are not of texts, by their numbers.
    private(set) var orders: [UInt64] = []
    private var numbers: [UInt64: UInt32] = [:]
    /// The numbers that were asked for lately, each in the slot of its order.
    private var recent = [(order: UInt64, number: UInt32)](repeating: (0, none), count: 256)

    /// How many sections there are.
    var count: Int { texts.count + orders.count }

    /// Writes the number of the section of each of `books`, to which the reader gave `statuses`, in the segment of this number
    /// to `numbers`, in the place of its index.
    mutating func number(
        _ books: SelectionBySegment, inSegment segment: Int, by key: SectionKey, _ order: SectionOrder,
        _ statuses: UserStatusOverlay,
        into numbers: UnsafeMutablePointer<UInt32>
    ) {
        let start = books.starts[segment]
        let content = books.segments[segment]
        if let kind = key.textKind {
            number(books, segment, kind, into: numbers)
            return
        }
        switch key {
        case .letter:
            let hasSortTitle = content.text.has(IndexedTextField.sortTitle.rawValue)
            books.forEach(inSegment: segment) { place in
                var text = IndexedText(content.text(at: place))
                let title = hasSortTitle ? text.sortedTitle : text.next()?.content
                let language = content.languages.isEmpty ? 0 : content.languages[place]
                numbers[start + place] =
                    title.flatMap { $0.isEmpty ? nil : order.letter($0, LanguageCode(bits: language)) }
                    .map { number(of: $0) } ?? Self.none
            }
        case .decade:
            books.forEach(inSegment: segment) { place in
                let year = content.years.isEmpty ? NumericFields.unknownYear : content.years[place]
                numbers[start + place] =
                    year == NumericFields.unknownYear
                    ? Self.none
                    : number(of: UInt64(Decade(ofYear: Int(year)).number - Decade.numbers.lowerBound))
            }
        case .fiction, .status:
            // There are few traits, and to look at what they mean takes longer than to look it up.
            let sections = (0...UInt8.max).map { bits in
                key.order(of: NumericFields.Traits(rawValue: bits)).map { number(of: $0) } ?? Self.none
            }
            books.forEach(inSegment: segment) { place in
                numbers[start + place] = sections[content.traits.isEmpty ? 0 : Int(content.traits[place])]
            }
            if key == .fiction { return }
            for (book, status) in statuses[start..<start + content.count] {
                numbers[Int(book)] = number(of: UInt64(status.place))
            }
        case .series, .author, .subject: break
        }
    }

    private mutating func number(
        _ books: SelectionBySegment, _ segment: Int, _ kind: IndexedTextField,
        into numbers: UnsafeMutablePointer<UInt32>
    ) {
        let start = books.starts[segment]
        let content = books.segments[segment]
        var count = UInt32(truncatingIfNeeded: texts.count)
        func take(_ number: inout UInt32, _ book: UInt32) {
            if number == 0 {
                count += 1
                number = count
            }
            numbers[Int(book)] = number - 1
        }
        books.forEach(inSegment: segment) { place in
            let book = start + place
            if let value = IndexedText(content.text(at: place)).first(kind) {
                texts.add(value, of: UInt32(truncatingIfNeeded: book), take)
            } else {
                numbers[book] = Self.none
            }
        }
        texts.addPending(take)
    }

    @inline(__always)
    private mutating func number(of order: UInt64) -> UInt32 {
        let slot = Int(truncatingIfNeeded: order ^ order >> 8) & 0xFF
        if recent[slot].order == order, recent[slot].number != Self.none { return recent[slot].number }
        let number = numbers[order] ?? UInt32(orders.count)
        if number == orders.count {
            numbers[order] = number
            orders.append(order)
        }
        recent[slot] = (order, number)
        return number
    }
}

extension SectionKey {
    /// What the section of books with these traits is in the order of; nil where it is the last.
    fileprivate func order(of traits: NumericFields.Traits) -> UInt64? {
        switch self {
        case .fiction: traits.isFiction.map { $0 ? 0 : 1 }
        case .status: traits.status.map { UInt64($0.place) }
        case .letter, .decade, .series, .author, .subject: nil
        }
    }
}

extension Book.ReadingStatus {
    /// Where it is among all.
    fileprivate var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether there is such a byte. Linear; ten and more bytes a nanosecond.
    fileprivate func has(_ byte: UInt8) -> Bool { baseAddress.map { memchr($0, Int32(byte), count) != nil } ?? false }
}
