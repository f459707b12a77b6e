import ConnectorProtocol
import Testing

@testable import Catalog
@testable import Remote

@Suite("Transfer rate")
struct TransferRateTests {
    private func rate(_ received: Int, of size: Int?, after milliseconds: Int) -> TransferRate? {
        TransferRate(
            of: CopyProgress(rows: 0, bytes: 0, received: received, size: size), afterMilliseconds: milliseconds)
    }

    @Test("The rate is the average since the start, and the rest takes as long as the part before")
    func averages() {
        #expect(rate(3_000_500, of: 12_002_000, after: 2000)?.bytesPerSecond == 1_500_250)
        #expect(rate(3_000_500, of: 12_002_000, after: 2000)?.secondsLeft == 6)
        #expect(rate(1_000_001, of: nil, after: 3000)?.bytesPerSecond == 333_333)
        #expect(rate(1, of: nil, after: 3000)?.secondsLeft == nil)
        #expect(rate(500, of: 1000, after: 999) == nil && rate(0, of: 1000, after: 5000) == nil)
    }

    @Test("A time longer than a week is not an estimate")
    func longTimes() {
        #expect(rate(1, of: 604_801, after: 1000)?.secondsLeft == 604_800)
        #expect(rate(1, of: 604_802, after: 1000)?.secondsLeft == nil)
    }

    @Test(
        "No number of a program overflows",
        arguments: [0, -1, 1 << 31, 1 << 32, 1 << 53, Int.max, Int.min], [1000, 1001, 3_600_000])
    func limits(number: Int, milliseconds: Int) {
        for (received, size) in [(number, number), (number, 1), (1, number), (.max, number)] {
            guard let rate = rate(received, of: size, after: milliseconds) else { continue }
            #expect(rate.bytesPerSecond >= 0 && rate.bytesPerSecond <= received)
            #expect((0...604_800).contains(rate.secondsLeft ?? 0))
        }
        let rows = CopyProgress(rows: 1, total: number, bytes: 0, received: 1)
        #expect((0...604_800).contains(TransferRate(of: rows, afterMilliseconds: milliseconds)?.secondsLeft ?? 0))
        #expect(rate(.max, of: nil, after: 1000)?.bytesPerSecond == .max)
    }
}
