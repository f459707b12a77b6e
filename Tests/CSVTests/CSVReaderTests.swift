import Foundation
import Testing

@testable import CSV

@Suite("CSV: reading text in memory") struct CSVReaderTests {
    private func records(_ text: String, separator: Character = ",") throws -> [[String]] {
        var reader = CSVReader(Array(text.utf8), separator: separator.asciiValue ?? 0)
        var records: [[String]] = []
        while let record = try reader.next() { records.append(record.fields) }
        return records
    }

    @Test func fieldsStandBetweenCommas() throws {
        #expect(try records("a,b,c\r\n1,,3\r\n") == [["a", "b", "c"], ["1", "", "3"]])
        #expect(try records("a,b") == [["a", "b"]])
        #expect(try records("a,") == [["a", ""]])
        #expect(try records("a;b,c\n", separator: ";") == [["a", "b,c"]])
        #expect(try records("") == [])
    }

    @Test func anyLineEndIsAcceptedAndEmptyLinesAreSkipped() throws {
        #expect(try records("a\nb\rc\r\nd") == [["a"], ["b"], ["c"], ["d"]])
        #expect(try records("\n\r\na\n\n\nb\n\n") == [["a"], ["b"]])
        #expect(try records("\"\"\na\n") == [[""], ["a"]])
    }

    @Test func quotedFieldsHaveCommasLineEndsAndQuotes() throws {
        #expect(try records("\"a,b\",\"c\"\"d\",\"e\r\nf\ng\"\n") == [["a,b", "c\"d", "e\r\nf\ng"]])
        #expect(try records("\"\",\"\"\"\"") == [["", "\""]])
    }

    @Test func aQuoteWithinAFieldIsACharacter() throws {
        #expect(
            try records(#"="0345391802",a"b,"=""0345391802""""#) == [[#"="0345391802""#, "a\"b", #"="0345391802""#]])
    }

    @Test func recordsKnowTheLineOnWhichTheyBegin() throws {
        var reader = CSVReader(Array("a\n\n\"b\nc\"\nd".utf8))
        var lines: [Int] = []
        while let record = try reader.next() { lines.append(record.line) }
        #expect(lines == [1, 3, 5])
    }

    @Test func invalidTablesAreReportedWithTheLine() {
        #expect(throws: CSVSyntaxError(kind: .openQuote, line: 2)) { try records("a\n\"b\nc\n") }
        #expect(throws: CSVSyntaxError(kind: .textBehindQuote, line: 3)) { try records("a\nb\n\"c\"d\n") }
        #expect(throws: CSVSyntaxError(kind: .textBehindQuote, line: 2)) { try records("\"a\nb\"c\n") }
    }

    /// Random tables written by Python's csv module in each of its dialects must be read as Python reads them.
    @Test func randomTablesAreReadAsPythonReadsThem() throws {
        let script = """
            import csv, io, json, random, sys
            random.seed(7)
            tables = []
            for number in range(400):
                pieces = ['a', 'é', '紅', ',', ';', '"', '""', '\\n', '\\r\\n', '\\r', ' ', "'", '=', '\\t', '\\ufeff', '🙂']
                rows = [[''.join(random.choices(pieces, k=random.randrange(6))) for _ in range(random.randrange(1, 5))]
                        for _ in range(random.randrange(6))]
                text = io.StringIO()
                csv.writer(text, quoting=random.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
                           lineterminator=random.choice(['\\n', '\\r\\n', '\\r'])).writerows(rows)
                text = text.getvalue()
                read = [row for row in csv.reader(io.StringIO(text, newline='')) if row]
                tables.append([text, read])
            json.dump(tables, sys.stdout)
            """
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = ["-c", script]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let tables = try #require(try JSONSerialization.jsonObject(with: data) as? [[Any]])
        #expect(tables.count == 400)
        for table in tables {
            let text = try #require(table[0] as? String)
            #expect(try records(text) == table[1] as? [[String]], "\(text.debugDescription)")
        }
    }
}
