import Foundation
import Storage
import TestSupport
import Testing

@testable import Catalog
@testable import CatalogTesting
@testable import Indexing
@testable import JSON

/// Texts that are read in several chunks, or that begin, end or have an error at a chunk boundary.
@Suite("JSON file: records across chunks") struct RecordWindowsTests {
    private static let sizes = [1, 2, 3, 7, 16, 63, 64, 65, 100, 1000]

    private func record(_ title: String, length: Int = 0) -> String {
        let start = #"{"title":"\#(title)","more":""#
        return start + String(repeating: ".", count: max(0, length - start.utf8.count - 2)) + "\"}"
    }

    /// Returns the scan of `text`, which must be the same for all chunk sizes.
    private func scan(_ text: String, _ shape: CatalogShape, from offset: Int = 0) throws -> Scan {
        let directory = try TemporaryDirectory()
        let file = try RandomAccessInput(directory.write(text.utf8, to: "scanned.json"))
        let whole = Scan(of: file, shape: shape, from: offset)
        for size in Self.sizes {
            let scan = Scan(of: file, shape: shape, from: offset, windowSize: size)
            #expect(scan == whole, "in windows of \(size) bytes: \(text.prefix(300))")
        }
        return whole
    }

    private func titles(_ scan: Scan) -> [String] {
        scan.texts.map { String(decoding: $0.prefix { $0 != 0x0A }, as: UTF8.self) }
    }

    @Test func aChunkEndsAfterItsLastRecord() throws {
        let directory = try TemporaryDirectory()
        let text = "[" + (0..<100).map { record("\($0)", length: 100) }.joined(separator: ",") + "]"
        let file = try RandomAccessInput(directory.write(text.utf8, to: "scanned.json"))
        #expect(Scan(of: file, shape: .array(enclosingObjects: 0)).windowCount == 1)
        // Nine records in each chunk, and a chunk for the text after the last one.
        #expect(Scan(of: file, shape: .array(enclosingObjects: 0), windowSize: 1000).windowCount == 12)
        #expect(Scan(of: file, shape: .array(enclosingObjects: 0), windowSize: 50).offsets.count == 100)
    }

    @Test func aRecordMayBeLongerThanAChunk() throws {
        let text = "[" + ["a", "b", "c"].map { record($0, length: 3000) }.joined(separator: " , ") + "]"
        let scan = try scan(text, .array(enclosingObjects: 0))
        #expect(titles(scan) == ["a", "b", "c"])
        #expect(scan.offsets == [1, 3004, 6007])
        #expect(scan.syntaxError == nil)
    }

    @Test(arguments: [5_000_000, 9_000_000])
    func aRecordMayBeLongerThanTheLargestChunk(length: Int) throws {
        let directory = try TemporaryDirectory()
        let text = "[" + ["a", "b", "c"].map { record($0, length: length) }.joined(separator: ",") + "]"
        let file = try RandomAccessInput(directory.write(text.utf8, to: "scanned.json"))
        let scan = Scan(of: file, shape: .array(enclosingObjects: 0), threadCount: 2)
        #expect(scan.offsets == [1, length + 2, 2 * length + 3])
        #expect(scan.syntaxError == nil)
    }

