import ConnectorProtocol
import ConnectorTesting
import Foundation
import JSON
import Testing

@testable import Connectors

@Suite("Connectors: CSV and TSV") struct TableConnectorTests {
    @Test func rowsAreObjectsWithTheColumnNamesAsKeys() throws {
        let copy = try Mirrored("Title,Author,Year\nEmma,\"Austen, Jane\",1815\nDune,,\n", name: "books.csv")
        #expect(
            copy.lines == [#"{"Title":"Emma","Author":"Austen, Jane","Year":"1815"}"#, #"{"Title":"Dune"}"#])
        #expect(copy.opened.kind == "csv" && copy.opened.mode == .mirror)
        #expect(copy.copy.isComplete && copy.copy.defects == [])
    }

    @Test(arguments: [
        ("a;b\n1,5;2\n", ";"), ("a\tb\n1,5\t2\n", "\t"), ("a|b\n1,5|2\n", "|"), ("sep=;\na;b\n1,5;2\n", ";"),
        ("\"a\",\"b\"\r\n\"1,5\",\"2\"\r\n", ","), ("a,b\r\"1,5\",2\r", ","),
    ])
    func separatorAndLineEndsAreDetected(text: String, separator: String) throws {
        let copy = try Mirrored(text, name: "books.csv")
        #expect(copy.lines == [#"{"a":"1,5","b":"2"}"#])
        #expect(copy.opened.facts["separator"] == separator)
    }

    @Test func keysOfColumnsAreUnambiguous() throws {
        let copy = try Mirrored("Box, Box ,,Box 2,Box\nA,B,C,D,E\n", name: "books.csv")
        #expect(copy.lines == [#"{"Box":"A","Box 2":"B","column 3":"C","Box 2 2":"D","Box 3":"E"}"#])
    }

    @Test func columnsOfAuthorsWithTheSameNameAreOne() throws {
        let copy = try Mirrored(
            "Title,Author,Author,Year,Author\nT,A,B,1990,\nU,,B,1991,C\nV,,,1992,\nW,A,,1993\n", name: "books.csv")
        #expect(
            copy.lines == [
                #"{"Title":"T","Author":["A","B"],"Year":"1990"}"#, #"{"Title":"U","Author":["B","C"],"Year":"1991"}"#,
                #"{"Title":"V","Year":"1992"}"#, #"{"Title":"W","Author":"A","Year":"1993"}"#,
            ])
        let one = try Mirrored("Author,Author\n,B\n", name: "books.csv")
        #expect(one.lines == [#"{"Author":"B"}"#])
    }

    @Test func aRoundedISBNIsReportedUnlessThereIsAnother() throws {
        let copy = try Mirrored(
            "Title,ISBN 13,ISBN\nA,9.78031E+12,\nB,9.78031E+12,0306406152\nC,9.780306406157E+12,\nD,,\n",
            name: "books.csv")
        #expect(copy.copy.defects == [SourceDefect(.rounded, count: 1, first: .line(2))] && copy.lines.count == 4)
    }

