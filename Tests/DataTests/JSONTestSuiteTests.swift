import Storage
import Testing

@testable import Catalog
@testable import JSON
@testable import Remote

/// Nicolas Seriot's JSONTestSuite: y_ files are JSON, n_ files are not, and i_ files may be either.
@Suite("Data: the JSON test suite") struct JSONTestSuiteTests {
    private func files(_ prefix: String) throws -> [(name: String, bytes: [UInt8])] {
        try DataDirectory.files(in: "jsontestsuite/test_parsing").filter { $0.hasPrefix(prefix) }
            .map { ($0, try DataDirectory.bytes("jsontestsuite/test_parsing/" + $0)) }
    }

    /// Returns the syntax error that `read` finds in a text.
    private func syntaxError(
        in bytes: [UInt8], _ read: (inout JSONReader) throws(JSONSyntaxError) -> Void
    ) -> JSONSyntaxError? {
        JSONReader.reading(bytes) { reader in
            do throws(JSONSyntaxError) {
                try read(&reader)
                try reader.readEnd()
                return nil
            } catch {
                return error
            }
        }
    }

    private func skipping(_ bytes: [UInt8]) -> JSONSyntaxError? {
        syntaxError(in: bytes) { reader throws(JSONSyntaxError) in try reader.skipValue() }
    }

    private func reading(_ bytes: [UInt8]) -> JSONSyntaxError? {
        syntaxError(in: bytes) { reader throws(JSONSyntaxError) in _ = try reader.readValue() }
    }

    /// Returns the offset of the syntax error if a file opened as a catalog is rejected as JSON; otherwise nil.
    private func offsetOfError(scanning name: String) throws -> Int? {
        let path = try DataDirectory.path("jsontestsuite/test_parsing/" + name)
        let bytes = try ReadOnlyFile.bytes(at: path)
        switch JSONReader.reading(bytes, { FormatDetector(of: $0, isWhole: true) }) {
        case .syntaxError(let syntaxError): return syntaxError.offset
        case .empty: return bytes.count
        case .nothing(.jsonLines): return try #require(skipping(bytes)).offset
        case .nothing: return nil
        case .undecided:
            Issue.record("\(name) is all that there is, and yet undecided")
            return nil
        case .records(let found):
            let profile = try #require(Profile.builtIn(named: found.profile))
            let layout = CatalogLayout(
                shape: found.shape, offset: found.offset, records: found.records,
                decoder: RecordDecoder(profile.mapping))
            let scanner = ChunkScheduler(try RandomAccessInput(path), layout)
            var worker = ChunkScheduler.Worker(for: scanner)
            var problems = RecordProblems()
            while let content = scanner.scanNext(with: &worker) { problems.append(content.problems) }
            let line = problems.omissions.first.flatMap { $0.reason == nil ? nil : $0.offset }
            return problems.syntaxError?.offset ?? line
        }
    }

    @Test func validFilesAreAccepted() throws {
        let files = try files("y_")
        #expect(files.count == 95)
        for (name, bytes) in files {
            #expect(skipping(bytes) == nil, "\(name)")
            #expect(reading(bytes) == nil, "\(name)")
            #expect(try offsetOfError(scanning: name) == nil, "\(name)")
        }
    }

    @Test func invalidFilesAreRejectedWithAnOffset() throws {
        let files = try files("n_")
        #expect(files.count == 188)
        for (name, bytes) in files {
            let syntaxError = skipping(bytes)
            #expect(syntaxError != nil, "\(name)")
            if let syntaxError { #expect((0...bytes.count).contains(syntaxError.offset), "\(name)") }
            #expect(reading(bytes) == syntaxError, "\(name)")
            let offset = try offsetOfError(scanning: name)
            #expect(offset != nil, "\(name)")
            if let offset { #expect((0...bytes.count).contains(offset), "\(name)") }
        }
    }

    @Test func implementationDefinedFilesAreHandled() throws {
        let files = try files("i_")
        #expect(files.count == 35)
        for (name, bytes) in files {
            #expect(skipping(bytes) == reading(bytes), "\(name)")
            let isValid = skipping(bytes) == nil
            // A text with a byte order mark is parsed after the mark.
            let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
            #expect(try (offsetOfError(scanning: name) == nil) == (isValid || hasMark), "\(name)")
        }
    }
}
