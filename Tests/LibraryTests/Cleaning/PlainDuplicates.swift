@testable import Books
@testable import Indexing
@testable import Library
@testable import Text

/// The definition of duplicates, applied to all pairs of books.
struct PlainDuplicates {
    let books: [Book]

    /// The sets of numbers that are connected by `isLinked`, and by the sets `before`; each set is ascending.
    private func sets(_ before: [[Int]], _ isLinked: (Int, Int) -> Bool) -> [[Int]] {
        var sets = before
        for first in books.indices {
            for second in books.indices[(first + 1)...] where isLinked(first, second) {
                guard let one = sets.firstIndex(where: { $0.contains(first) }),
                    let other = sets.firstIndex(where: { $0.contains(second) }), one != other
                else { continue }
                sets[one] = (sets[one] + sets[other]).sorted()
                sets.remove(at: other)
            }
        }
        return sets
    }

    private var single: [[Int]] { books.indices.map { [$0] } }

    private func isbns(_ number: Int) -> Set<Int> {
        let book = books[number]
        return Set(([book.isbn].compactMap(\.self) + book.otherISBNs).compactMap(\.number))
    }

    private func shareISBN(_ first: Int, _ second: Int) -> Bool {
        hasTitle(first) && hasTitle(second) && !isbns(first).isDisjoint(with: isbns(second))
    }

    private func hasTitle(_ number: Int) -> Bool { !books[number].title.folded.isEmpty }

    private func isSameWork(_ first: Int, _ second: Int) -> Bool {
        hasTitle(first) && books[first].title.folded == books[second].title.folded
            && books[first].authors.map(\.folded) == books[second].authors.map(\.folded)
    }

    private func isSameRecord(_ first: Int, _ second: Int) -> Bool {
        hasTitle(first) && books[first].withoutSourceID == books[second].withoutSourceID
    }

    private func isSameEdition(_ first: Int, _ second: Int) -> Bool {
        shareISBN(first, second) && books[first].title.folded == books[second].title.folded
            && books[first].seriesPosition == books[second].seriesPosition
    }

    /// The certain duplicates.
    var certain: [[Int]] { sets(single) { isSameRecord($0, $1) || isSameEdition($0, $1) } }

    /// All groups.
    var groups: Set<DuplicateGroup> {
        var found: Set<DuplicateGroup> = []
        func add(_ reason: DuplicateGroup.Reason, _ books: [Int]) {
            found.insert(DuplicateGroup(reason, books.map { BookID($0) }))
        }
        let certain = certain
        for set in certain where set.count > 1 {
            let isByISBN = set.contains { one in set.contains { one != $0 && isSameEdition(one, $0) } }
            add(isByISBN ? .sameISBNAndTitle : .sameRecord, set)
        }
        let byISBN = sets(certain, shareISBN)
        for set in byISBN where !certain.contains(set) { add(.sameISBN, set) }

        var links: Set<[Int]> = []
        var known = byISBN
        for first in books.indices {
            let work = books.indices.filter { isSameWork(first, $0) }
            if work.first != first || work.count < 2 { continue }
            let positions = Set(work.compactMap { books[$0].seriesPosition })
            let volumes =
                positions.count < 2
                ? [work]
                : Dictionary(grouping: work) { books[$0].seriesPosition }.values.filter { $0.count > 1 }
            for volume in volumes {
                let editions = editions(of: volume, certain)
                if editions.count > 1 { add(.editions, volume) }
                for edition in editions {
                    for book in edition.dropFirst() where set(of: book, in: known) != set(of: edition[0], in: known) {
                        links.insert([edition[0], book])
                    }
                }
                known = sets(known) { one, other in editions.contains { $0.contains(one) && $0.contains(other) } }
            }
        }
        for set in sets(certain, { links.contains([$0, $1]) }) where !certain.contains(set) { add(.sameTitle, set) }

        let first = Set(known.map { $0[0] })
        var similar: [[Int]] = first.sorted().map { [$0] }
        for one in first.sorted() {
            for other in first.sorted() where one < other && isSimilar(one, other) {
                guard let place = similar.firstIndex(where: { $0.contains(one) }),
                    let another = similar.firstIndex(where: { $0.contains(other) }), place != another,
                    similar[place].allSatisfy({ one in similar[another].allSatisfy { isSimilar(one, $0) } })
                else { continue }
                similar[place] += similar[another]
                similar.remove(at: another)
            }
        }
        let groups = sets(certain) { one, other in similar.contains { $0.contains(one) && $0.contains(other) } }
        for set in groups where !certain.contains(set) { add(.similarTitle, set) }
        return found
    }

