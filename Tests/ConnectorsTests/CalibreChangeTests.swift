import ConnectorProtocol
import JSON
import Testing

@testable import Connectors

/// The requests to calibre's content server for changes of records.
@Suite("Changes of calibre libraries") struct CalibreChangeTests {
    private static let columns = CalibreColumns(
        value(
            ##"{"#pages":{"datatype":"int","name":"Pages"},"#saga":{"datatype":"series","name":"Saga"},"##
                + ##""#shown":{"datatype":"composite","name":"Shown"},"#seen":{"datatype":"datetime","name":"Seen"}}"##)
    )

    private static func value(_ text: String) -> JSONValue { JSONValue(parsing: text.utf8) ?? .null }

    private func step(
        from old: String? = nil, to new: String? = nil, over present: String? = nil, omitting: Bool = false
    ) throws -> CalibreChange.Step {
        let members = [("old", old), ("new", new)].compactMap { key, text in text.map { "\"\(key)\":\($0)" } }
        let change = try #require(CalibreChange(Self.value("{" + members.joined(separator: ",") + "}")))
        return change.step(over: present.map(Self.value), in: Self.columns, omittingUnsupported: omitting)
    }

    /// The JSON of the fields of a step.
    private func fields(_ step: CalibreChange.Step) -> String? {
        switch step {
        case .set(let fields, of: _): JSONValue.object(fields).json
        case .add(let fields, let others): JSONValue.object(fields).json + JSONValue.object(others).json
        default: nil
        }
    }

    @Test(
        "A member becomes the matching field of calibre",
        arguments: [
            (#""title":"A","#, #""title":"B","#, #"{"title":"B"}"#),
            (#""authors":"A & B","#, #""authors":"A && C & D, E","#, #"{"authors":["A ; C","D, E"]}"#),
            (#""tags":["x"],"#, #""tags":["x","a, b"],"#, #"{"tags":["x","a; b"]}"#),
            (#""tags":["x"],"#, #""tags":"y, z","#, #"{"tags":["y","z"]}"#),
            (#""tags":["x"],"#, "", #"{"tags":[]}"#),
            (#""publisher":"P","#, "", #"{"publisher":null}"#),
            (#""rating":4,"#, #""rating":9,"#, #"{"rating":9}"#),
            (
                #""series":"S","series_index":2.0,"#, #""series":"T [1]","series_index":3,"#,
                #"{"series":"T [1] [3]","series_index":3.0}"#
            ),
            (#""title_sort":"A","title":"A","#, #""title_sort":"C","title":"B","#, #"{"title":"B","sort":"C"}"#),
            (
                #""identifiers":{"doi":"1"},"#, #""identifiers":{"Doi":"2,3","isbn":"9"},"#,
                #"{"identifiers":{"doi":"2|3","isbn":"9"}}"#
            ),
            (
                #""identifiers":{"isbn":"1","doi":"1"},"#, #""isbn":"2","identifiers":{"isbn":"1","doi":"1"},"#,
                #"{"identifiers":{"doi":"1","isbn":"2"}}"#
            ),
            (
                #""pubdate":"1815-12-23T00:00:00+00:00","#, #""pubdate":"1816","#,
                #"{"pubdate":{"jPoAv3zOyHvQ5JFNYg4hJ9":0,"v":"1816-01-01T12:00:00+00:00"}}"#
            ),
            (#""*pages":1,"#, #""*pages":2,"#, ##"{"#pages":2}"##),
            (#""Pages":1,"#, "", ##"{"#pages":null}"##),
            (#""Saga":"S","Saga_index":1.0,"#, #""Saga":"S","Saga_index":2.0,"#, ##"{"#saga_index":2.0}"##),
        ])
    func fieldsOfChanges(old: String, new: String, fields expected: String) throws {
        let (old, new) = ("{\(old)\"id\":7}", "{\(new)\"id\":7}")
        let step = try step(from: old, to: new, over: old)
        #expect(fields(step) == expected)
        guard case .set(_, of: 7) = step else {
            Issue.record("\(step)")
            return
        }
    }

    @Test("Values that the server already has are not sent") func sameValues() throws {
        let old = #"{"id":7,"tags":["a"],"pubdate":"1815-12-23T00:00:00+00:00","title":"A"}"#
        let present = #"{"id":7,"tags":["c","a; b"],"pubdate":"1816-01-01T12:00:00+00:00","title":"A","rating":2}"#
        #expect(
            try step(from: old, to: #"{"id":7,"tags":["a, b","c"],"pubdate":"1816","title":"A"}"#, over: present)
                == .nothing)
        #expect(try step(from: old, over: nil) == .nothing)
        // Members that others changed are not sent.
        let changed = try step(
            from: old, to: #"{"id":7,"tags":["a"],"pubdate":"1815-12-23T00:00:00+00:00","title":"B"}"#, over: present)
        #expect(fields(changed) == #"{"title":"B"}"#)
    }

    @Test("Books that others changed or deleted are refused") func clashes() throws {
        let (old, new) = (#"{"id":7,"title":"A"}"#, #"{"id":7,"title":"B"}"#)
        #expect(try step(from: old, to: new, over: #"{"id":7,"title":"C"}"#) == .refuse(.changed, "title"))
        #expect(try step(from: old, to: new, over: nil) == .refuse(.gone, nil))
        #expect(try step(from: old, over: #"{"id":7,"title":"A","rating":2}"#) == .refuse(.changed, "rating"))
        #expect(try step(from: old, over: #"{"id":7,"title":"A","last_modified":"x","cover":"c"}"#) == .delete(7))
    }

    @Test("A book is added with its metadata first, then custom columns and names with separators")
    func additions() throws {
        let added = try step(
            to: #"{"title":"T","sort":"S","authors":"Ann and Bob","isbn":"9","*pages":3,"series":"","uuid":"u"}"#)
        #expect(
            fields(added)
                == ##"{"title":"T","title_sort":"S","authors":["Ann and Bob"],"identifiers":{"isbn":"9"}}{"authors":["Ann and Bob"],"#pages":3}"##
        )
    }

    @Test(
        "A value that calibre cannot store is refused or omitted",
        arguments: [
            (#""*none":1"#, RefusedRow.Reason.noPlace, "*none"), (#""Shown":"x""#, .noPlace, "Shown"),
            (#""cover":"http://x""#, .noPlace, "cover"), (#""pubdate":"-0430""#, .value, "pubdate"),
            (#""pubdate":"0090""#, .value, "pubdate"), (#""pubdate":"soon""#, .value, "pubdate"),
            (#""rating":11"#, .value, "rating"), (#""series_index":"x""#, .value, "series_index"),
        ] as [(String, RefusedRow.Reason, String)])
    func unsupportedValues(member: String, reason: RefusedRow.Reason, key: String) throws {
        let book = "{\"title\":\"T\",\(member)}"
        #expect(try step(to: book) == .refuse(reason, key))
        #expect(fields(try step(to: book, omitting: true)) == #"{"title":"T"}{}"#)
    }

    @Test("A row without a change is invalid", arguments: ["{}", #"{"old":{"title":"A"}}"#, #"{"new":[]}"#])
    func noChanges(row: String) { #expect(CalibreChange(Self.value(row)) == nil) }
}
