import TestSupport
import Testing

@testable import CSV

@Suite("CSV: reading a stream") struct CSVStreamTests {
    /// A row with its line and fields, or a fault.
    private enum Event: Equatable {
        case row(Int, [String])
        case syntaxError(CSVSyntaxError.Kind, Int)
        case tooLong(Int)
    }

    private func events(
        _ text: String, separator: Character = ",", partSize: Int = 7, bufferSize: Int = 16, rowLimit: Int = 1 << 20
    ) throws -> [Event] {
        var rest = Array(text.utf8)[...]
        let stream = CSVStream(
            separator: separator.asciiValue ?? 0, bufferSize: bufferSize, rowLimit: rowLimit
        ) { buffer in
            let part = rest.prefix(min(partSize, buffer.count))
            buffer.copyBytes(from: part)
            rest = rest.dropFirst(part.count)
            return part.count
        }
        var events: [Event] = []
        while let event = try stream.next() {
            switch event {
            case .row(let line):
                let fields = (0..<stream.fieldCount).map { String(decoding: stream.field($0), as: UTF8.self) }
                events.append(.row(line, fields))
            case .syntaxError(let syntaxError): events.append(.syntaxError(syntaxError.kind, syntaxError.line))
            case .tooLong(let line): events.append(.tooLong(line))
            }
        }
        return events
    }

    @Test(arguments: [1, 2, 3, 5, 8, 100]) func partsOfAnySizeGiveTheSameRows(size: Int) throws {
        let text = "a,b\r\n\r\n\"c,\"\"d\"\"\ne\",f\r\n,\ng\rh,\"\""
        #expect(
            try events(text, partSize: size) == [
                .row(1, ["a", "b"]), .row(3, ["c,\"d\"\ne", "f"]), .row(5, ["", ""]), .row(6, ["g"]),
                .row(7, ["h", ""]),
            ])
    }

    /// A field beyond the limit shows that the row has too many fields.
    @Test func fieldsBeyondTheLimitAreLeftOut() throws {
        var rest = Array("a,b,c,d,\"e\"\nf,g\n".utf8)[...]
        let stream = CSVStream(separator: UInt8(ascii: ","), fieldLimit: 2) { buffer in
            defer { rest = [] }
            buffer.copyBytes(from: rest)
            return rest.count
        }
        #expect(try stream.next() == .row(line: 1) && stream.fieldCount == 3)
        #expect(try stream.next() == .row(line: 2) && stream.fieldCount == 2)
        #expect(try stream.next() == nil)
    }

    @Test func aQuoteThatIsNotDoubledStaysInItsField() throws {
        #expect(
            try events("\"He said \"hi\" to me\",x\ny,\"a\"b\"\n") == [
                .row(1, ["He said \"hi\" to me", "x"]), .row(2, ["y", "a\"b"]),
            ])
    }

    @Test func anUnpairedQuoteCostsOneLine() throws {
        #expect(
            try events("a,b\n\"c,d\ne,f\ng,h\n") == [
                .row(1, ["a", "b"]), .syntaxError(.openQuote, 2), .row(3, ["e", "f"]), .row(4, ["g", "h"]),
            ])
        #expect(
            try events("\"a\nb\"c\nd,e\n") == [
                .syntaxError(.textBehindQuote, 1), .row(2, ["b\"c"]), .row(3, ["d", "e"]),
            ])
    }

    @Test func anUnpairedQuoteInALongFileCostsOneLine() throws {
        let rows = (1...2000).map { "\($0),book \($0)" }
        let text = "x,\"open\n" + rows.joined(separator: "\n")
        let found = try events(text, partSize: 1000, rowLimit: 4096)
        #expect(found.first == .syntaxError(.openQuote, 1))
        #expect(
            found.dropFirst()
                == rows.enumerated().map { .row($0.offset + 2, $0.element.split(separator: ",").map { String($0) }) }[
                    ...])
    }

    @Test func aRowLongerThanTheLimitCostsThatRow() throws {
        let long = String(repeating: "x", count: 5000)
        #expect(
            try events("a\n\(long),b\nc\n", partSize: 100, rowLimit: 1000) == [
                .row(1, ["a"]), .tooLong(2), .row(3, ["c"]),
            ])
    }

    /// Its text is not one of rows, or has no line end at all; the rows behind it are read.
    @Test(arguments: [1, 50]) func aQuotedFieldLongerThanTheLimitCostsItsRow(lineCount: Int) throws {
        let lines = Array(repeating: String(repeating: "some \"\"words\"\", and ", count: 600), count: lineCount)
        let text = "t,a\n\"\(lines.joined(separator: "\r\n"))\",\"x\ny\"\nNana,Zola\n"
        let found = try events(text, partSize: 100, rowLimit: 1000)
        #expect(found == [.row(1, ["t", "a"]), .tooLong(2), .row(lineCount + 3, ["Nana", "Zola"])])
    }

    @Test func theTimeIsLinearWhateverTheQuotes() throws {
        // Each of these lines would open a field that ends far away, if the previous line had not.
        for line in ["\"\n", "\"a\n", "a,\"\"\"\n", "\",\"\n", "\"\"\"a\n"] {
            let text = String(repeating: line, count: 60_000)
            let time = try processorTime {
                _ = try events(text, partSize: 1 << 16, bufferSize: 1 << 16, rowLimit: 1 << 20)
            }
            #expect(time < .seconds(10), "\(line)")
        }
    }
}