    private func set(of book: Int, in sets: [[Int]]) -> [Int]? { sets.first { $0.contains(book) } }

    private func editions(of work: [Int], _ certain: [[Int]]) -> [[Int]] {
        var editions: [[Int]] = []
        for copies in certain.map({ $0.filter(work.contains) }).filter({ !$0.isEmpty }).sorted(by: { $0[0] < $1[0] }) {
            if let number = editions.firstIndex(where: { agree($0, copies) }) {
                editions[number] += copies
            } else {
                editions.append(copies)
            }
        }
        return editions.map { $0.sorted() }
    }

    private func agree(_ one: [Int], _ other: [Int]) -> Bool {
        func values<Value: Hashable>(_ numbers: [Int], _ value: (Book) -> Value?) -> Set<Value> {
            Set(numbers.compactMap { value(books[$0]) })
        }
        func isbns(_ numbers: [Int]) -> Set<Int> { Set(numbers.flatMap(self.isbns)) }
        let (years, otherYears) = (values(one) { $0.published?.year }, values(other) { $0.published?.year })
        let (languages, others) = (values(one) { $0.languages.first }, values(other) { $0.languages.first })
        return (isbns(one).isEmpty || isbns(other).isEmpty || !isbns(one).isDisjoint(with: isbns(other)))
            && (years.isEmpty || otherYears.isEmpty || !years.isDisjoint(with: otherYears))
            && (languages.isEmpty || others.isEmpty || !languages.isDisjoint(with: others))
    }

    private func isSimilar(_ first: Int, _ second: Int) -> Bool {
        let (one, other) = (books[first], books[second])
        if isSameWork(first, second) || !hasTitle(first) || !hasTitle(second) || !agree([first], [second]) {
            return false
        }
        if let volume = one.seriesPosition, let another = other.seriesPosition, volume != another { return false }
        let (words, others) = (NameParts(one.title.folded).parts, NameParts(other.title.folded).parts)
        if words.isEmpty || others.isEmpty || words.filter(isNumber) != others.filter(isNumber) { return false }
        let isSame = words.joined() == others.joined()
        if one.authors.isEmpty || other.authors.isEmpty { return isSame && words.joined().count >= 4 }
        let authors = one.authors.prefix(2).map { PersonName(folded: $0.folded) }
        let otherAuthors = other.authors.prefix(2).map { PersonName(folded: $0.folded) }
        guard authors.contains(where: { author in otherAuthors.contains { $0.mayBe(author) } }) else { return false }
        if isSame { return true }
        let pairs = zip(words, others).filter { $0 != $1 }
        guard words.count == others.count, let (word, another) = pairs.first, pairs.count == 1 else { return false }
        return [word, another].allSatisfy { isLong($0) } && Self.distance(Array(word), Array(another)) <= 1
    }

    private func isNumber(_ word: String) -> Bool {
        word.contains { "0123456789".contains($0) } || word.allSatisfy { "ivxlcdm".contains($0) }
    }

    private func isLong(_ word: String) -> Bool {
        word.count >= 4 && !isNumber(word) && !word.unicodeScalars.contains { $0.properties.isIdeographic }
    }

    /// The optimal string alignment distance, by its recurrence.
    private static func distance(_ one: [Character], _ other: [Character]) -> Int {
        var rows = [Array(0...other.count)]
        for (row, letter) in one.enumerated() {
            var next = [row + 1]
            for (column, another) in other.enumerated() {
                var least = min(
                    next[column] + 1, rows[row][column + 1] + 1, rows[row][column] + (letter == another ? 0 : 1))
                if row > 0, column > 0, letter == other[column - 1], one[row - 1] == another {
                    least = min(least, rows[row - 1][column - 1] + 1)
                }
                next.append(least)
            }
            rows.append(next)
        }
        return rows[one.count][other.count]
    }
}
