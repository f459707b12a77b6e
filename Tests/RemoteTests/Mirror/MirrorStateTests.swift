import Foundation
import TestSupport
import Testing

@testable import Catalog
@testable import Remote

@Suite("State of a copy")
struct MirrorStateTests {
    private func state(_ number: String) throws -> MirrorState? {
        let directory = try TemporaryDirectory()
        let text =
            ##"{"source":"http://a.example/","kind":"csv","rows":#,"fetched":#,"checked":#,"##
            + ##""defects":[{"kind":"cut","count":#}]}"##
        return MirrorState(at: try directory.write(text.replacing("#", with: number).utf8, to: "state.json"))
    }

    @Test(
        "Its numbers are clamped, so that the age of a copy can be computed",
        arguments: [
            ("0", 0, 0), ("-1", 0, 0), ("-9223372036854775808", 0, 0),
            ("2147483648", 2_147_483_648, 2_147_483_648), ("9007199254740992", 1_099_511_627_776, 253_402_300_799),
            ("9223372036854775807", 1_099_511_627_776, 253_402_300_799),
        ])
    func numbers(spelling: String, count: Int, time: Int) throws {
        let state = try #require(try state(spelling))
        #expect(state.rows == count && state.defects.map(\.count) == [count])
        #expect(state.fetched == time && state.checked == time)
        // A copy of the past is old, and one of the future shows that the clock was set back.
        #expect(state.isDue)
    }

    @Test("A state with text in place of a number is none")
    func text() throws {
        #expect(try state(#""many""#) == nil)
        #expect(try state("18446744073709551616") == nil)
    }
}
