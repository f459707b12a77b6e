import TestSupport
import Testing

@testable import Text

@Suite("Text: lists of texts") struct TextListsTests {
    @Test(arguments: [0, 1, 2, 15, 16, 17, 18, 40, 400])
    func eachTextStandsWhereItIsFirst(count: Int) {
        var random = SplitMix(seed: UInt64(count))
        for range in [1, 3, 16, 17, 1000] {
            let texts = (0..<count).map { _ in "text \(Int.random(in: 0..<range, using: &random))" }
            var seen: Set<String> = []
            #expect(texts.uniqued() == texts.filter { seen.insert($0).inserted })
        }
    }
}
