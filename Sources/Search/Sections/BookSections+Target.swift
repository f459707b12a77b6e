internal import Books
internal import Indexing
internal import Text

extension BookSections {
    /// Returns the section of a letter, or of a year if the sections are decades, as typed; the next one if there is no
    /// such section, and the last one if there is no next one. Returns nil if these sections have no letters or years.
    /// Logarithmic.
    public func section(at typed: String) -> Int? {
        guard let target = place(of: typed), count > 0 else { return nil }
        // Unknown values come last, in any order.
        let known = 0..<(hasUnknown ? count - 1 : count)
        let places = (first: known.isEmpty ? nil : place(of: 0), last: known.isEmpty ? nil : place(of: known.count - 1))
        let isDescending = places.first ?? 0 > places.last ?? 0
        let found = known.firstIndex(notBefore: { section in
            guard let place = place(of: section) else { return false }
            return isDescending ? place > target : place < target
        })
        return min(found, count - 1)
    }

    /// A number that orders what was typed among the sections.
    private func place(of typed: String) -> Int? {
        switch key {
        case .letter, .author, .series, .subject:
            let folded = [UInt8](folding: typed)
            return folded.withUnsafeBufferPointer { folded in
                var bytes = ByteBuffer()
                Collation.append(folded, to: &bytes)
                return bytes.bytes.isEmpty ? nil : Int(AlphabeticIndex(ofKey: UnsafeBufferPointer(bytes.bytes)).number)
            }
        case .decade: return Int(typed).map { Decade(ofYear: $0).number }
        case .fiction, .status, .own: return nil
        }
    }

    /// A number that orders a section by its letter or decade.
    private func place(of section: Int) -> Int? {
        let book = list[starts[section]].index
        let text = index.text(at: book)
        switch key {
        case .letter: return order.letter(text.sortedTitle, index.facts(at: book).language).map { Int($0) }
        case .author, .series, .subject:
            guard let kind = key.textKind, let value = text.first(kind) else { return nil }
            var bytes = ByteBuffer()
            order.appendKey?(key, value, &bytes)
            return Int(AlphabeticIndex(ofKey: UnsafeBufferPointer(bytes.bytes)).number)
        case .decade: return Decade(ofYear: Int(index.facts(at: book).year)).number
        case .fiction, .status, .own: return nil
        }
    }
}
