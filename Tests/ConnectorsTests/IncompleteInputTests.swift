import ConnectorProtocol
import ConnectorTesting
import Foundation
import TestSupport
import Testing

@testable import Connectors
@testable import JSON

/// Input that ends early, and input that is partly skipped.
@Suite("Connectors: incomplete input") struct IncompleteInputTests {
    @Test func aReferenceOfRISWithoutItsEndTagIsATruncation() throws {
        let text = "TY  - BOOK\nTI  - Emma\nER  - \n\nTY  - BOOK\nTI  - Nana\nAU  - Zo"
        let cut = try Mirrored(text, name: "a.ris")
        #expect(cut.rows.map { $0["title"]?.string } == ["Emma", "Nana"])
        #expect(!cut.copy.isComplete && cut.copy.defects == [SourceDefect(.cut, first: .record(2))])
        let whole = try Mirrored(text + "la, Émile\nER  - ", name: "a.ris")
        #expect(whole.copy.isComplete && whole.copy.defects == [])
    }

    /// The truncated row has too few cells, but is not reported as ragged.
    @Test func theLastRowOfATruncatedTableIsNotRagged() throws {
        let text = Array("title,author\nEmma\nNana,Zola\nDra".utf8)
        let header = text.count << 3
        let frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x50, UInt8(header & 0xFF), UInt8(header >> 8), 0]
        let copy = try Mirrored(frame + text, name: "a.csv.zst")
        #expect(copy.copy.defects == [SourceDefect(.cut, first: .line(4)), SourceDefect(.columns, first: .line(2))])
        #expect(copy.rows.count == 3 && !copy.copy.isComplete)
    }

    /// Some programs write no end tags.
    @Test func referencesOfRISWithoutAnyEndTagAreComplete() throws {
        let copy = try Mirrored("TY  - BOOK\nTI  - Emma\n\nTY  - BOOK\nTI  - Nana\n", name: "a.ris")
        #expect(copy.rows.count == 2 && copy.copy.isComplete)
        #expect(!copy.copy.defects.contains { $0.kind == .cut })
        #expect(try !Mirrored("TY  - BOOK\nTI  - Emma\n", name: "a.ris").copy.isComplete)
    }

    /// The fields after the brace belong to the title; the next entry is read, and a defect is reported.
    @Test(arguments: [
        "@book{a, title={Emma, author={Austen, Jane}, year={1815}}\n", "@book{a,\n title={Emma},\n year=1815\n",
        "@book{a,\n title=\"Emma,\n year=1815\n}\n",
    ])
    func anUnclosedEntryOfBibTeXIsCounted(entry: String) throws {
        let first = "@book{z, title={Dune}}\n"
        let copy = try Mirrored(first + entry + "@book{b, title={Nana}}\n", name: "a.bib")
        #expect(copy.rows.first?["title"]?.string == "Dune" && copy.rows.last?["title"]?.string == "Nana")
        #expect(copy.copy.defects.contains(SourceDefect(.unclosed, first: .record(2))), "\(copy.copy.defects)")
        #expect(copy.copy.isComplete)
        // A quotation mark does not affect braces.
        if entry.contains("\"") { return }
        let last = try Mirrored(first + entry, name: "a.bib")
        #expect(!last.copy.isComplete && last.copy.defects.contains { $0.kind == .cut && $0.first == .record(2) })
    }

    @Test func anEntityBeforeTheRootIsRefusedWithItsLine() {
        let text = "<!DOCTYPE a [\n<!ENTITY x \"y\">\n]>\n<modsCollection><mods/></modsCollection>"
        #expect { try Mirrored(text, name: "a.xml") } throws: {
            ($0 as? ConnectorFailure) == ConnectorFailure(.refused, .entity, at: .line(2))
        }
    }

    @Test func aCompressedFileWithoutContentIsTruncated() throws {
        let frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x50, 0x41, 0x01, 0x00] + Array("title\nEm".utf8)
        #expect { try Mirrored(frame.prefix(8), name: "a.csv.zst") } throws: { error in
            let failure = error as? ConnectorFailure
            return failure?.reason == .cut && failure?.place == .offset(8)
        }
    }

    /// A cell of a hundred megabytes, compressed to three kilobytes.
    @Test(.thorough) func aRowWithAHugeCellInACompressedTableIsSkipped() throws {
        var bytes: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x50]
        func add(_ content: [UInt8], type: Int, size: Int, isLast: Bool = false) {
            let header = size << 3 | type << 1 | (isLast ? 1 : 0)
            bytes += [UInt8(header & 0xFF), UInt8(header >> 8 & 0xFF), UInt8(header >> 16 & 0xFF)] + content
        }
        func add(_ text: String, isLast: Bool = false) {
            add(Array(text.utf8), type: 0, size: text.utf8.count, isLast: isLast)
        }
        add("title,author\nEmma,Austen\n")
        for _ in 0..<800 { add([UInt8(ascii: "x")], type: 1, size: 1 << 17) }
        add(",Nobody\nNana,Zola\n", isLast: true)
        let copy = try Mirrored(bytes, name: "a.csv.zst")
        #expect(copy.rows.map { $0["title"]?.string } == ["Emma", "Nana"])
        #expect(copy.copy.defects == [SourceDefect(.tooLarge, first: .line(3))] && copy.copy.isComplete)
    }

    /// Compressed zeros have no format, which is detected without decompressing them all.
    @Test func compressedZerosHaveNoFormat() throws {
        var bytes: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x50]
        for number in 1...100 {
            let header = (1 << 20) | 1 << 1 | (number == 100 ? 1 : 0)
            bytes += [UInt8(header & 0xFF), UInt8(header >> 8 & 0xFF), UInt8(header >> 16 & 0xFF), 0]
        }
        #expect { try Mirrored(bytes, name: "zeros") } throws: {
            ($0 as? ConnectorFailure)?.reason == .unknownFormat
        }
    }
}
