internal import Browser
internal import Catalog

/// Books as JSON objects, one a line: in an array, or without one (JSON Lines).
struct JSONForm: BookForm {
    /// The store of the books.
    let store: BookStore
    /// Whether they stand in an array.
    let isArray: Bool
    // Made with the first book: by then all are loaded.
    private var identities: BookIdentities?
    private var isFirst = true

    /// The form of books of `store`.
    init(store: BookStore, isArray: Bool) {
        self.store = store
        self.isArray = isArray
    }

    func begin(_ text: inout [UInt8]) {
        if isArray { text.append(UInt8(ascii: "[")) }
    }

    mutating func append(_ book: Book, at index: Int, to text: inout [UInt8]) {
        let identities = identities ?? BookIdentities(of: store.index)
        self.identities = identities
        if isArray { text += (isFirst ? "\n" : ",\n").utf8 }
        isFirst = false
        book.nativeRecord(identity: identities[index]).writeHarmlessly(to: &text)
        if !isArray { text.append(UInt8(ascii: "\n")) }
    }

    func end(_ text: inout [UInt8]) {
        if isArray { text += (isFirst ? "]\n" : "\n]\n").utf8 }
    }
}
