@testable import Catalog

extension Book {
    /// A book of which a test says only what it cares about.
    static func make(
        title: String = "Emma", authors: [String] = ["Jane Austen"], isbn: String? = nil, pageCount: Int? = nil,
        fiction: Bool? = nil
    ) -> Book {
        Book(title: title, authors: authors, isbn: isbn.map(ISBN.init), pageCount: pageCount, fiction: fiction)
    }
}

extension JSONReader {
    /// What `body` makes of a reader of `text`.
    static func reading<Result>(
        _ text: some Sequence<UInt8>, _ body: (inout JSONReader) throws -> Result
    ) rethrows -> Result {
        try Array(text).withUnsafeBufferPointer { bytes in
            var reader = JSONReader(bytes)
            return try body(&reader)
        }
    }

    /// Why `text` is not JSON; nil where it is.
    static func fault(in text: some Sequence<UInt8>) -> JSONFault? {
        reading(text) { reader in
            do throws(JSONFault) {
                try reader.skipValue()
                try reader.readEnd()
                return nil
            } catch {
                return error
            }
        }
    }
}
