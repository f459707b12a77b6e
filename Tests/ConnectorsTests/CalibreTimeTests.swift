import Testing

@testable import Connectors

/// Points in time of calibre's content server.
@Suite("Times of calibre's content server")
struct CalibreTimeTests {
    @Test func aTimeIsWrittenAsTheServerDoes() {
        #expect(CalibreTime.text(of: 0) == "1970-01-01T00:00:00+00:00")
        #expect(CalibreTime.text(of: 951_827_696) == "2000-02-29T12:34:56+00:00")
    }

    @Test func theDayBeforeCrossesMonthsAndYears() {
        #expect(CalibreTime.dayBefore("2026-11-24T23:49:47+00:00") == "2026-11-23")
        #expect(CalibreTime.dayBefore("2024-03-01") == "2024-02-29")
        #expect(CalibreTime.dayBefore("2026-01-01T00:00:00+00:00") == "2025-12-31")
    }

    @Test(arguments: ["", "None", "2026-11", "yesterday-1-2"]) func anotherTextHasNoDay(_ text: String) {
        #expect(CalibreTime.dayBefore(text) == nil)
    }
}
