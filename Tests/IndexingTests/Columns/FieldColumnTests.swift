import Books
import TestSupport
import Testing
import Text
import Threading

@testable import CatalogTesting
@testable import Indexing

@Suite("Field columns") struct FieldColumnTests {
    private static let texts = [
        "Hall", "hall", "HALL", "Attic 9", "Attic 10", "Ätna", "", " ", "\u{1}", "\n", "日本", "-", "C", "C#", "o'neill",
        "O Neill", "a\tb", "a b", String(repeating: "long ", count: 600), "straße", "STRASSE",
    ]

    /// Makes a column of values.
    private func column(
        of books: [[ColumnMeaning]], _ kind: FieldColumn.Kind = .text, isList: Bool, sliceLength: Int = 7
    ) throws -> FieldColumn {
        let slices = stride(from: 0, to: books.count, by: sliceLength).map { $0..<min($0 + sliceLength, books.count) }
        let plan = ColumnPlan(kind, isList: isList, readsStrings: false) { _ in .nothing }
        let task = ColumnMaking.start([plan], of: slices, on: ThreadPool(threadCount: 3)) { range, collectors in
            for book in range {
                collectors[0].begin(book)
                for value in books[book] {
                    switch value {
                    case .text(let text): collectors[0].add(text)
                    case .number(let number): collectors[0].add(number)
                    case .nothing: continue
                    }
                }
                collectors[0].end()
            }
        }
        return try #require(task.taken()?.first)
    }

    private func randomBook(_ kind: FieldColumn.Kind, isList: Bool, _ random: inout SplitMix) -> [ColumnMeaning] {
        let count = isList ? Int.random(in: 0..<4, using: &random) : Int.random(in: 0..<2, using: &random)
        return (0..<count).map { _ in
            kind == .number
                ? .number([-1.5, 0, 1, 2.25, 1e300, -0.0, .infinity, 20240312].randomElement(using: &random) ?? 0)
                : .text(Self.texts.randomElement(using: &random) ?? "")
        }
    }

    private static let kinds: [(kind: FieldColumn.Kind, isList: Bool)] = [
        (.text, false), (.text, true), (.number, false),
    ]

    @Test(arguments: 0..<20) func aColumnHasTheValuesOfAllBooksInOrder(seed: Int) throws {
        var random = SplitMix(seed: UInt64(seed))
        for (kind, isList) in Self.kinds {
            let books = (0..<Int.random(in: 0..<300, using: &random)).map { _ in
                randomBook(kind, isList: isList, &random)
            }
            var content = ColumnContent(try column(of: books, kind, isList: isList))
            let expected = ColumnContent(of: books, isList: isList)
            // Of two spellings in one book, either may be the first that a thread sees.
            for (value, spelling) in expected.spellings.enumerated() where content.spellings.count > value {
                let both = [spelling, content.spellings[value]]
                let areInOneBook = books.contains { book in
                    both.allSatisfy { text in book.contains { if case .text(text) = $0 { true } else { false } } }
                }
                if areInOneBook { content.spellings[value] = spelling }
            }
            #expect(content == expected)
        }
    }

    @Test(arguments: 0..<60) func anEditedColumnEqualsOneMadeAnew(seed: Int) throws {
        var random = SplitMix(seed: UInt64(seed))
        for (kind, isList) in Self.kinds {
            let books = (0..<Int.random(in: 0..<60, using: &random)).map { _ in
                randomBook(kind, isList: isList, &random)
            }
            let old = try column(of: books, kind, isList: isList)
            // Cuts the books into pieces, drops some, adds others, and moves some.
            var pieces: [FieldColumn.Piece] = []
            var edited: [(values: [ColumnMeaning], isOld: Bool)] = []
            var runs: [Range<Int>] = []
            var start = 0
            while start < books.count {
                let end = min(books.count, start + Int.random(in: 1..<12, using: &random))
                if Int.random(in: 0..<5, using: &random) > 0 { runs.append(start..<end) }
                start = end
            }
            if Bool.random(using: &random) { runs.shuffle(using: &random) }
            for run in runs {
                for _ in 0..<Int.random(in: 0..<3, using: &random) {
                    let values = randomBook(kind, isList: isList, &random)
                    pieces.append(.book(ColumnBookValues(values)))
                    edited.append((values, false))
                }
                pieces.append(.books(run))
                edited += books[run].map { ($0, true) }
            }
            let found = ColumnContent(old.edited(by: pieces))
            let expected = ColumnContent(of: edited.map(\.values), isList: isList)
            #expect(found.values == expected.values)
            #expect(found.books == expected.books)
            #expect(found.places == expected.places)
            // A value keeps the spelling of a book that was edited or moved.
            for (value, spelling) in zip(found.values, found.spellings) where kind == .text {
                #expect(ColumnContent(of: [[.text(spelling)]], isList: false).values == [value])
            }
        }
    }

