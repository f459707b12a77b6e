import Testing

@testable import Catalog
@testable import CatalogTesting
@testable import JSON

@Suite("JSON file: extracting fields") struct FieldExtractorTests {
    private static let plan = KeyTrie([
        .init(field: .title, names: ["title"], isPlain: true),
        .init(field: .title, names: ["about", "name"], isPlain: true),
        .init(field: .authors, names: ["about", "by"], isPlain: false),
        .init(field: .pageCount, names: ["pages"], isPlain: true),
    ])

    /// Returns the values of title and authors in a record, and the fields that it has and lacks.
    private func findings(_ record: String) throws -> String {
        let plan = try #require(Self.plan)
        return try JSONReader.reading(record.utf8) { reader in
            var fields = FieldExtractor(plan)
            var rest = reader
            // The previous record must not affect the result.
            try JSONReader.reading(#"{"title":"x","about":{"name":["y"],"by":1},"pages":true}"#.utf8) { other in
                try fields.readRecord(depth: 0, with: &other)
            }
            try fields.readRecord(depth: 0, with: &rest)
            let places = (Array(plan.targets(of: .title)) + Array(plan.targets(of: .authors))).map { plan[$0] }.map {
                place in
                switch fields.finding(at: place) {
                case .missing: "-"
                case .plainString(let range): reader.numberText(of: range)
                case .array(let range): reader.numberText(of: range)
                case .other: "?"
                }
            }
            return "\(places.joined(separator: " ")) +\(fields.accepted) -\(fields.refused)"
        }
    }

    @Test(arguments: [
        ("{}", "- - - +0 -0"),
        (#"{"title":"A"}"#, #""A" - - +1 -0"#),
        (#"{"title":"\u0041"}"#, "? - - +1 -0"),
        (#"{"\u0074itle":"A"}"#, #""A" - - +1 -0"#),
        (#"{"title":null,"about":{"name":"B","by":"C"}}"#, #"- "B" ? +3 -0"#),
        (#"{"about":{"name":["B"],"other":{"name":"C"}}}"#, #"- ["B"] - +1 -0"#),
        (#"{"about":[{"name":"B"}]}"#, "- ? ? +0 -0"),
        (#"{"about":"B"}"#, "- - - +0 -0"),
        (#"{"name":"B","by":"C"}"#, "- - - +0 -0"),
        (#"{"title":7,"pages":true}"#, "? - - +1 -8"),
        (#"{"title":true}"#, "? - - +0 -1"),
        (#"{"title":true,"title":"A"}"#, #""A" - - +1 -0"#),
        (#"{"title":"A","title":null}"#, "- - - +0 -0"),
        (#"{"about":{"name":"B","by":1},"about":{"name":"C"}}"#, #"- "C" - +1 -0"#),
        (#"{"about":{"name":"B"},"pages":true,"about":[]}"#, "- ? ? +0 -8"),
        (#"{"about":{"name":"B"},"about":7,"title":"A"}"#, #""A" - - +1 -0"#),
    ])
    func theFieldsOfARecordAreFound(record: String, findings: String) throws {
        #expect(try self.findings(record) == findings)
    }
}
