import Testing

@testable import CatalogTesting
@testable import Text

@Suite("Text: sorting series") struct SeriesKeyTests {
    private func key(_ name: String) -> [UInt8] { ByteBuffer.key(of: name) { SeriesKey.append($0, to: &$1) } }

    @Test func theArticleDoesNotCount() {
        let names = [
            "Cosmere", "A Court of Thorns", "Dune", "Expanse", "The Expanse", "Expanse Companion", "Der Turm",
        ]
        for (name, next) in zip(names, names.dropFirst()) {
            #expect(key(name).lexicographicallyPrecedes(key(next)), "\(name) before \(next)")
        }
    }

    @Test func namesThatDifferInTheArticleOnlyHaveDifferentKeys() {
        #expect(key("The Expanse") != key("Expanse") && key("The Expanse") != key("An Expanse"))
        #expect(key("THE EXPANSE") == key("The Expanse"))
        #expect(key("").isEmpty)
    }
}
