public import Books
public import Indexing
public import Shelves

/// Finds the user data that must move when books are edited: that of books whose title, authors or ISBN change, and
/// that of their duplicates. Duplicates have the same keys and are distinguished by their order, which changes when
/// one of them is added, removed or moved.
public struct UserDataFollower {
    /// A book with one of the affected keys, before the edit.
    private struct Member {
        var id: BookID
        var identity: BookIdentity
        var identities: [BookIdentity]
    }

    /// The key and position of a book after the edit.
    public struct Outcome {
        /// The key of its identity.
        var key: BookIdentity.Key
        /// The position in the catalog, relative to other books.
        var position: Double

        /// Creates the outcome of a book with `keys` at a position.
        public init(keys: MatchKeys, position: Double) { (key, self.position) = (keys.identifying, position) }
    }

    private var members: [Member] = []

    /// The number of duplicates that are checked for user data before all user data is located.
    private static let occurrenceCount = 8

    /// Finds the affected user data; must be called before the edit.
    ///
    /// - Parameters:
    ///   - ids: The books that are edited.
    ///   - newKeys: The changed keys of these books, and the keys of new books.
    ///   - index: The books before the edit.
    ///   - userData: All user data.
    ///   - located: Returns the locations of the user data; called only if some is affected.
    public init(
        of ids: [BookID], getting newKeys: [MatchKeys] = [], in index: BookIndex, _ userData: UserData,
        at located: () -> UserDataIndex
    ) {
        if userData.isEmpty || ids.isEmpty && newKeys.isEmpty { return }
        let keys = Set(ids.map { index.keys(of: $0).identifying } + newKeys.map(\.identifying))
        let known = located()
        let hasData =
            ids.contains { !known.identities(of: $0).isEmpty }
            || keys.contains { key in
                (1...Self.occurrenceCount).contains { number in
                    userData.books[BookIdentity(key: key, occurrence: number)] != nil
                }
            }
        if !hasData { return }
        let lookup = BookLookup(of: keys, in: index)
        for key in keys {
            // A hash also matches books that are identified by their ISBN.
            let books = lookup.ids(with: key).filter { index.keys(of: $0).identifying == key }
            for (number, id) in books.enumerated() {
                members.append(
                    Member(
                        id: id, identity: BookIdentity(key: key, occurrence: number + 1),
                        identities: known.identities(of: id)))
            }
        }
    }

    /// Whether no user data is affected.
    public var isEmpty: Bool { members.allSatisfy(\.identities.isEmpty) }

    /// Returns the moves of the user data; must be called after the edit.
    ///
    /// - Parameters:
    ///   - outcome: Returns the outcome of a book; nil if it is deleted.
    ///   - new: The books that were added.
    ///   - catalog: The path of the catalog.
    ///   - book: Returns a book after the edit, or before it if it is deleted.
    public func moves(
        _ outcome: (BookID) -> Outcome?, adding new: [Outcome] = [], catalog: String?, book: (BookID) -> Book?
    ) -> [UserDataMove] {
        if isEmpty { return [] }
        var positions: [BookIdentity.Key: [(position: Double, member: Int?)]] = [:]
        for (number, member) in members.enumerated() {
            if let outcome = outcome(member.id) {
                positions[outcome.key, default: []].append((outcome.position, number))
            }
        }
        for outcome in new { positions[outcome.key, default: []].append((outcome.position, nil)) }
        var targets = [BookIdentity?](repeating: nil, count: members.count)
        for (key, positions) in positions {
            for (number, position) in positions.sorted(by: { $0.position < $1.position }).enumerated() {
                if let member = position.member { targets[member] = BookIdentity(key: key, occurrence: number + 1) }
            }
        }
        // The user data of a deleted book gets the number after its duplicates.
        var counts = positions.mapValues(\.count)
        for (number, member) in members.enumerated() where targets[number] == nil {
            let key = member.identity.key
            guard let count = counts[key], !member.identities.isEmpty else { continue }
            targets[number] = BookIdentity(key: key, occurrence: count + 1)
            counts[key] = count + 1
        }
        return zip(members, targets).compactMap { member, target in
            guard let target, target != member.identity, !member.identities.isEmpty, let book = book(member.id) else {
                return nil
            }
            return UserDataMove(identities: member.identities, book: book, identity: target, catalog: catalog)
        }
    }
}
