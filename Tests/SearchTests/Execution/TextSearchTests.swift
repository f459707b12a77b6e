import CText
import Glibc
import TestSupport
import Testing

@testable import Indexing
@testable import Search

/// Compares the text search in C with a naive implementation.
@Suite("Search: the kernels") struct TextSearchTests {
    /// Two pages, the second of which must not be accessed.
    private final class GuardedPage {
        static let size = 4096
        private let memory: UnsafeMutableRawPointer

        init() throws {
            let pages = try #require(
                mmap(nil, 2 * Self.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
            try #require(pages != MAP_FAILED && mprotect(pages + Self.size, Self.size, PROT_NONE) == 0)
            memory = pages
        }

        deinit { munmap(memory, 2 * Self.size) }

        /// Puts `bytes` at the end of the page and returns their address.
        func put(_ bytes: [UInt8]) -> UnsafePointer<UInt8> {
            let start = memory + Self.size - bytes.count
            bytes.withUnsafeBytes {
                start.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(start), byteCount: $0.count)
            }
            return UnsafePointer(start.assumingMemoryBound(to: UInt8.self))
        }
    }

    private let page: GuardedPage

    init() throws {
        page = try GuardedPage()
    }

    // MARK: Finding

    private static func find(_ needle: [UInt8], in text: [UInt8], from: Int) -> Int {
        var place = from
        while !needle.isEmpty && place + needle.count <= text.count {
            if text[place..<place + needle.count].elementsEqual(needle) { return place }
            place += 1
        }
        return text.count
    }

    private func check(_ needle: [UInt8], in text: [UInt8], from: Int) {
        let expected = Self.find(needle, in: text, from: from)
        let start = page.put(text)
        let found = text_find(start, text.count, from, needle, needle.count)
        let plainlyFound = text_find_plain(start, text.count, from, needle, needle.count)
        if (found, plainlyFound) != (expected, expected) { Issue.record("\(needle) in \(text) from \(from)") }
    }

    @Test func theFirstOccurrenceIsFound() {
        var random = SplitMix(seed: 0xF1D)
        for round in 0..<6000 {
            let letterCount = UInt8([2, 3, 40][round % 3])
            let text = (0..<Int.random(in: 0...400, using: &random)).map { _ in
                UInt8.random(in: 0..<letterCount, using: &random) &+ 0x5A
            }
            let length = Int.random(in: 1...40, using: &random)
            var needle = (0..<length).map { _ in UInt8.random(in: 0..<letterCount, using: &random) &+ 0x5A }
            // A needle that usually occurs.
            if text.count >= length, round % 4 != 0 {
                let place = Int.random(in: 0...text.count - length, using: &random)
                needle = Array(text[place..<place + length])
                if round % 4 == 1 { needle[length - 1 - length / 2] ^= 1 }
            }
            check(needle, in: text, from: Int.random(in: 0...text.count, using: &random))
        }
    }

    @Test func aTextIsFoundAtEveryOffsetAndNeverPastTheEnd() {
        for length in 1...40 {
            let needle = (0..<length).map { UInt8($0 + 1) }
            for place in stride(from: 0, through: 200, by: length % 7 + 1) {
                for rest in [0, 1, 31, 32, 33, 130] {
                    check(
                        needle, in: [UInt8](repeating: 0, count: place) + needle + [UInt8](repeating: 0, count: rest),
                        from: 0)
                }
                check(needle, in: [UInt8](repeating: 0, count: place) + needle.dropLast(), from: 0)
            }
        }
        check([], in: [1, 2, 3], from: 0)
        check([1], in: [], from: 0)
        check([1], in: [1], from: 1)
    }

    // MARK: Ranking

    /// A book's text with a naive search.
    private struct Text {
        var title: String
        var authors: [String] = []
        var rest: [(kind: UInt8, text: String)] = []
        var digits = ""

        var bytes: [UInt8] {
            var bytes = Array(title.utf8) + [0x0A]
            for author in authors { bytes += Array(author.utf8) + [0x0A] }
            for (kind, text) in rest { bytes += [kind] + Array(text.utf8) + [0x0A] }
            return bytes + Array(digits.utf8)
        }

