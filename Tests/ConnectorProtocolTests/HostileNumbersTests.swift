import Testing

@testable import ConnectorProtocol
@testable import JSON

/// Numbers that no honest program sends. A number in a reply is clamped, or the reply is refused; both are told here by
/// the number that is read.
@Suite("Hostile numbers in messages") struct HostileNumbersTests {
    /// The greatest count, and the greatest number of bytes.
    private static let (count, bytes) = (1_099_511_627_776, 1_125_899_906_842_624)

    /// Each number, the count that is read, and the number of bytes; nil for a number that is refused.
    private static let numbers: [(spelling: String, count: Int?, bytes: Int?)] = [
        ("0", 0, 0), ("-1", nil, nil), ("2147483648", 2_147_483_648, 2_147_483_648),
        ("4294967296", 4_294_967_296, 4_294_967_296), ("9007199254740992", count, bytes),
        ("9223372036854775807", count, bytes), ("18446744073709551616", nil, nil), (#""many""#, nil, nil),
    ]

    private func reply(_ members: String, _ number: String) -> ConnectorReply.Content? {
        let line = #"{"re":2,"# + members.replacing("#", with: number) + "}"
        return try? ConnectorReply(parsing: line.utf8).content
    }

    @Test(arguments: numbers) func progress(spelling: String, count: Int?, bytes: Int?) throws {
        let optional = reply(##""progress":{"rows":1,"bytes":2,"of":#,"received":#,"size":#}"##, spelling)
        #expect(optional == .progress(CopyProgress(rows: 1, total: count, bytes: 2, received: bytes, size: bytes)))
        let required = reply(##""progress":{"rows":#,"bytes":#}"##, spelling)
        #expect(required == count.map { .progress(CopyProgress(rows: $0, bytes: bytes ?? -1)) })
    }

    @Test(arguments: numbers) func copies(spelling: String, count: Int?, bytes: Int?) {
        let end = reply(##""end":true,"rows":#,"bytes":#,"complete":true"##, spelling)
        #expect(
            end
                == count.map {
                    .ended(.mirrored(MirroredCopy(rows: $0, bytes: bytes ?? -1, isComplete: true)))
                })
        let defect = reply(
            ##""end":true,"rows":1,"bytes":2,"complete":true,"defects":[{"kind":"cut","count":#,"line":#}]"##, spelling)
        let defects = count.map { [SourceDefect(.cut, count: $0, first: .line($0))] } ?? []
        #expect(
            defect == .ended(.mirrored(MirroredCopy(rows: 1, bytes: 2, isComplete: true, defects: defects))))
    }

    @Test(arguments: numbers) func pages(spelling: String, count: Int?, bytes: Int?) {
        let rows = reply(##""rows":[],"from":#,"generation":#"##, spelling)
        #expect(rows == count.map { .rows(PageRows(rows: [], first: $0, generation: $0)) })
        let end = reply(##""end":true,"partial":false,"count":{"value":#,"kind":"exact"}"##, spelling)
        #expect(end == count.map { .ended(.paged(PageEnd(count: BookTotal($0, .exact)))) })
        let opened = reply(
            ##""end":true,"mode":"paged","kind":"k","abilities":{"jump":#,"sorts":[],"pageSize":#}"##, spelling)
        let abilities = count.map { PagedAbilities(jump: .below($0), sorts: [], pageSize: $0) }
        #expect(
            opened == abilities.map { .ended(.opened(OpenedSource(mode: .paged, kind: "k", abilities: $0))) })
    }

    @Test(arguments: numbers) func otherEnds(spelling: String, count: Int?, bytes: Int?) {
        #expect(reply(##""end":true,"exported":#"##, spelling) == count.map { .ended(.exported(rows: $0)) })
        #expect(
            reply(##""end":true,"sent":1,"counted":#"##, spelling)
                == .ended(.published(sent: 1, counted: count)))
        #expect(
            reply(##""refused":[{"row":#,"why":"gone"}]"##, spelling)
                == count.map { .refused([RefusedRow(row: $0, .gone)]) })
        let place = reply(##""error":"format","offset":#"##, spelling)
        #expect(place == .failed(ConnectorFailure(.format, at: bytes.map(SourcePlace.offset))))
    }

    @Test(arguments: [
        ("0", 0), ("-1", 0), ("60", 60), ("2147483648", 86_400), ("9223372036854775807", 86_400), (#""soon""#, nil),
    ])
    func delays(spelling: String, seconds: Int?) {
        let failure = reply(##""error":"busy","after":#"##, spelling)
        #expect(failure == .failed(ConnectorFailure(.busy, retryAfter: seconds)))
    }

    @Test func timesAreBetween1970And9999() {
        #expect(Int.min.clampedTime == 0 && Int.max.clampedTime == 253_402_300_799)
        #expect(1_700_000_000.clampedTime == 1_700_000_000)
    }
}
