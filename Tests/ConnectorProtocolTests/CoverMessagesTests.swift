import Testing

@testable import ConnectorProtocol
@testable import JSON

/// The messages by which stacks gets covers from the connector program.
@Suite("Covers: messages") struct CoverMessagesTests {
    private static let request = CoverRequest(
        path: "/c/picture", thumbnail: "/c/small",
        frame: CoverFrame(columns: 20, rows: 15, cellWidth: 10, cellHeight: 20, form: .png, hasDirectColours: true))

    /// Two cells: the upper half in one colour on white, and a whole one in 24 bits on a colour of the palette.
    private static let picture = CoverPicture(
        columns: 2, rows: 1,
        cells: [
            .init(symbol: 1, foreground: 0x01_0203, background: 0xFF_FFFF),
            .init(symbol: 3, foreground: 0x0A_0B0C, background: 16),
        ], pixels: [1, 2, 3])

    @Test(
        "Requests are lines with these members",
        arguments: [
            (
                ConnectorRequest.Action.cover(request),
                #"{"id":7,"do":"cover","path":"/c/picture","thumbnail":"/c/small","columns":20,"rows":15,"cellWidth":10,"cellHeight":20,"form":"png","direct":true}"#
            ),
            (
                .cover(
                    CoverRequest(
                        path: "é",
                        frame: CoverFrame(
                            columns: 1, rows: 200, cellWidth: 1, cellHeight: 100, form: .cells, hasDirectColours: false)
                    )),
                #"{"id":7,"do":"cover","path":"é","columns":1,"rows":200,"cellWidth":1,"cellHeight":100,"form":"cells","direct":false}"#
            ),
            (
                .fetch(
                    address: "https://a.example/1.jpg", catalog: "https://a.example/opds", path: "/c/picture",
                    limit: 1024),
                #"{"id":7,"do":"fetch","address":"https://a.example/1.jpg","catalog":"https://a.example/opds","to":"/c/picture","limit":1024}"#
            ),
            (
                .fetch(address: "http://a.example/", catalog: nil, path: "/c", limit: 0),
                #"{"id":7,"do":"fetch","address":"http://a.example/","to":"/c","limit":0}"#
            ),
        ])
    func requests(action: ConnectorRequest.Action, line: String) throws {
        let request = ConnectorRequest(id: 7, action)
        #expect(String(decoding: request.line, as: UTF8.self) == line)
        #expect(try ConnectorRequest(parsing: line.utf8) == request)
    }

    @Test("Each form has a name", arguments: [("cells", CoverFrame.Form.cells), ("png", .png), ("sixel", .sixel)])
    func forms(name: String, form: CoverFrame.Form) throws {
        let line =
            #"{"id":7,"do":"cover","path":"p","columns":1,"rows":1,"cellWidth":1,"cellHeight":1,"form":"\#(name)"}"#
        var expected = CoverRequest(
            path: "p",
            frame: CoverFrame(
                columns: 1, rows: 1, cellWidth: 1, cellHeight: 1, form: form, hasDirectColours: false))
        // Colours are those of the palette unless the line says otherwise.
        #expect(try ConnectorRequest(parsing: line.utf8).action == .cover(expected))
        expected.frame.hasDirectColours = true
        let direct = line.dropLast() + #","direct":true}"#
        #expect(try ConnectorRequest(parsing: direct.utf8).action == .cover(expected))
    }

    @Test("A picture is a line with its cells and pixels in Base64")
    func pictures() throws {
        let line =
            #"{"re":2,"end":true,"columns":2,"rows":1,"cells":"AQECA////wMKCwwAABA=","pixels":"AQID"}"#
        let reply = ConnectorReply(to: 2, .ended(.pictured(Self.picture)))
        #expect(String(decoding: reply.line, as: UTF8.self) == line)
        #expect(try ConnectorReply(parsing: line.utf8) == reply)
    }

    @Test("A picture of half blocks only has no member for pixels")
    func picturesWithoutPixels() throws {
        var picture = Self.picture
        picture.pixels = []
        let line = #"{"re":2,"end":true,"columns":2,"rows":1,"cells":"AQECA////wMKCwwAABA="}"#
        let reply = ConnectorReply(to: 2, .ended(.pictured(picture)))
        #expect(String(decoding: reply.line, as: UTF8.self) == line)
        #expect(try ConnectorReply(parsing: line.utf8) == reply)
    }

