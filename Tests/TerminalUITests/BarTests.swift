import Testing

@testable import Graphemes
@testable import TerminalUI

@Suite("Bars") struct BarTests {
    @Test(arguments: [
        (0.0, 10, ""), (1.0, 10, "██████████"), (0.5, 10, "█████"), (0.25, 10, "██▌"), (0.3125, 10, "███▏"),
        (0.99, 10, "█████████▉"), (1.0, 1, "█"), (0.5, 1, "▌"),
    ])
    func aBarIsAsLongAsItsFraction(fraction: Double, width: Int, bar: String) {
        #expect(Bar.text(fraction: fraction, width: width) == bar)
    }

    @Test func aColumnHasEightSteps() {
        let bars = (0...8).map { Bar.text(fraction: Double($0) / 8, width: 1) }
        #expect(bars == ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"])
    }

    @Test func aLineOfBlocksIsAsHighAsItsNumbers() {
        #expect(Bar.sparkline([1, 2, 3, 4, 5, 6, 7, 8]) == "▁▂▃▄▅▆▇█")
        #expect(Bar.sparkline([0, 1000, 1, 500, -3]) == " █▁▄ ")
        #expect(Bar.sparkline([0, 0]) == "  ")
        #expect(Bar.sparkline([]) == "")
    }

    @Test func moreThanNothingIsAlwaysSeen() {
        #expect(Bar.text(fraction: 1e-12, width: 10) == "▏")
        #expect(Bar.text(fraction: .leastNonzeroMagnitude, width: 1) == "▏")
    }

    @Test func fractionsAreClamped() {
        #expect(Bar.text(fraction: -0.5, width: 3) == "")
        #expect(Bar.text(fraction: 7, width: 3) == "███")
        #expect(Bar.text(fraction: .infinity, width: 3) == "███")
        #expect(Bar.text(fraction: .nan, width: 3) == "")
    }

    @Test(arguments: [0, -1, Int.min])
    func withoutWidthThereIsNoBar(width: Int) {
        #expect(Bar.text(fraction: 1, width: width) == "")
    }

    @Test func aBarIsAsWideOnTheScreenAsItHasCharacters() {
        useUTF8Locale()
        #expect(Bar.text(fraction: 0.99, width: 10).displayColumns == 10)
    }
}
