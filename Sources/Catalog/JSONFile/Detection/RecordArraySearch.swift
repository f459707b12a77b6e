internal import JSON

/// Searches a text for arrays of objects with a title.
struct RecordArraySearch {
    /// The arrays at one path, ignoring indices.
    struct Group {
        var path: [ContainerStep]
        /// The path of the first of them, with indices.
        var firstPath: [ContainerStep]
        var offset: Int
        /// The number of objects with a title.
        var count = 0
        /// The number of those that have another field of a book.
        var bookCount = 0
        /// Whether an array continues after the available text.
        var isOpen = true

        /// Whether most objects are books rather than shelves.
        var isOfBooks: Bool { 2 * bookCount > count }
    }

    /// The kind of a value.
    enum Kind {
        case other, titled, book
    }

    /// The groups in the order of the text.
    private(set) var groups: [Group] = []

    /// Reads the value that starts here, and collects the groups in it.
    mutating func read(_ reader: inout JSONReader, at path: [ContainerStep]) throws(JSONSyntaxError) -> Kind {
        switch reader.peek() {
        case UInt8(ascii: "["):
            try readArray(&reader, at: path)
            return .other
        case UInt8(ascii: "{"):
            var isTitled = false
            var isBook = false
            try reader.readObject(depth: path.count) { reader, key throws(JSONSyntaxError) in
                let name = reader.string(of: key)
                if JSONValue.titleKeys.contains(name), reader.byte == UInt8(ascii: "\"") { isTitled = true }
                if JSONValue.bookKeys.contains(name), reader.byte != UInt8(ascii: "n") { isBook = true }
                _ = try self.read(&reader, at: path + [.key(name)])
            }
            return isTitled ? isBook ? .book : .titled : .other
        default:
            try reader.skipValue(depth: path.count)
            return .other
        }
    }

    private mutating func readArray(_ reader: inout JSONReader, at path: [ContainerStep]) throws(JSONSyntaxError) {
        let key = path.map { $0.isElement ? .element(0) : $0 }
        let offset = reader.offset
        var index = 0
        try reader.readArray(depth: path.count) { reader throws(JSONSyntaxError) in
            let kind = try self.read(&reader, at: path + [.element(index)])
            index += 1
            if kind == .other { return }
            let place: Int
            if let known = groups.firstIndex(where: { $0.path == key }) {
                place = known
            } else {
                // An inner array is recorded before its outer one, but begins later.
                place = groups.firstIndex { $0.offset > offset } ?? groups.count
                groups.insert(Group(path: key, firstPath: path, offset: offset), at: place)
            }
            groups[place].count += 1
            if kind == .book { groups[place].bookCount += 1 }
            groups[place].isOpen = true
        }
        if let place = groups.firstIndex(where: { $0.path == key }) { groups[place].isOpen = false }
    }
}