        /// Returns the rank of the best match of `needle`, whose last character may be a line feed.
        func rank(of needle: String, kinds: UInt32, beginsLine: Bool) -> UInt8 {
            var best = UInt8(TEXT_NO_MATCH)
            func add(_ line: String, kind: Int, zone: UInt8) {
                guard kinds & UInt32(kind) != 0 else { return }
                let line = Array(line.unicodeScalars)
                let wanted = Array(needle.unicodeScalars)
                for place in line.indices where line[place...].starts(with: wanted) {
                    if beginsLine && place > 0 { continue }
                    best = min(best, place == 0 || !Self.isLetter(line[place - 1]) ? zone : zone + 3)
                }
            }
            add(title + "\n", kind: TEXT_TITLE, zone: 0)
            for author in authors { add(author + "\n", kind: TEXT_AUTHOR, zone: 1) }
            for (kind, text) in rest { add(text + "\n", kind: 1 << Int(kind), zone: 2) }
            add(digits, kind: TEXT_ISBN, zone: 2)
            return best
        }

        /// Returns whether no word begins after the character.
        private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar.value {
            case 0x30...0x39, 0x61...0x7A: true
            case 0x80...0xBF, 0x2000...0x206F, 0x3000...0x303F: false
            default: scalar.value >= 0x80
            }
        }
    }

    private static let letters: [Unicode.Scalar] = [
        "a", "a", "a", "b", "b", " ", " ", "9", "-", "é", "¡", "–", "。", "語", "語", "😀", "\u{1161}",
    ]

    private static func randomLine(_ range: ClosedRange<Int>, _ random: inout SplitMix) -> String {
        var line = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: range, using: &random) { line.append(letters.randomElement(using: &random) ?? "a") }
        return String(line)
    }

    private static func randomText(_ random: inout SplitMix) -> Text {
        let longest = [4, 12, 60].randomElement(using: &random) ?? 4
        var text = Text(title: randomLine(0...longest, &random))
        for _ in 0..<Int.random(in: 0...3, using: &random) { text.authors.append(randomLine(0...longest, &random)) }
        for kind in [0x1D, 0x1E, 0x1E, 0x1C, 0x1B, 0x1A] as [UInt8] where Bool.random(using: &random) {
            text.rest.append((kind, randomLine(1...longest, &random)))
        }
        if Bool.random(using: &random) {
            text.digits = "97" + (0..<11).map { _ in "\(Int.random(in: 8...9, using: &random))" }.joined()
        }
        return text
    }

    /// Returns a needle that often occurs in `text`, and the kinds of lines to search.
    private static func randomNeedle(
        in text: Text, _ random: inout SplitMix
    ) -> (text: String, kinds: UInt32, beginsLine: Bool) {
        let searched = UInt32(TEXT_TITLE | TEXT_AUTHOR | TEXT_ISBN) | 1 << 0x1D | 1 << 0x1E
        let kinds = [
            searched, searched, .max, UInt32(TEXT_TITLE), UInt32(TEXT_AUTHOR), UInt32(TEXT_ISBN), 1 << 0x1E, 1 << 0x1A,
        ]
        let lines = [text.title] + text.authors + text.rest.map(\.text) + [text.digits]
        let line = Array((lines.randomElement(using: &random) ?? "").unicodeScalars)
        var piece = String.UnicodeScalarView()
        var isWhole = false
        if line.isEmpty || Int.random(in: 0..<5, using: &random) == 0 {
            piece = randomLine(1...3, &random).unicodeScalars
        } else {
            let start = Int.random(in: 0..<line.count, using: &random)
            piece.append(
                contentsOf: line[start..<Int.random(in: start + 1...min(line.count, start + 40), using: &random)])
            isWhole = start == 0 && Bool.random(using: &random)
        }
        let beginsLine = isWhole || Int.random(in: 0..<8, using: &random) == 0
        return (String(piece) + (isWhole ? "\n" : ""), kinds.randomElement(using: &random) ?? .max, beginsLine)
    }

    @Test func theRankIsThatOfTheBestMatch() {
        var random = SplitMix(seed: 0x3A7E)
        for round in 0..<20_000 {
            let text = Self.randomText(&random)
            let wanted = Self.randomNeedle(in: text, &random)
            let expected = text.rank(of: wanted.text, kinds: wanted.kinds, beginsLine: wanted.beginsLine)
            let bytes = text.bytes
            // The bytes after the text may be read, but must not matter.
            let readable = bytes.count + [0, 0, 1, 31, 32, 100][round % 6]
            let start = page.put(
                bytes + (bytes + bytes + [UInt8](repeating: 0x61, count: 100)).prefix(readable - bytes.count))
            let needle = Array(wanted.text.utf8)
            needle.withUnsafeBufferPointer {
                let needle = text_needle(
                    bytes: $0.baseAddress, count: $0.count, kinds: wanted.kinds, begins_line: wanted.beginsLine)
                let rank = text_rank(start, bytes.count, readable, needle)
                let plainRank = text_rank_plain(start, bytes.count, needle)
                if (rank, plainRank) != (expected, expected) { Issue.record("\(wanted) in \(text), \(readable)") }
            }
        }
    }

    @Test func theDigitsAreFoundAtAnyBlockBoundary() {
        for length in 0...100 {
            let text = Text(title: String(repeating: "-", count: length) + "x97", digits: "9780441478125")
            let start = page.put(text.bytes)
            for (wanted, expected) in [
                ("97", UInt8(2)), ("x9", 0), ("978", 2), ("9780441478125", 2), ("25", 5), ("79", 0xFF),
            ] {
                let rank = text.rank(of: wanted, kinds: .max, beginsLine: false)
                #expect(rank == expected)
                Array(wanted.utf8).withUnsafeBufferPointer {
                    let needle = text_needle(bytes: $0.baseAddress, count: $0.count, kinds: .max, begins_line: false)
                    #expect(
                        text_rank(start, text.bytes.count, text.bytes.count, needle) == rank, "\(wanted), \(length)")
                }
            }
        }
    }

    @Test func allBooksOfASegmentAreRankedAsEachAlone() {
        var random = SplitMix(seed: 0xB00C)
        for _ in 0..<1500 {
            let texts = (0..<Int.random(in: 1...30, using: &random)).map { _ in Self.randomText(&random) }
            var bytes: [UInt8] = []
            var ends: [UInt32] = []
            for text in texts {
                bytes += text.bytes
                ends.append(UInt32(bytes.count))
            }
            guard bytes.count <= GuardedPage.size else { continue }
            let start = page.put(bytes)
            let wanted = Self.randomNeedle(in: texts.randomElement(using: &random) ?? texts[0], &random)
            let expected = texts.map { $0.rank(of: wanted.text, kinds: wanted.kinds, beginsLine: wanted.beginsLine) }
            var ranks = [UInt8](repeating: 7, count: texts.count + 1)
            let needle = Array(wanted.text.utf8)
            let count = needle.withUnsafeBufferPointer {
                let needle = text_needle(
                    bytes: $0.baseAddress, count: $0.count, kinds: wanted.kinds, begins_line: wanted.beginsLine)
                return text_rank_books(start, bytes.count, ends, texts.count, needle, &ranks)
            }
            #expect(ranks == expected + [7], "\(wanted) in \(texts)")
            #expect(count == expected.count { $0 != TEXT_NO_MATCH }, "\(wanted) in \(texts)")
        }
    }

    /// An index whose file is truncated or overwritten while it is searched has any numbers for ends.
    @Test func textEndsThatDoNotAscendDoNotLeadBeyondTheText() {
        var random = SplitMix(seed: 0xE4D5)
        let text = page.put(Array(repeating: Array("the e\ne".utf8), count: 400).flatMap(\.self))
        let limits: [UInt32] = [0, 64, 2800, 6000, .max]
        for _ in 0..<2000 {
            let limit = limits[Int.random(in: 0..<limits.count, using: &random)]
            var ends = (0..<300).map { _ in UInt32.random(in: 0...limit, using: &random) }
            if Bool.random(using: &random) { ends.sort() }
            if Bool.random(using: &random) { ends.replaceSubrange(150..., with: repeatElement(0, count: 150)) }
            ends[299] = Bool.random(using: &random) ? 2800 : limit
            var ranks = [UInt8](repeating: 7, count: 301)
            for wanted in ["e", "the", "e\n"] {
                Array(wanted.utf8).withUnsafeBufferPointer {
                    for kinds in [UInt32.max, UInt32(TEXT_TITLE)] {
                        let needle = text_needle(
                            bytes: $0.baseAddress, count: $0.count, kinds: kinds, begins_line: false)
                        _ = text_rank_books(text, 2800, ends, 300, needle, &ranks)
                    }
                }
            }
            #expect(ranks[300] == 7)
        }
    }

    @Test func matchesDoNotCrossBooks() {
        let bytes = Array("a\n9780441478125".utf8) + Array("1984\n9780441478125".utf8)
        let ends: [UInt32] = [15, 33]
        for (wanted, expected) in [
            ("251984", [0xFF, 0xFF]), ("25", [5, 5]), ("198", [0xFF, 0]), ("5\n", [0xFF, 0xFF]),
        ] {
            var ranks: [UInt8] = [0, 0]
            Array(wanted.utf8).withUnsafeBufferPointer {
                let needle = text_needle(bytes: $0.baseAddress, count: $0.count, kinds: .max, begins_line: false)
                _ = text_rank_books(page.put(bytes), bytes.count, ends, 2, needle, &ranks)
            }
            #expect(ranks.map(Int.init) == expected, "\(wanted)")
        }
    }
}

