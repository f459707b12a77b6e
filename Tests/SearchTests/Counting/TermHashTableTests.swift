import Testing

@testable import Search

@Suite("Counting: term hash table") struct TermHashTableTests {
    /// Calls `body` with texts that do not move in memory.
    private func withTexts(_ texts: [String], _ body: ([UnsafeBufferPointer<UInt8>]) -> Void) {
        let copies = texts.map { text in
            let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
            _ = copy.initialize(fromContentsOf: Array(text.utf8))
            return copy
        }
        body(copies.map { UnsafeBufferPointer($0) })
        copies.forEach { $0.deallocate() }
    }

    @Test func aTextIsFoundAgain() {
        withTexts(["a", "b", "a", "ab", "b"]) { texts in
            var table = TermHashTable<UInt32>()
            var books: [UInt32] = []
            for (text, book) in zip(texts, UInt32(0)...) {
                table.add(text, of: book) { note, book in
                    note += 1
                    books.append(book * 10 + note)
                }
            }
            // All of them are still pending.
            #expect(books == [])
            table.addPending { note, book in
                note += 1
                books.append(book * 10 + note)
            }
            #expect(books == [1, 11, 22, 31, 42])
            #expect(table.count == 3)
        }
    }

    @Test func differentTextsWithOneHashAreKeptApart() {
        withTexts(["a", "b", "aa", "a"]) { texts in
            var table = TermHashTable<UInt32>()
            for text in texts { table.entry(of: text, hash: .max).pointee.note += 1 }
            var notes: [String: UInt32] = [:]
            table.forEachEntry { notes[String(decoding: $0.bytes, as: UTF8.self)] = $0.note }
            #expect(notes == ["a": 2, "b": 1, "aa": 1])
        }
    }

    @Test(arguments: [1, 4, 6]) func eachTextIsInOnePart(bitCount: Int) {
        withTexts((0..<3000).map { "text \($0)" }) { texts in
            var table = TermHashTable<UInt32>()
            for text in texts { table.add(text, of: 0) { note, _ in note += 1 } }
            table.addPending { note, _ in note += 1 }
            var found: [String] = []
            for part in 0..<1 << bitCount {
                table.forEachEntry(inPart: part, bitCount: bitCount) {
                    found.append(String(decoding: $0.bytes, as: UTF8.self))
                    #expect(Int($0.hash >> UInt64(64 - bitCount)) == part)
                }
            }
            #expect(found.count == 3000)
            #expect(Set(found).count == 3000)
        }
    }

    @Test func placesBehindTheEndAreAtTheBeginning() {
        withTexts((0..<40).map { "\($0)" }) { texts in
            var table = TermHashTable<UInt32>()
            // All of them have the last slot.
            for text in texts { table.entry(of: text, hash: .max).pointee.note += 1 }
            var counts = [Int](repeating: 0, count: 16)
            for part in 0..<16 { table.forEachEntry(inPart: part, bitCount: 4) { _ in counts[part] += 1 } }
            #expect(counts == Array(repeating: 0, count: 15) + [40])
        }
    }
}
