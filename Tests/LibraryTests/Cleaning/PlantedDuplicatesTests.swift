import TestSupport
import Testing

@testable import Books
@testable import Indexing
@testable import Library

@Suite("Planted duplicates") struct PlantedDuplicatesTests {
    /// A difference between two records of one book, or of two books that are alike.
    enum Difference: CaseIterable {
        case none, accentsAndMore, missingFields, letter, punctuation, nameOrder, initials
        case otherISBN, otherYear, volume, sharedISBN, sequel

        /// What is said of the two records; nil if they are not to be in one group.
        var certainty: DuplicateGroup.Certainty? {
            switch self {
            case .none, .accentsAndMore: .certain
            case .missingFields, .letter, .punctuation, .nameOrder, .initials, .sharedISBN: .likely
            case .otherISBN, .otherYear: .editions
            case .volume, .sequel: nil
            }
        }
    }

    /// A catalog of made-up books, with a copy of some of them for each difference.
    struct Planted {
        var books: [Book] = []
        var pairs: [(first: Int, second: Int, difference: Difference)] = []
        private var random: SplitMix

        init(works: Int, copies: Int, seed: UInt64) {
            random = SplitMix(seed: seed)
            let words = (0..<2000).map { _ in word(2...4) }
            let given = (0..<60).map { _ in word(2...3) }
            let family = (0..<300).map { _ in word(2...4) }
            for number in 0..<works {
                let title = (0..<Int.random(in: 2...6, using: &random)).map { _ in one(of: words) }
                var book = Book(
                    title: title.joined(separator: " "), authors: ["\(one(of: given)) \(one(of: family))"])
                book.isbn = isbn(number)
                book.published = PartialDate(year: Int.random(in: 1900...2020, using: &random))
                book.pageCount = Int.random(in: 50...900, using: &random)
                book.sourceID = String(number)
                books.append(book)
            }
            for number in 0..<copies {
                let difference = Difference.allCases[number % Difference.allCases.count]
                let first = number * (works / copies)
                books.append(copy(of: first, difference))
                books[books.count - 1].sourceID = String(books.count - 1)
                pairs.append((first, books.count - 1, difference))
            }
        }

        /// Makes the copy of a book, and changes the book itself where both have to.
        private mutating func copy(of number: Int, _ difference: Difference) -> Book {
            var copy = books[number]
            let author = copy.authors[0].split(separator: " ").map(String.init)
            switch difference {
            case .none: break
            case .accentsAndMore:
                copy.title = copy.title.uppercased().replacing("E", with: "É")
                copy.pageCount = nil
            case .missingFields: (copy.isbn, copy.published) = (nil, nil)
            case .letter:
                copy.title = misspelt(copy.title)
                copy.isbn = nil
            case .punctuation:
                copy.title = copy.title.replacing(" ", with: ", ", maxReplacements: 1) + "."
                copy.isbn = nil
            case .nameOrder:
                copy.authors = ["\(author[1]), \(author[0])"]
                copy.isbn = nil
            case .initials:
                copy.authors = ["\(author[0].prefix(1)). \(author[1])"]
                copy.isbn = nil
            case .otherISBN: copy.isbn = isbn(500_000 + number)
            case .otherYear:
                copy.isbn = nil
                copy.published = PartialDate(year: 1800)
            case .volume:
                (books[number].seriesPosition, copy.seriesPosition) = (1, 2)
            case .sharedISBN: copy.title = "A companion to everything else"
            case .sequel:
                books[number].title += " 1"
                copy.title += " 2"
                copy.isbn = nil
            }
            if difference == .volume { copy.isbn = nil }
            return copy
        }

        /// Returns `title` with two letters of its longest word swapped, or one left out or replaced.
        private mutating func misspelt(_ title: String) -> String {
            guard let word = title.split(separator: " ").max(by: { $0.count < $1.count }) else { return title }
            var letters = Array(word)
            let place = Int.random(in: 1..<letters.count - 1, using: &random)
            if Bool.random(using: &random), letters[place] != letters[place + 1] {
                letters.swapAt(place, place + 1)
            } else if letters.count > 4 {
                letters.remove(at: place)
            } else {
                // A word of three letters is not taken for a misspelt one.
                letters[place] = "x"
            }
            return title.replacing(word, with: String(letters), maxReplacements: 1)
        }

        private mutating func one(of values: [String]) -> String {
            values[Int.random(in: values.indices, using: &random)]
        }

        private mutating func word(_ syllables: ClosedRange<Int>) -> String {
            (0..<Int.random(in: syllables, using: &random)).map { _ in
                one(of: ["b", "d", "gr", "k", "l", "m", "n", "p", "r", "st", "t", "v"])
                    + one(of: ["a", "e", "i", "o", "u"])
            }.joined()
        }

        private func isbn(_ number: Int) -> ISBN {
            let digits = String(978_100_000_000 + number)
            let sum = digits.enumerated().reduce(0) {
                $0 + ($1.element.wholeNumberValue ?? 0) * ($1.offset % 2 == 0 ? 1 : 3)
            }
            return ISBN("\(digits)\((10 - sum % 10) % 10)")
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func whatWasPlantedIsFoundAndLittleElse(seed: UInt64) {
        let planted = Planted(works: 12_000, copies: 3_000, seed: seed)
        var search = DuplicateSearch(in: BookIndex(of: planted.books)) { planted.books[$0.index].withoutSourceID }
        let groups = search.findCertain() + search.findLikely()
        var found: [[Int]: DuplicateGroup.Certainty] = [:]
        for group in groups {
            for (place, first) in group.books.enumerated() {
                for second in group.books[(place + 1)...] where found[[first.index, second.index]] == nil {
                    found[[first.index, second.index]] = group.reason.certainty
                }
            }
        }
        for (first, second, difference) in planted.pairs {
            let said = found.removeValue(forKey: [first, second])
            #expect(said == difference.certainty, "\(difference): \(planted.books[first]) \(planted.books[second])")
        }
        // What is left was not planted: titles that are alike by chance.
        let certain = groups.filter { $0.reason.certainty == .certain }.count
        #expect(found.values.count { $0 == .certain } * 1000 <= certain)
        #expect(found.count * 100 <= planted.pairs.count, "\(found.keys.map { planted.books[$0[0]].title })")
    }
}