extension TextSearchTests {
    /// Returns the texts of at most `count` books with few different letters and words, and the end of each.
    static func frequentTexts(upTo count: Int, _ round: Int, _ random: inout SplitMix) -> ([UInt8], [UInt32]) {
        let pieces: [[UInt8]] = [
            Array("e".utf8), Array("the ".utf8), Array("king ".utf8), Array("é".utf8), Array("“e".utf8),
            Array("漢".utf8),
            Array("x".utf8), Array(" ".utf8), Array("1".utf8), Array("-e".utf8), Array("ekekek".utf8),
        ]
        var text: [UInt8] = []
        var ends: [UInt32] = []
        for _ in 0..<Int.random(in: 1...count, using: &random) {
            // Title and authors come first.
            let authorCount = Int.random(in: 0...3, using: &random)
            for line in 0..<Int.random(in: 1...5, using: &random) {
                if line > authorCount { text.append([0x1D, 0x1E, 0x1C][Int.random(in: 0..<3, using: &random)]) }
                let length = Int.random(in: 0..<300, using: &random) == 0 ? 900 : 6
                for _ in 0..<Int.random(in: 1...length, using: &random) {
                    text += pieces[Int.random(in: pieces.indices, using: &random)]
                }
                text.append(0x0A)
            }
            if Bool.random(using: &random) { text += Array("978044147812".utf8) + [0x30 + UInt8(round % 10)] }
            ends.append(UInt32(text.count))
        }
        return (text, ends)
    }

