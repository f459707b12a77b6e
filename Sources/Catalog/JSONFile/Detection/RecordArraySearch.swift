internal import JSON

/// Searches a text for objects with a title, in arrays and alone.
struct RecordArraySearch {
    /// The arrays at one path, ignoring indices.
    struct Group {
        var path: [ContainerStep]
        /// The path of the first of them, with indices.
        var firstPath: [ContainerStep]
        var offset: Int
        /// The number of objects with a title.
        var count = 0
        /// The number of objects with a field that distinguishes books from lists and parts.
        var bookCount = 0
        /// The number of objects with any other field of a book.
        var describedCount = 0
        /// The number of objects with a title key or an author, rather than a name and a number.
        var titledCount = 0
        /// Whether an array continues after the available text.
        var isOpen = true

        /// Whether most objects are books rather than shelves.
        var isOfBooks: Bool { 2 * bookCount > count }
        /// The likelihood that the objects are books, to compare groups.
        var rank: Int { isOfBooks ? 2 : 2 * describedCount > count ? 1 : 0 }

        /// Adds an object with these traits, which include a title.
        fileprivate mutating func add(_ traits: BookTraits) {
            count += 1
            if traits.isBook { bookCount += 1 }
            if traits.isDescribed { describedCount += 1 }
            if !traits.isDisjoint(with: [.title, .authors]) { titledCount += 1 }
            isOpen = true
        }

        /// Whether this group is within the objects of `other`.
        func isWithin(_ other: Group) -> Bool { path.starts(with: other.path + [.element(0)]) }

        /// Whether the objects are parts of those of `other`: every object within a book is, and so is an object with
        /// only a name and a number within any titled object, such as a format of a book.
        func isPart(of other: Group) -> Bool {
            isWithin(other) && (other.isOfBooks || 2 * other.titledCount > other.count && 2 * titledCount <= count)
        }
    }

    /// The groups in the order of the text.
    private(set) var groups: [Group] = []
    /// The path of the first object below the top that is certainly a book and in no array.
    private(set) var book: [ContainerStep]?

    /// Reads the value that starts here, collects the groups in it, and returns its own traits.
    mutating func read(_ reader: inout JSONReader, at path: [ContainerStep]) throws(JSONSyntaxError) -> BookTraits {
        switch reader.peek() {
        case UInt8(ascii: "["):
            try readArray(&reader, at: path)
            return []
        case UInt8(ascii: "{"):
            var traits: BookTraits = []
            try reader.readObject(depth: path.count) { reader, key throws(JSONSyntaxError) in
                let name = reader.string(of: key)
                traits.formUnion(BookTraits(key: name, valueAt: reader))
                _ = try self.read(&reader, at: path + [.key(name)])
            }
            if book == nil, !path.isEmpty, traits.isBook(isAroundBooks: true), !path.contains(where: \.isElement) {
                book = path
            }
            return traits
        default:
            try reader.skipValue(depth: path.count)
            return []
        }
    }

    private mutating func readArray(_ reader: inout JSONReader, at path: [ContainerStep]) throws(JSONSyntaxError) {
        let key = path.map { $0.isElement ? .element(0) : $0 }
        let offset = reader.offset
        var index = 0
        try reader.readArray(depth: path.count) { reader throws(JSONSyntaxError) in
            let traits = try self.read(&reader, at: path + [.element(index)])
            index += 1
            if !traits.isTitled { return }
            let position: Int
            if let known = groups.firstIndex(where: { $0.path == key }) {
                position = known
            } else {
                // An inner array is recorded before its outer one, but begins later.
                position = groups.firstIndex { $0.offset > offset } ?? groups.count
                groups.insert(Group(path: key, firstPath: path, offset: offset), at: position)
            }
            groups[position].add(traits)
        }
        if let position = groups.firstIndex(where: { $0.path == key }) { groups[position].isOpen = false }
    }
}
