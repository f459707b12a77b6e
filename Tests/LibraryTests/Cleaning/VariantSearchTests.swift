import Foundation
import TestSupport
import Testing

@testable import Books
@testable import Library

@Suite("Variants of values") struct VariantSearchTests {
    private func sets(_ texts: [String], areNames: Bool = true) -> [[String]] {
        (VariantSearch(texts, areNames: areNames).find { false } ?? []).map { $0.map { texts[$0] } }
    }

    @Test(
        "spellings of one name are together, the most frequent first",
        arguments: [
            ["J. R. R. Tolkien", "Tolkien, J.R.R.", "JRR Tolkien", "John Ronald Reuel Tolkien"],
            ["Émile Zola", "Emile Zola", "ZOLA, Émile"], ["Jane Austen", "Austen, Jane", "Jane Austin"],
            ["村上春樹", "村上 春樹"], ["Лев Толстой", "Толстой, Лев"], ["نجيب محفوظ", "محفوظ، نجيب"],
        ])
    func names(texts: [String]) { #expect(sets(texts + ["Another Writer"]) == [texts]) }

    @Test(
        "other names are apart",
        arguments: [
            ["J. Smith", "K. Smith"], ["A", "B"], ["Ng", "Ngo"], ["John Smith", "Jane Smith"],
            ["村上春樹", "村上秋樹"], ["", "…"], ["Tolkien", "J. R. R. Tolkien"],
        ])
    func others(texts: [String]) { #expect(sets(texts) == []) }

    @Test(
        "a text of megabytes is no spelling of another one, and takes no more memory than it has",
        arguments: [String(repeating: "long", count: 2_000_000), String(repeating: "many words ", count: 200_000)])
    func longTexts(text: String) {
        #expect(sets([text, text + "x", text.uppercased()]) == [])
        #expect(sets([text, text + "x"], areNames: false) == [])
    }

    @Test("long values are compared without case, accents and punctuation only") func longValues() {
        let text = (1...15).map { "Wörd\("abcdefghijklmno".dropFirst($0 - 1).first ?? "x")" }.joined(separator: " ")
        #expect(sets([text, text.uppercased() + "."], areNames: false).first?.count == 2)
        #expect(sets([text, text.replacing("Wörda", with: "Wörma")], areNames: false) == [])
    }

    @Test("a name that may be two others joins the more frequent one") func chain() {
        #expect(sets(["John Smith", "Jane Smith", "J. Smith"]) == [["John Smith", "J. Smith"]])
    }

    @Test("texts that are no names keep their order, and numbers tell them apart") func texts() {
        #expect(sets(["Science fiction", "science-fiction", "Sciencefiction"], areNames: false).first?.count == 3)
        #expect(sets(["Fiction, science", "Science fiction"], areNames: false) == [])
        #expect(sets(["Volume 1", "Volume 2", "19th century", "20th century"], areNames: false) == [])
        #expect(sets(["Penguin Books", "Pengiun Books"], areNames: false) == [["Penguin Books", "Pengiun Books"]])
    }

    /// All pairs, without keys.
    private func plain(_ texts: [String], areNames: Bool) -> [[String]] {
        let values = texts.map { ComparedValue($0, isName: areNames) }
        var sets: [[Int]] = []
        for number in texts.indices {
            let place = sets.firstIndex { set in set.allSatisfy { values[number].isVariant(of: values[$0]) } }
            if let place { sets[place].append(number) } else { sets.append([number]) }
        }
        return sets.filter { $0.count > 1 }.map { $0.map { texts[$0] } }
    }

    private static let families = ["Tolkien", "Austen", "Márquez", "Le Guin", "Eco", "Толстой", "村上", "Ng", "O’Brien"]
    private static let givens = ["John", "Jane", "Gabriel", "Ursula", "Umberto", "Лев", "春樹", "X", "Flann"]

    private static func spelling(_ family: String, _ given: String, _ random: inout SplitMix) -> String {
        let given = Bool.random(using: &random) ? given : String(given.prefix(1)) + "."
        var text = Bool.random(using: &random) ? "\(given) \(family)" : "\(family), \(given)"
        switch Int.random(in: 0..<6, using: &random) {
        case 0: text = text.uppercased()
        case 1: text = text.folding(options: .diacriticInsensitive, locale: nil)
        case 2: text.remove(at: text.indices.randomElement(using: &random) ?? text.startIndex)
        default: break
        }
        return text
    }

    @Test("random names have the sets of a comparison of all pairs", arguments: 0..<40) func differential(seed: Int) {
        var random = SplitMix(seed: UInt64(seed))
        var texts: [String] = []
        for _ in 0..<60 {
            let family = Self.families.randomElement(using: &random) ?? ""
            let text = Self.spelling(family, Self.givens.randomElement(using: &random) ?? "", &random)
            if !texts.contains(text) { texts.append(text) }
        }
        for areNames in [true, false] {
            #expect(sets(texts, areNames: areNames) == plain(texts, areNames: areNames), "seed \(seed)")
        }
    }
}
