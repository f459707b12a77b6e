import Testing

@testable import Books
@testable import Formats

@Suite("Formats: readings as a text") struct ReadingTextTests {
    private static let texts: [(String, [Reading])] = [
        ("", []),
        ("2019-05-01..2019-06-02", [Reading(start: "2019-05-01", end: "2019-06-02", outcome: .finished)]),
        ("?..2019", [Reading(end: "2019", outcome: .finished)]),
        ("?..?", [Reading(outcome: .finished)]),
        ("2026-03..", [Reading(start: "2026-03")]),
        ("?..", [Reading()]),
        ("2020..? abandoned", [Reading(start: "2020", outcome: .abandoned)]),
        (
            "?..?; 2026-03-09.., p. 180 on 2026-03-12, 64 % on 2026-03-20",
            [
                Reading(outcome: .finished),
                Reading(
                    start: "2026-03-09",
                    progress: [
                        ReadingProgress(.page(180), on: "2026-03-12"), ReadingProgress(.percent(64), on: "2026-03-20"),
                    ]),
            ]
        ),
        (
            "2020-01-01..2020-02-01 abandoned, 5 % on 2020-01-20",
            [
                Reading(
                    start: "2020-01-01", end: "2020-02-01", outcome: .abandoned,
                    progress: [ReadingProgress(.percent(5), on: "2020-01-20")])
            ]
        ),
    ]

    @Test("readings are read as they were written", arguments: texts.indices) func both(index: Int) {
        let (text, readings) = Self.texts[index]
        #expect(ReadingText.text(of: readings) == text)
        #expect(ReadingText.readings(of: text) == readings)
    }

    @Test("other spellings are read, too") func spellings() {
        let step = ReadingProgress(.page(3), on: "2020-01-02")
        #expect(ReadingText.readings(of: " 2019 ;; ") == [Reading(end: "2019", outcome: .finished)])
        #expect(
            ReadingText.readings(of: "2020..,p.3 on 2020-01-02;2021..2022  abandoned")
                == [
                    Reading(start: "2020", progress: [step]),
                    Reading(start: "2021", end: "2022", outcome: .abandoned),
                ])
        #expect(
            ReadingText.readings(of: "2020..,3% on 2020-01-02")
                == [Reading(start: "2020", progress: [ReadingProgress(.percent(3), on: "2020-01-02")])])
    }

    @Test(
        "what is no reading is not read",
        arguments: [
            "soon", "2019-13-01..", "2019..soon", "2019 2020", "2019..2020 lost", "2020.., p. 0 on 2020",
            ", p. 3 on 2020",
            "2020.., 101 % on 2020", "2020.., p. 3", "2020.., p. 3 on soon", "2020.., 3 on 2020", "2020..2021..2022",
        ])
    func invalid(text: String) {
        #expect(ReadingText.readings(of: text) == nil)
    }
}
