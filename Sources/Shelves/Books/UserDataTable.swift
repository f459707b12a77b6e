public import Books

/// User data by the identity that its book had when the data was created.
///
/// The records lie in one array: with 100,000 of them, a dictionary of the records takes ten times as long to build,
/// since it is sparse.
public struct UserDataTable: Sendable {
    /// User data with the identity of its book.
    public typealias Element = (key: BookIdentity, value: UserBookData)

    private(set) var elements: [Element] = []
    private var positions: [BookIdentity: UInt32] = [:]

    /// Creates an empty collection.
    public init() {}

    /// Creates a collection of `books`; if several records have the same identity, the first one counts.
    init(_ books: [Element]) {
        var (first, second) = (books, [Element]())
        self.init(taking: &first, &second)
    }

    /// Creates a collection of the records in `first` and `second`; the first of several with one identity counts.
    ///
    /// Both arrays are emptied. `first` should have capacity for all records: copying them costs more than all the
    /// rest.
    init(taking first: inout [Element], _ second: inout [Element]) {
        swap(&elements, &first)
        elements.reserveCapacity(elements.count + second.count)
        while let element = second.popLast() { elements.append(element) }
        positions.reserveCapacity(elements.count)
        for position in elements.indices { positions[elements[position].key] = UInt32(position) }
        if positions.count < elements.count { removeDoubles() }
    }

    private mutating func removeDoubles() {
        let all = elements
        (elements, positions) = ([], [:])
        for (identity, bookData) in all where positions[identity] == nil { append(bookData, as: identity) }
    }

    /// The number of records.
    public var count: Int { elements.count }

    /// Whether the collection is empty.
    public var isEmpty: Bool { elements.isEmpty }

    /// The user data with this identity. O(1).
    public subscript(identity: BookIdentity) -> UserBookData? { position(of: identity).map { elements[$0].value } }

    /// The records in arbitrary order.
    public var values: some Sequence<UserBookData> { elements.lazy.map(\.value) }

    /// Returns the index of the record with this identity; valid until a record is removed.
    func position(of identity: BookIdentity) -> Int? { positions[identity].map(Int.init) }

    /// The record at an index.
    subscript(position: Int) -> UserBookData {
        get { elements[position].value }
        _modify { yield &elements[position].value }
    }

    /// Makes room for `count` more records.
    mutating func reserveCapacity(forMore count: Int) {
        elements.reserveCapacity(elements.count + count)
        positions.reserveCapacity(elements.count + count)
    }

    /// Adds a record under an identity that is not in use.
    mutating func append(_ bookData: consuming UserBookData, as identity: BookIdentity) {
        positions[identity] = UInt32(elements.count)
        elements.append((identity, bookData))
    }

    /// Removes the record at an index; the last record moves to that index.
    mutating func remove(at position: Int) {
        positions[elements[position].key] = nil
        let last = elements.removeLast()
        guard position < elements.count else { return }
        elements[position] = last
        positions[last.key] = UInt32(position)
    }
}

extension UserDataTable: Sequence {
    /// Returns an iterator over the records with their identities in arbitrary order.
    public func makeIterator() -> some IteratorProtocol<Element> { elements.makeIterator() }
}

extension UserDataTable: Hashable {
    /// Returns whether both contain the same records in any order.
    public static func == (left: UserDataTable, right: UserDataTable) -> Bool {
        left.count == right.count && left.elements.allSatisfy { right[$0.key] == $0.value }
    }

    /// Hashes the number of records.
    public func hash(into hasher: inout Hasher) { hasher.combine(count) }
}