    @Test func aTableWithoutAHeaderHasNumberedColumns() throws {
        let copy = try Mirrored("1,Emma,1815\n2,Dune,1965\n", name: "books.csv")
        #expect(
            copy.lines == [
                #"{"column 1":"1","column 2":"Emma","column 3":"1815"}"#,
                #"{"column 1":"2","column 2":"Dune","column 3":"1965"}"#,
            ])
    }

    @Test func raggedRowsAreKeptAndReported() throws {
        let copy = try Mirrored("a,b\n1\n2,3\n4,5,6\n7,8,\n", name: "books.csv")
        #expect(
            copy.lines == [
                #"{"a":"1"}"#, #"{"a":"2","b":"3"}"#, #"{"a":"4","b":"5","column 3":"6"}"#, #"{"a":"7","b":"8"}"#,
            ])
        #expect(copy.copy.defects == [SourceDefect(.columns, count: 2, first: .line(2))])
    }

    @Test func anUnclosedQuotationMarkAffectsOneLine() throws {
        let copy = try Mirrored("a,b\n1,2\n\"3,4\n5,6\n7,8\n", name: "books.csv")
        #expect(copy.lines.count == 3)
        #expect(copy.copy.defects == [SourceDefect(.quote, count: 1, first: .line(3))])
        #expect(copy.copy.isComplete)
    }

    @Test(arguments: [String.Encoding.utf8, .utf16LittleEndian, .utf16BigEndian, .utf16, .windowsCP1252])
    func theEncodingIsDetected(encoding: String.Encoding) throws {
        let text = "Titre;Auteur\nL’Étranger;Camus\nœuvre;“A”\n"
        let bytes = try #require(text.data(using: encoding))
        let copy = try Mirrored(bytes, name: "livres.csv")
        #expect(
            copy.lines == [#"{"Titre":"L’Étranger","Auteur":"Camus"}"#, #"{"Titre":"œuvre","Auteur":"“A”"}"#])
        #expect(copy.copy.defects == [])
    }

    @Test func aByteOrderMarkIsNotPartOfAColumn() throws {
        #expect(try Mirrored("\u{FEFF}a,b\n1,2\n", name: "books.csv").lines == [#"{"a":"1","b":"2"}"#])
        let marked = try #require("\u{FEFF}a,b\n1,2\n".data(using: .utf16LittleEndian))
        #expect(try Mirrored(marked, name: "books.csv").lines == [#"{"a":"1","b":"2"}"#])
    }

    @Test func laterBytesOfAnotherEncodingAreReported() throws {
        let rows = String(repeating: "Emma,Jane\n", count: 10_000)
        let bytes = Array("a,b\n\(rows)".utf8) + [UInt8(ascii: "x"), UInt8(ascii: ","), 0xE9, 0x0A]
        let copy = try Mirrored(bytes, name: "books.csv")
        #expect(copy.lines.last == #"{"a":"x","b":"é"}"#)
        #expect(copy.copy.defects == [SourceDefect(.encoding, count: 1, first: .line(10_002))])
    }

    @Test func cellsWithAnyCharacterBecomeJSON() throws {
        let copy = try Mirrored("a,b\n\"x\ny\t\"\"z\"\"\\\",\u{1}\u{7F}🙂\n", name: "books.csv")
        #expect(copy.lines == [#"{"a":"x\ny\t\"z\"\\","b":"\u0001"# + "\u{7F}🙂\"}"])
    }

    @Test(arguments: [",", "\t", ";"]) func oneApostropheBeforeAFormulaIsRemoved(separator: String) throws {
        let cells = [
            "'=1+1", "'+1", "'-1", "'@x", "''=1", "\"'\t=1\"", "\"'\r=1\"", "\"'=\"\"1\"\"\"", "'Tis", "=1", "-1", "'",
        ]
        let header = cells.indices.map { "column" + String(repeating: "x", count: $0) }
        let rows = [header, cells].map { $0.joined(separator: separator) + "\n" }
        let row = try Mirrored(rows.joined(), name: "b.csv").rows.first
        #expect(
            row?.members?.map { $0.value.string }
                == ["=1+1", "+1", "-1", "@x", "'=1", "\t=1", "\r=1", "=\"1\"", "'Tis", "=1", "-1", "'"])
    }

    /// The complete rows of a truncated file are read.
    @Test func aFileTruncatedAtAnyByteHasItsRows() throws {
        let text = Array("a,b\n\"é\"\"\n1\",2\nc,\"d\"\n".utf8)
        for length in 1...text.count {
            let copy = try? Mirrored(text.prefix(length), name: "books.csv")
            // Shorter texts have only a header.
            if length > 4 { #expect(copy != nil, "\(length)") }
            if length > 15 { #expect(copy?.lines.first == #"{"a":"é\"\n1","b":"2"}"#, "\(length)") }
        }
    }

    @Test func textOtherThanTablesIsRejected() throws {
        for text in [
            "Dear reader,\nthis is a letter,\nand it has commas, too, here, and there.\n", "one line",
            "\u{0}\u{1}\u{2}",
        ] {
            #expect(throws: ConnectorFailure.self) { try Mirrored(text, name: "letter.txt") }
        }
        #expect { try Mirrored("", name: "books.csv") } throws: { ($0 as? ConnectorFailure)?.reason == .empty }
        #expect { try Mirrored(source: "/no/such/file.csv") } throws: { ($0 as? ConnectorFailure)?.reason == .missing }
    }
}