    @Test func theOnlyBookWithAValueSpellsItAnew() throws {
        let old = try column(of: [[.text("hall")], [.text("attic")], [.text("cellar")]], isList: false)
        let edited = old.edited(by: [.book(ColumnBookValues([.text("Hall")])), .books(1..<3)])
        #expect(ColumnContent(edited).spellings == ["attic", "cellar", "Hall"])
        let later = old.edited(by: [.books(0..<2), .book(ColumnBookValues([.text("HALL")]))])
        #expect(ColumnContent(later).spellings == ["attic", "hall"])
    }

    @Test(arguments: 0..<20) func aStoredColumnIsReadAgain(seed: Int) throws {
        var random = SplitMix(seed: UInt64(seed))
        for (kind, isList) in Self.kinds {
            let books = (0..<Int.random(in: 0..<300, using: &random)).map { _ in
                randomBook(kind, isList: isList, &random)
            }
            let column = try column(of: books, kind, isList: isList)
            var bytes: [UInt8] = []
            column.store { bytes += $0 }
            func read(_ bytes: [UInt8]) -> ColumnContent? {
                let memory = ColumnMemory(byteCount: bytes.count)
                memory.bytes.copyBytes(from: bytes)
                let all = UnsafeRawBufferPointer(rebasing: memory.bytes.prefix(bytes.count))
                return FieldColumn(checking: UnsafeRawBufferPointer(all), owner: memory).map { ColumnContent($0) }
            }
            #expect(read(bytes) == ColumnContent(column))
            for _ in 0..<40 {
                var damaged = bytes
                let place = Int.random(in: damaged.indices, using: &random)
                damaged[place] ^= UInt8.random(in: 1...255, using: &random)
                #expect(read(damaged) == nil)
            }
            #expect(read(Array(bytes.dropLast())) == nil && read([]) == nil)
        }
    }

    @Test func linesOfTheIndexAreNames() throws {
        let books = [
            ["series": "Discworld #4", "subjects": "Death;Fantasy"], ["subjects": "fantasy"],
            ["series": "discworld, 3"], [:],
        ].map { values in
            var book = Book.make(title: "T", authors: ["Terry Pratchett", "Ann"])
            book.series = values["series"]
            book.subjects = values["subjects"]?.split(separator: ";").map(String.init) ?? []
            return book
        }
        let index = BookIndex(of: books)
        let columns = try #require(index.columns(of: [.author, .series, .subject]).taken()).map { ColumnContent($0) }
        #expect(columns[0].spellings == ["ann", "terry pratchett"] && columns[0].places == [1, 1, 1, 1])
        #expect(columns[0].books[0] == [.text(Array("terry pratchett".utf8)), .text(Array("ann".utf8))])
        #expect(columns[1].spellings == ["discworld"] && columns[1].places == [1, 0, 1, 0])
        #expect(columns[2].spellings == ["death", "fantasy"] && columns[2].places == [1, 2, 0, 0])
    }

    @Test func aTextIsFoundByItsNormalizedForm() throws {
        let column = try column(of: [[.text("Hall")], [.text("Attic 10")], [.text("Attic 9")]], isList: false)
        #expect(column.value(folded: Array("attic 10".utf8)) == 1)
        #expect(column.value(folded: Array("attic".utf8)) == nil)
    }
}
