import TestSupport
import Testing

@testable import Text

@Suite("Text: words in texts") struct ByteSearchTests {
    @Test func itFindsWhatTheScalarsOfATextHave() {
        var random = SplitMix(seed: 7)
        let letters: [Character] = ["a", "b", "é", "水", "🙂", " "]
        func text(_ range: ClosedRange<Int>) -> String {
            String((0..<Int.random(in: range, using: &random)).map { _ in letters.randomElement(using: &random)! })
        }
        for _ in 0..<2000 {
            let (all, word) = (text(0...200), text(0...3))
            #expect(all.hasBytes(of: word) == (word.isEmpty || all.contains(word)), "\(word) in \(all)")
        }
    }
}