    @Test("The number of a symbol is one of the four that there are")
    func symbols() throws {
        // The first byte of the cell is 0xFE.
        let reply = try ConnectorReply(
            parsing: #"{"re":2,"end":true,"columns":1,"rows":1,"cells":"/gECAwQFBg=="}"#.utf8)
        let cell = CoverPicture.Cell(symbol: 2, foreground: 0x01_0203, background: 0x04_0506)
        #expect(reply.content == .ended(.pictured(CoverPicture(columns: 1, rows: 1, cells: [cell]))))
        #expect(CoverPicture.symbols.map { String($0) } == [" ", "▀", "▄", "█"])
    }

    @Test(
        "A request for a place, a cell or a form that cannot be is refused",
        arguments: [
            ("columns", "0"), ("columns", "201"), ("columns", "-1"), ("columns", "1e9"), ("columns", #""20""#),
            ("columns", "null"), ("rows", "0"), ("rows", "201"), ("cellWidth", "0"), ("cellWidth", "101"),
            ("cellHeight", "0"), ("cellHeight", "101"), ("form", #""gif""#), ("form", #""PNG""#), ("form", "1"),
            ("path", "7"), ("path", "null"), ("thumbnail", "true"),
        ])
    func refusedRequests(member: String, value: String) {
        let values = [
            "path": #""p""#, "thumbnail": #""t""#, "columns": "200", "rows": "200", "cellWidth": "100",
            "cellHeight": "100", "form": #""cells""#,
        ].merging([member: value]) { $1 }
        let members = values.map { #","\#($0.key)":\#($0.value)"# }.joined()
        let failure = MalformedRequest(id: 7, failure: ConnectorFailure(.request, .member, detail: member))
        #expect(throws: failure) { try ConnectorRequest(parsing: #"{"id":7,"do":"cover"\#(members)}"#.utf8) }
    }

    @Test("The largest place and cell are accepted")
    func limits() throws {
        let line =
            #"{"id":7,"do":"cover","path":"p","columns":200,"rows":200,"cellWidth":100,"cellHeight":100,"form":"cells"}"#
        #expect(throws: Never.self) { try ConnectorRequest(parsing: line.utf8) }
    }

    @Test(
        "A picture without the bytes of its cells is refused",
        arguments: [
            // One byte less than a cell has, one more, two cells, none.
            #""columns":1,"rows":1,"cells":"AAAAAAAA""#, #""columns":1,"rows":1,"cells":"AAAAAAAAAAA=""#,
            #""columns":1,"rows":1,"cells":"AAAAAAAAAAAAAAAAAAA=""#, #""columns":1,"rows":1,"cells":"""#,
            #""columns":1,"rows":1,"cells":"AAAA!AAAAAA==""#, #""columns":1,"rows":1,"cells":"AAAAAAAAAA""#,
            #""columns":0,"rows":0,"cells":"""#, #""columns":0,"rows":1,"cells":"""#,
            #""columns":1,"rows":1,"cells":7"#, #""rows":1,"cells":"AAAAAAAAAA==""#,
            #""columns":1,"rows":1,"cells":"AAAAAAAAAA==","pixels":"!""#,
            #""columns":1,"rows":1,"cells":"AAAAAAAAAA==","pixels":7"#,
        ])
    func refusedPictures(members: String) {
        #expect {
            try ConnectorReply(parsing: #"{"re":2,"end":true,\#(members)}"#.utf8)
        } throws: { error in
            let failure = error as? ConnectorFailure
            return failure?.kind == .request && failure?.reason == .member
        }
    }

    @Test("A picture of more columns than any place has is refused, whatever cells it has")
    func tooWidePicture() throws {
        func line(columns: Int) -> String {
            let cells = [CoverPicture.Cell](
                repeating: .init(symbol: 0, foreground: 0, background: 0), count: columns)
            let picture = CoverPicture(columns: columns, rows: 1, cells: cells)
            return String(decoding: ConnectorReply(to: 1, .ended(.pictured(picture))).line, as: UTF8.self)
        }
        #expect(throws: Never.self) { try ConnectorReply(parsing: line(columns: 200).utf8) }
        #expect(throws: ConnectorFailure(.request, .member, detail: "cells")) {
            try ConnectorReply(parsing: line(columns: 201).utf8)
        }
    }
}
