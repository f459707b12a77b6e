import Testing

@testable import Catalog

/// Nicolas Seriot's JSONTestSuite: y_ files are JSON, n_ files are not, and i_ files may be either.
struct JSONTestSuiteTests {
    private func files(_ prefix: String) throws -> [(name: String, bytes: [UInt8])] {
        try DataDirectory.files(in: "jsontestsuite/test_parsing").filter { $0.hasPrefix(prefix) }
            .map { ($0, try DataDirectory.bytes("jsontestsuite/test_parsing/" + $0)) }
    }

    /// The fault that `read` comes upon in a text.
    private func fault(
        in bytes: [UInt8], _ read: (inout JSONReader) throws(JSONFault) -> Void
    ) -> JSONFault? {
        bytes.withUnsafeBufferPointer { buffer in
            var reader = JSONReader(buffer)
            do throws(JSONFault) {
                try read(&reader)
                try reader.readEnd()
                return nil
            } catch {
                return error
            }
        }
    }

    private func skipping(_ bytes: [UInt8]) -> JSONFault? {
        fault(in: bytes) { reader throws(JSONFault) in try reader.skipValue() }
    }

    private func reading(_ bytes: [UInt8]) -> JSONFault? {
        fault(in: bytes) { reader throws(JSONFault) in _ = try reader.readValue() }
    }

    @Test func whatIsJSONIsAccepted() throws {
        let files = try files("y_")
        #expect(files.count == 95)
        for (name, bytes) in files {
            #expect(skipping(bytes) == nil, "\(name)")
            #expect(reading(bytes) == nil, "\(name)")
        }
    }

    @Test func whatIsNotIsRejectedWithAnOffset() throws {
        let files = try files("n_")
        #expect(files.count == 188)
        for (name, bytes) in files {
            let fault = skipping(bytes)
            #expect(fault != nil, "\(name)")
            if let fault { #expect((0...bytes.count).contains(fault.offset), "\(name)") }
            #expect(reading(bytes) == fault, "\(name)")
        }
    }

    @Test func whatMayBeEitherIsSurvived() throws {
        let files = try files("i_")
        #expect(files.count == 35)
        for (name, bytes) in files {
            #expect(skipping(bytes) == reading(bytes), "\(name)")
            _ = bytes.withUnsafeBufferPointer(RecordScanner.init)
        }
    }
}
