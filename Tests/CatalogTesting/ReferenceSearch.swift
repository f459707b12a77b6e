private import Glibc

@testable package import Books
@testable package import Search
@testable internal import Text

/// A slow and simple search in decoded books.
package struct ReferenceSearch {
    private struct Entry {
        let book: Book
        let values: [Query.TextField: [[UInt8]]]
    }

    private let entries: [Entry]
    private let userData: UserDataFilter

    /// Creates a search in these books with this user data.
    package init(_ books: [Book], userData: UserDataFilter) {
        self.userData = userData
        entries = books.map { book in
            var values: [Query.TextField: [String]] = [:]
            for field in Query.TextField.allCases {
                values[field] =
                    switch field {
                    // A book without a title has an empty one.
                    case .title: [book.title]
                    case .isbn: book.isbn?.number.map { ["\($0)"] } ?? []
                    default: field.bookField.value(in: book)?.texts ?? []
                    }
            }
            return Entry(book: book, values: values.mapValues { $0.map(Self.folded) })
        }
    }

    /// Returns the indices of the books that `query` finds, by rank and then in list order.
    package func search(_ query: Query) -> [Int] {
        let ranks = entries.indices.map { rank(query.expression, $0) }
        return ranks.indices.filter { ranks[$0] != nil }
            .sorted { (ranks[$0] ?? 0, $0) < (ranks[$1] ?? 0, $1) }
    }

    private static func folded(_ text: String) -> [UInt8] {
        var buffer = ByteBuffer()
        buffer.append(folding: text)
        return Array(buffer.bytes)
    }

    private func rank(_ expression: Query.Expression, _ index: Int) -> Int? {
        switch expression {
        case .everything: return 0
        case .not(let part): return rank(part, index) == nil ? 0 : nil
        case .any(let parts): return parts.compactMap { rank($0, index) }.min()
        case .all(let parts):
            var sum = 0
            for part in parts {
                guard let rank = rank(part, index) else { return nil }
                sum += rank
            }
            return min(sum, 254)
        case .term(let term): return rank(term.condition, index)
        }
    }

    private func rank(_ condition: Query.Condition, _ index: Int) -> Int? {
        let entry = entries[index]
        let book = entry.book
        func yes(_ isTrue: Bool) -> Int? { isTrue ? 0 : nil }
        switch condition {
        case .text(let pattern): return rank(pattern, entry)
        case .number(.pages, let range): return yes(book.pageCount.map { range.contains(Double($0)) } ?? false)
        case .number(.year, let range): return yes(book.published.map { range.contains(Double($0.year)) } ?? false)
        case .number(.rating, let range): return yes(book.rating.map { range.contains($0) } ?? false)
        case .number(.added, let range): return yes(book.dateAdded.map { range.contains(Double($0.year)) } ?? false)
        case .number(.mine, let range):
            return yes(isMarked(index, in: userData.ratings.filter { range.contains($0.key.stars) }.values))
        case .impossible: return nil
        case .known(.mine): return yes(isMarked(index, in: userData.ratings.values))
        case .known(.note): return yes(userData.notes.contains { $0.book == UInt32(index) })
        case .note(let text):
            return yes(
                userData.notes.contains { note in
                    note.book == UInt32(index)
                        && !Self.places(of: text, in: Self.folded(note.text)).isEmpty
                })
        case .known(.read): return yes(isMarked(index, in: userData.readYears.values))
        case .known(let field): return yes(isKnown(field, entry))
        case .fiction(let isFiction): return yes(book.fiction == isFiction)
        case .status(let status): return yes(book.status == status)
        case .log(let field, let range):
            let values = (userData.logs[field] ?? []).filter { $0.book == UInt32(index) }.map(\.value)
            return yes((field == .readings && values.isEmpty ? [0] : values).contains { range.contains($0) })
        case .invalidISBN: return yes(book.isbn?.isValid == false)
        case .seriesGap: return yes(hasGap(book.series))
        case .favourite: return yes(userData.favourites.contains(UInt32(index)))
        case .shelf(let key): return yes(userData.shelves[key]?.contains(UInt32(index)) ?? false)
        case .own(let field, let condition): return yes(meets(condition, field, book))
        case .regex(let pattern, let field):
            // Only letters and digits, possibly anchored at the beginning.
            let isBeginning = pattern.hasPrefix("^")
            let text = Self.folded(String(pattern.drop { $0 == "^" }))
            return yes(
                Query.TextField.allCases.contains { candidate in
                    (field.map { $0 == candidate } ?? candidate.isAnywhere)
                        && entry.values[candidate, default: []].contains {
                            isBeginning ? $0.starts(with: text) : !Self.places(of: text, in: $0).isEmpty
                        }
                })
        }
    }

    /// Whether a number is missing in a series: from 1 on if at least half of them are there, else from the lowest one on.
    private func hasGap(_ series: String?) -> Bool {
        guard let series else { return false }
        let key = Self.folded(SeriesName.name(of: series))
        var numbers: Set<Int> = []
        for entry in entries {
            guard let other = entry.book.series, Self.folded(SeriesName.name(of: other)) == key,
                let position = entry.book.seriesPosition, position >= 1, position == position.rounded()
            else { continue }
            numbers.insert(Int(position))
        }
        guard !key.isEmpty, let low = numbers.min(), let high = numbers.max() else { return false }
        let isFromOne = 2 * numbers.count >= high
        return ((isFromOne ? 1 : low)...high).contains { !numbers.contains($0) }
    }

    private func meets(_ condition: Query.OwnCondition, _ field: BookField, _ book: Book) -> Bool {
        guard let value = field.value(in: book) else { return false }
        switch condition {
        case .known: return true
        case .number(let range): return field.info.own?.kind.number(of: value).map(range.contains) ?? false
        case .text(let text, let isWhole):
            return value.texts.map(Self.folded).contains {
                isWhole ? $0 == text : !Self.places(of: text, in: $0).isEmpty
            }
        case .regex(let pattern):
            return value.texts.map(Self.folded).contains { !Self.places(of: Self.folded(pattern), in: $0).isEmpty }
        }
    }

    private func rank(_ pattern: Query.TextPattern, _ entry: Entry) -> Int? {
        if pattern.field == .language {
            let isThere = entry.values[.language, default: []].contains {
                $0 == pattern.folded || $0.starts(with: pattern.folded + [UInt8(ascii: "-")])
            }
            return isThere ? 0 : nil
        }
        var best: Int?
        for field in pattern.field.map({ [$0] }) ?? Query.TextField.allCases.filter(\.isAnywhere) {
            let zone = field == .title ? 0 : field == .author ? 1 : 2
            for value in entry.values[field, default: []] {
                let text = field == .isbn ? pattern.digits ?? pattern.folded : pattern.folded
                for place in Self.places(of: text, in: value) {
                    if pattern.isWhole && !Self.isWhole(text, at: place, in: value, of: field) { continue }
                    let rank = Self.isWordStart(place, in: value) ? zone : zone + 3
                    best = min(best ?? rank, rank)
                }
            }
        }
        return best
    }

    private static func isWhole(_ text: [UInt8], at place: Int, in value: [UInt8], of field: Query.TextField) -> Bool {
        let rest = value.dropFirst(text.count)
        return place == 0
            && (rest.isEmpty || field == .series && [" #", ", ", " ("].contains { rest.starts(with: $0.utf8) })
    }

    /// Returns the offsets of `text` in `value`.
    private static func places(of text: [UInt8], in value: [UInt8]) -> [Int] {
        guard !text.isEmpty, value.count >= text.count else { return [] }
        return value.withUnsafeBufferPointer { value in
            guard let base = value.baseAddress else { return [] }
            var places: [Int] = []
            var place = 0
            while place + text.count <= value.count,
                let found = memchr(base + place, Int32(text[0]), value.count - text.count + 1 - place)
            {
                place = UnsafeRawPointer(base).distance(to: UnsafeRawPointer(found))
                if memcmp(base + place, text, text.count) == 0 { places.append(place) }
                place += 1
            }
            return places
        }
    }

    private static func isWordStart(_ place: Int, in value: [UInt8]) -> Bool {
        guard let scalar = String(decoding: value[..<place], as: UTF8.self).unicodeScalars.last else { return true }
        return switch scalar.value {
        case 0x30...0x39, 0x61...0x7A: false
        case ..<0xC0, 0x2000...0x206F, 0x3000...0x303F: true
        default: false
        }
    }

    private func isMarked(_ index: Int, in lists: some Collection<[UInt32]>) -> Bool {
        lists.contains { $0.contains(UInt32(index)) }
    }

    private func isKnown(_ field: Query.KnownField, _ entry: Entry) -> Bool {
        func hasValue(_ field: Query.TextField) -> Bool { entry.values[field, default: []].contains { !$0.isEmpty } }
        let book = entry.book
        return switch field {
        case .pages: book.pageCount != nil
        case .year: book.published != nil
        case .position: book.seriesPosition != nil
        case .rating: book.rating != nil
        case .added: book.dateAdded != nil
        // These are user data.
        case .mine, .read, .note: false
        case .description: book.description != nil
        case .cover: book.cover != nil
        case .status: book.status != nil
        case .fiction: book.fiction != nil
        default: Query.TextField(rawValue: field.rawValue).map(hasValue) ?? false
        }
    }
}