    @Test func anErrorAmongManyOtherValuesHasItsPosition() throws {
        let directory = try TemporaryDirectory()
        let values = String(repeating: "\"" + String(repeating: ".", count: 997) + "\",", count: 5000)
        for (start, count) in [("[", 0), ("[{\"title\":\"A\"},", 1), ("[{\"title\":\"A\"},{\"title\":\"B\"},", 2)] {
            let text = start + values + "oops," + values + values + values + "]"
            let file = try RandomAccessInput(directory.write(text.utf8, to: "scanned.json"))
            for size in [1000, ChunkScheduler.standardChunkSize] {
                let scan = Scan(of: file, shape: .array(enclosingObjects: 0), windowSize: size, threadCount: 2)
                #expect(
                    scan.syntaxError == JSONSyntaxError(.unexpectedCharacter, at: start.utf8.count + values.utf8.count))
                #expect(scan.omissionCount == 5000)
                #expect(scan.offsets.count == count)
            }
        }
    }

    /// A text of records with an error in one of them.
    @Test(
        arguments: 0..<12,
        [
            ("oops", 0, .unexpectedCharacter), ("01", 1, .malformedNumber), ("\"\u{1}\"", 1, .controlCharacterInString),
            (#""\x""#, 1, .malformedEscape), ("1]", 1, .unexpectedCharacter), ("}", 0, .unexpectedCharacter),
            ("[", 1, .unexpectedCharacter),
        ] as [(String, Int, JSONSyntaxError.Reason)])
    func anErrorIsFoundInAnyChunk(position: Int, wrong: (text: String, place: Int, reason: JSONSyntaxError.Reason))
        throws
    {
        var text = "["
        var syntaxError: JSONSyntaxError?
        for index in 0..<12 {
            if index > 0 { text += "," }
            if index == position {
                text += #"{"title":"#
                syntaxError = JSONSyntaxError(wrong.reason, at: text.utf8.count + wrong.place)
                text += wrong.text + "}"
            } else {
                text += record("\(index)", length: 40)
            }
        }
        text += "]"
        let scan = try scan(text, .array(enclosingObjects: 0))
        #expect(scan.syntaxError == syntaxError)
        #expect(scan.offsets.count == position)
    }

    @Test(arguments: 0..<12)
    func aTextThatEndsEarlyIsAFaultAtItsEnd(count: Int) throws {
        let text = "[" + (0..<12).map { record("\($0)", length: 40) }.joined(separator: ",")
        let cut = String(text.prefix(2 + count * 41 + 20))
        let scan = try scan(cut, .array(enclosingObjects: 0))
        #expect(scan.syntaxError == JSONSyntaxError(.unexpectedEnd, at: cut.utf8.count))
        #expect(scan.offsets.count == count)
    }

    @Test func otherValuesMayFillChunks() throws {
        let values = (0..<300).map { "\($0)" }.joined(separator: ", ")
        let scan = try scan(
            "[\(values), \(record("a")), \(values), \(record("b")), \(values)]", .array(enclosingObjects: 0))
        #expect(titles(scan) == ["a", "b"])
        #expect(scan.omissionCount == 900)
        #expect(scan.firstOmission == 1)
        #expect(scan.syntaxError == nil)
    }

    @Test(arguments: ["[]", "[ ]", "[\n\n]\n", "[" + String(repeating: " ", count: 200) + "]"])
    func anEmptyArrayHasNoRecords(text: String) throws {
        let scan = try scan(text, .array(enclosingObjects: 0))
        #expect(scan.offsets == [])
        #expect(scan.omissionCount == 0)
        #expect(scan.syntaxError == nil)
        #expect(!scan.hasFields)
    }

    @Test(arguments: [
        ("[,]", 1), ("[{},]", 4), ("[{}{}]", 3), ("[{} 7]", 4), ("[}", 1), ("[]]", 2), ("[{}}", 3), ("[{}]]", 4),
        ("[{}],", 4), ("[{}:{}]", 3),
    ])
    func invalidTextBetweenRecordsIsAnError(text: String, offset: Int) throws {
        let syntaxError = try #require(scan(text, .array(enclosingObjects: 0)).syntaxError)
        #expect(syntaxError.offset == offset)
    }

    @Test func aByteOrderMarkAndBlanksMayPrecedeTheArray() throws {
        let text = "\u{FEFF} \n[" + record("a") + "," + record("b") + "]"
        let scan = try scan(text, .array(enclosingObjects: 0), from: 5)
        #expect(scan.offsets == [6, 6 + record("a").utf8.count + 1])
        #expect(scan.syntaxError == nil)
    }

    /// Records are delivered before the text after their array has been read.
    @Test func theRecordsOfAnArrayDoNotWaitForTheFollowingText() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/pipe"
        try #require(mkfifo(path, 0o600) == 0)
        let reading = try RandomAccessInput(path)
        let writing = try FileHandle(forWritingTo: URL(filePath: path))
        try writing.write(contentsOf: Data("[\(record("a")),\(record("b"))]".utf8))
        let scanner = ChunkScheduler(
            reading, CatalogLayout(shape: .array(path: []), offset: 0, records: RecordPaths([]), decoder: .native))
        var worker = ChunkScheduler.Worker(for: scanner)
        let first = scanner.scanNext(with: &worker)
        let content = try #require(first)
        #expect(content.segments.map(\.count) == [2])
        #expect(!content.isLast)
        try writing.write(contentsOf: Data(" more".utf8))
        try writing.close()
        let second = scanner.scanNext(with: &worker)
        let last = try #require(second)
        #expect(last.problems.syntaxError == JSONSyntaxError(.trailingContent, at: 2 * record("a").utf8.count + 4))
        #expect(last.isLast)
        let none = scanner.scanNext(with: &worker)
        #expect(none == nil)
    }

    // MARK: Within objects

    @Test func textAfterANestedArrayIsReadToTheEnd() throws {
        let start = #"{"a":{"b":"#
        let array = "[" + (0..<12).map { record("\($0)", length: 40) }.joined(separator: ",") + "]"
        let tail = #", "more": [1, {"title": "no record"}, "]"]}, "last": {"x": [[]]}} "#
        let shape = CatalogShape.array(enclosingObjects: 2)
        let whole = try scan(start + array + tail, shape, from: start.utf8.count)
        #expect(whole.offsets.count == 12)
        #expect(whole.syntaxError == nil)
        #expect(whole.omissionCount == 0)
        let length = (start + array).utf8.count
        for (wrong, place, reason) in [
            ("", 0, .unexpectedEnd), ("}", 1, .unexpectedEnd), ("}}}", 2, .trailingContent),
            (",}}", 1, .unexpectedCharacter), (#","x":01}}"#, 6, .malformedNumber), ("]}}", 0, .unexpectedCharacter),
            (#","x":1},"y":}"#, 12, .unexpectedCharacter), ("}} {}", 3, .trailingContent),
        ] as [(String, Int, JSONSyntaxError.Reason)] {
            let scan = try self.scan(start + array + wrong, shape, from: start.utf8.count)
            #expect(scan.syntaxError == JSONSyntaxError(reason, at: length + place))
            #expect(scan.offsets.count == 12)
        }
    }

    @Test func depthIsCountedFromTheOutermostObject() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        let start = #"{"a":{"b":[{"title":"A"}],"c":"#
        let shape = CatalogShape.array(enclosingObjects: 2)
        #expect(try scan(start + nested(510) + "}}", shape, from: 10).syntaxError == nil)
        #expect(try scan(start + nested(511) + "}}", shape, from: 10).syntaxError?.reason == .tooDeep)
        #expect(try scan(start + "1}, \"d\":" + nested(511) + "}", shape, from: 10).syntaxError == nil)
        #expect(try scan(start + "1}, \"d\":" + nested(512) + "}", shape, from: 10).syntaxError?.reason == .tooDeep)
    }

    @Test func aLongTailIsReadToo() throws {
        let tail = #","tail":["# + (0..<5000).map { "\($0)" }.joined(separator: ",") + "]}"
        let text = #"{"books":[{"title":"A"}]"# + tail
        #expect(try scan(text, .array(enclosingObjects: 1), from: 9).syntaxError == nil)
        let wrong = text.dropLast(3) + "x]}"
        let syntaxError = try scan(String(wrong), .array(enclosingObjects: 1), from: 9).syntaxError
        #expect(syntaxError == JSONSyntaxError(.unexpectedCharacter, at: text.utf8.count - 3))
    }

    @Test func recordsMayBeMembersOfAnObject() throws {
        let members = (0..<12).map { "\"\($0) }\": " + record("\($0)", length: 40) }
        let scan = try scan("{" + members.joined(separator: ",\n") + #", "n": 7, "a": []}"#, .members)
        #expect(titles(scan) == (0..<12).map(String.init))
        #expect(scan.omissionCount == 2)
        #expect(scan.syntaxError == nil)
        for (text, syntaxError) in [
            (#"{"a": {}, {}}"#, JSONSyntaxError(.unexpectedCharacter, at: 10)),
            (#"{"a": {}"#, JSONSyntaxError(.unexpectedEnd, at: 8)),
            (#"{"a": {}} x"#, JSONSyntaxError(.trailingContent, at: 10)),
            (#"{"a" {}}"#, JSONSyntaxError(.unexpectedCharacter, at: 5)),
        ] {
            #expect(try self.scan(text, .members).syntaxError == syntaxError)
        }
    }

    @Test func oneBookMayBeTheWholeText() throws {
        let scan = try scan(" \n" + record("a", length: 500) + "\n", .document, from: 2)
        #expect(scan.offsets == [2])
        #expect(scan.syntaxError == nil)
        #expect(
            try self.scan("{\"title\":\"A\"} {}", .document).syntaxError == JSONSyntaxError(.trailingContent, at: 14))
    }

    // MARK: Lines

    private let good = [#"{"title":"a"}"#, #"{"title":"b"}"#, #"{"title":"c"}"#]

    @Test(arguments: ["\n", "\r\n", "\n\n", "\n \r\n\t\n", "\n" + String(repeating: " ", count: 100) + "\n"])
    func recordsMayBeOnLines(separator: String) throws {
        for (start, end) in [("", ""), ("", "\n"), ("\n\n", "\r\n\r\n"), (" ", " ")] {
            let scan = try scan(start + good.joined(separator: separator) + end, .lines)
            #expect(titles(scan) == ["a", "b", "c"])
            #expect(scan.offsets == (0..<3).map { start.utf8.count + $0 * (13 + separator.utf8.count) })
            #expect(scan.omissionCount == 0)
            #expect(scan.syntaxError == nil)
        }
    }

    @Test(
        arguments: 0...3,
        [
            (#"{"title":oops}"#, 9, .unexpectedCharacter), (#"{"title":"A""#, 12, .unexpectedEnd),
            (#"{"title":"A"}}"#, 13, .trailingContent), ("oops", 0, .unexpectedCharacter), ("42", 0, nil),
            (#"{"title":"A"},"#, 13, .trailingContent), (#"{"title":"A\"#, 12, .unexpectedEnd),
            (#"{"title":"\u12"#, 14, .unexpectedEnd), ("{\"title\":\"\u{0}\"}", 10, .controlCharacterInString),
            ("{\"title\":tru", 12, .unexpectedEnd), ("\u{0}", 0, .unexpectedCharacter), ("\"", 1, .unexpectedEnd),
        ] as [(String, Int, JSONSyntaxError.Reason?)])
    func aBadLineIsSkipped(position: Int, bad: (text: String, place: Int, reason: JSONSyntaxError.Reason?)) throws {
        for (separator, end) in [("\n", "\n"), ("\r\n", ""), ("\n\n", "\n\n")] {
            var lines = good
            lines.insert(bad.text, at: position)
            let scan = try scan(lines.joined(separator: separator) + end, .lines)
            #expect(titles(scan) == ["a", "b", "c"])
            #expect(scan.omissionCount == 1)
            #expect(scan.firstOmissionReason.map { _ in true } == bad.reason.map { _ in true })
            // A carriage return belongs to the line, so an incomplete value finds it instead of the end.
            if separator == "\r\n" && bad.reason == .unexpectedEnd && position < 3 { continue }
            #expect(scan.firstOmissionReason == bad.reason)
            #expect(scan.firstOmission == position * (13 + separator.utf8.count) + bad.place)
            #expect(scan.syntaxError == nil)
        }
    }
}
