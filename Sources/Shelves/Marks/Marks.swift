public import Books

/// Marks by the identities that their books had when they were first marked.
///
/// A dictionary of marks would have them far apart and most of its places empty: with a hundred thousand of them it takes ten
/// times as long to make.
public struct Marks: Sendable {
    /// A mark and the identity of its book.
    public typealias Element = (key: BookIdentity, value: UserBookData)

    private(set) var elements: [Element] = []
    private var places: [BookIdentity: UInt32] = [:]

    /// None.
    public init() {}

    /// These marks, of several with one identity the first.
    init(_ marks: [Element]) {
        var (first, second) = (marks, [Element]())
        self.init(taking: &first, &second)
    }

    /// The marks of `first`, of several with one identity the first, and those of `second`. They are taken out of where they are, and
    /// `first` is best made with room for all: a copy would cost more than all the rest.
    init(taking first: inout [Element], _ second: inout [Element]) {
        swap(&elements, &first)
        elements.reserveCapacity(elements.count + second.count)
        while let element = second.popLast() { elements.append(element) }
        places.reserveCapacity(elements.count)
        for place in elements.indices { places[elements[place].key] = UInt32(place) }
        if places.count < elements.count { removeDoubles() }
    }

    private mutating func removeDoubles() {
        let all = elements
        (elements, places) = ([], [:])
        for (identity, mark) in all where places[identity] == nil { append(mark, as: identity) }
    }

    /// How many there are.
    public var count: Int { elements.count }

    /// Whether there are none.
    public var isEmpty: Bool { elements.isEmpty }

    /// The mark of this identity; nil where there is none. Constant time.
    public subscript(identity: BookIdentity) -> UserBookData? { place(of: identity).map { elements[$0].value } }

    /// The marks, in any order.
    public var values: some Sequence<UserBookData> { elements.lazy.map(\.value) }

    /// Where the mark of `identity` is, until one is taken away; nil where there is none.
    func place(of identity: BookIdentity) -> Int? { places[identity].map(Int.init) }

    /// The mark at a place.
    subscript(place: Int) -> UserBookData {
        get { elements[place].value }
        _modify { yield &elements[place].value }
    }

    /// Adds a mark by an identity that none has.
    mutating func append(_ mark: consuming UserBookData, as identity: BookIdentity) {
        places[identity] = UInt32(elements.count)
        elements.append((identity, mark))
    }

    /// Takes away the mark at a place. The last one takes it.
    mutating func remove(at place: Int) {
        places[elements[place].key] = nil
        let last = elements.removeLast()
        guard place < elements.count else { return }
        elements[place] = last
        places[last.key] = UInt32(place)
    }
}

extension Marks: Sequence {
    /// Gives the marks with their identities, in any order.
    public func makeIterator() -> some IteratorProtocol<Element> { elements.makeIterator() }
}

extension Marks: Hashable {
    /// Whether both have the same marks, in whatever order.
    public static func == (left: Marks, right: Marks) -> Bool {
        left.count == right.count && left.elements.allSatisfy { right[$0.key] == $0.value }
    }

    /// Puts how many there are into `hasher`.
    public func hash(into hasher: inout Hasher) { hasher.combine(count) }
}
