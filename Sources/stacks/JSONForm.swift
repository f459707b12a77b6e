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

extension JSONValue {
    /// Appends this as JSON to `text`, with what could act on a terminal as escapes: the value is the same.
    func writeHarmlessly(to text: inout [UInt8]) {
        let start = text.count
        write(to: &text)
        // Controls below blank are escapes already, and outside of strings all is ASCII.
        guard text[start...].contains(where: { $0 >= 0x7F }) else { return }
        let json = String(decoding: text[start...], as: UTF8.self)
        text.removeSubrange(start...)
        for scalar in json.unicodeScalars {
            if scalar.value < 0x7F || !scalar.mayActOnTerminals {
                text += UTF8.encode(scalar).map { Array($0) } ?? []
            } else {
                for unit in UTF16.encode(scalar) ?? .init() {
                    let digits = String(unit, radix: 16)
                    text += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8
                }
            }
        }
    }
}

extension Unicode.Scalar {
    /// Whether it is a control or format character, ends lines, or is none that is known.
    fileprivate var mayActOnTerminals: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: true
        default: false
        }
    }
}