    /// If most books match, they are ranked by another method, which must give the same result.
    @Test(.thorough) func frequentTextsGiveEachBookTheRankThatItHasAlone() {
        var random = SplitMix(seed: 0xDE45E)
        for round in 0..<300 {
            let (text, ends) = Self.frequentTexts(upTo: 600, round, &random)
            for needle in ["e", "the", "k", "1", "9", "ek", " ", "é", "king e", "97", "-"] {
                let bytes = Array(needle.utf8)
                var ranks = [UInt8](repeating: 0, count: ends.count)
                let expected = bytes.withUnsafeBufferPointer { bytes in
                    let needle = text_needle(
                        bytes: bytes.baseAddress, count: bytes.count,
                        kinds: IndexedTextField.searched.reduce(0) { $0 | $1.searchBit },
                        begins_line: false)
                    let count = text_rank_books(text, text.count, ends, ends.count, needle, &ranks)
                    #expect(count == ranks.count { $0 != SegmentMatcher.noMatch })
                    return text.withUnsafeBufferPointer { text in
                        ends.indices.map { book in
                            let start = book == 0 ? 0 : Int(ends[book - 1])
                            return text_rank_plain(text.baseAddress.map { $0 + start }, Int(ends[book]) - start, needle)
                        }
                    }
                }
                let wrong = ranks.indices.first { ranks[$0] != expected[$0] }
                if let wrong {
                    Issue.record("\(needle), round \(round): book \(wrong) has \(ranks[wrong]), not \(expected[wrong])")
                }
            }
        }
    }
}
