internal import Books
internal import Glibc
internal import Indexing
internal import Text

/// The sections that one thread has found, numbered in the order of discovery (dictionary encoding).
struct GroupDictionary: ~Copyable {
    /// The number for books that belong to no section.
    static let none = UInt32.max

    /// The texts of the sections, each with its number plus one.
    private(set) var texts = TermHashTable<UInt32>()
    /// The sort values of sections that are not texts, by section number.
    private(set) var orders: [UInt64] = []
    private var numbers: [UInt64: UInt32] = [:]
    /// A cache of recent sort values and their section numbers.
    private var recent = [(order: UInt64, number: UInt32)](repeating: (0, none), count: 256)

    /// The number of sections.
    var count: Int { texts.count + orders.count }

    /// Writes the section number of each book in `segment` to `numbers` at the index of the book; `statuses` overrides
    /// the catalog's reading status.
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
            books.forEach(inSegment: segment) { position in
                var text = IndexedText(content.text(at: position))
                let title = hasSortTitle ? text.sortedTitle : text.next()?.content
                let language = content.languages.isEmpty ? 0 : content.languages[position]
                numbers[start + position] =
                    title.flatMap { $0.isEmpty ? nil : order.letter($0, LanguageCode(bits: language)) }
                    .map { number(of: $0) } ?? Self.none
            }
        case .decade:
            books.forEach(inSegment: segment) { position in
                let year = content.years.isEmpty ? NumericFields.unknownYear : content.years[position]
                numbers[start + position] =
                    year == NumericFields.unknownYear
                    ? Self.none
                    : number(of: UInt64(Decade(ofYear: Int(year)).number - Decade.numbers.lowerBound))
            }
        case .fiction, .status:
            // There are only 256 combinations of traits, and a table lookup is faster than decoding them.
            let sections = (0...UInt8.max).map { bits in
                key.order(of: NumericFields.Traits(rawValue: bits)).map { number(of: $0) } ?? Self.none
            }
            books.forEach(inSegment: segment) { position in
                numbers[start + position] = sections[content.traits.isEmpty ? 0 : Int(content.traits[position])]
            }
            if key == .fiction { return }
            for (book, status) in statuses[start..<start + content.count] {
                numbers[Int(book)] = number(of: UInt64(status.position))
            }
        case .series, .author, .subject, .own: break
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
        books.forEach(inSegment: segment) { position in
            let book = start + position
            if let value = IndexedText(content.text(at: position)).first(kind) {
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
    /// Returns the sort value of the section for books with these traits, or nil for the last section.
    fileprivate func order(of traits: NumericFields.Traits) -> UInt64? {
        switch self {
        case .fiction: traits.isFiction.map { $0 ? 0 : 1 }
        case .status: traits.status.map { UInt64($0.position) }
        case .letter, .decade, .series, .author, .subject, .own: nil
        }
    }
}

extension Book.ReadingStatus {
    /// The index of the status among all.
    var position: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether the buffer contains `byte`. Linear, more than ten bytes per nanosecond.
    fileprivate func has(_ byte: UInt8) -> Bool { baseAddress.map { memchr($0, Int32(byte), count) != nil } ?? false }
}
