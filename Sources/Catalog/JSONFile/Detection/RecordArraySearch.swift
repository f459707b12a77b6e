internal import JSON

/// A search for arrays of objects with a title, anywhere in a text.
struct RecordArraySearch {
    /// The arrays that are at one path, indexes left out.
    struct Group {
        var path: [ContainerStep]
        /// Where the first of them is, with its indexes.
        var firstPath: [ContainerStep]
        var offset: Int
        /// How many objects with a title they have.
        var count = 0
        /// How many of these have something else that only books have.
        var bookCount = 0
        /// Whether one of them goes on behind what is at hand.
        var isOpen = true

        /// Whether most of them are books, and not shelves.
        var isOfBooks: Bool { 2 * bookCount > count }
    }

    /// What a value may be.
    enum Kind {
        case other, titled, book
    }

    /// In the order of the text.
    private(set) var groups: [Group] = []

    /// Reads the value that begins here.
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
                // Those within come before those around them, but begin later.
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
