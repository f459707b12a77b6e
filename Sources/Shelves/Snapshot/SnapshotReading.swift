internal import Books
internal import JSON
internal import Storage
internal import Threading

/// The result of reading a snapshot.
enum SnapshotReading: Sendable {
    /// The snapshot as it was written.
    case intact(Snapshot)
    /// The readable parts of a snapshot that is damaged or was changed by another program.
    case damaged(Snapshot)
    /// The readable parts of a snapshot written by a later version.
    case newer(Snapshot)

    /// Parses a snapshot.
    init(_ bytes: [UInt8]) {
        if let sum = Self.checksum(in: bytes), var snapshot = Self.lines(of: bytes) {
            snapshot.sum = sum
            self = snapshot.version > Snapshot.currentVersion ? .newer(snapshot) : .intact(snapshot)
        } else if let members = JSONValue(parsing: bytes)?.members {
            let snapshot = Self.snapshot(of: members)
            self = snapshot.version > Snapshot.currentVersion ? .newer(snapshot) : .damaged(snapshot)
        } else {
            self = .damaged(Self.remains(of: bytes))
        }
    }

    /// The snapshot or its readable parts.
    var snapshot: Snapshot {
        switch self {
        case .intact(let snapshot), .damaged(let snapshot), .newer(let snapshot): snapshot
        }
    }

    /// Returns the checksum of an intact snapshot, or nil if it does not match.
    static func checksum(in bytes: [UInt8]) -> UInt64? {
        guard bytes.count > Snapshot.headCount, bytes.starts(with: Snapshot.opening) else { return nil }
        let sum = Storage.checksum(of: bytes[Snapshot.headCount...])
        let head = Snapshot.opening + sum.hexadecimal.utf8 + Snapshot.closing
        return bytes.starts(with: head) ? sum : nil
    }

    /// Parses an intact snapshot, in which each member and each element of the long arrays has a line of its own.
    private static func lines(of bytes: [UInt8]) -> Snapshot? {
        var members: [JSONValue.Member] = []
        var books = UserDataTable()
        let isRead = bytes.withUnsafeBufferPointer { buffer in
            var lines = LineRanges(buffer, from: Snapshot.headCount)
            while let line = lines.next(), buffer[line.lowerBound] != UInt8(ascii: "}") {
                if buffer[line].elementsEqual("\"marks\":[".utf8) {
                    let start = lines.offset
                    let count = lines.skip(until: UInt8(ascii: "]"), in: buffer)
                    if count > 0 { books = Self.books(of: bytes, in: start..<lines.offset, count: count) }
                    if books.count < count { return false }
                } else {
                    var text = [UInt8(ascii: "{")]
                    text += buffer[line]
                    if text.last == UInt8(ascii: "[") {
                        while let element = lines.next() {
                            text += buffer[element]
                            if buffer[element.lowerBound] == UInt8(ascii: "]") { break }
                        }
                    }
                    if text.last == UInt8(ascii: ",") { text.removeLast() }
                    text.append(UInt8(ascii: "}"))
                    guard let member = JSONValue(parsing: text)?.members?.first else { return false }
                    members.append(member)
                }
            }
            return true
        }
        guard isRead, members.contains(where: { $0.key == "version" && $0.value.integer != nil }) else { return nil }
        return snapshot(of: members, books)
    }

    /// Parses `count` lines of user data in a range of `bytes`; invalid lines are skipped.
    private static func books(of bytes: [UInt8], in part: Range<Int>, count: Int) -> UserDataTable {
        // Parse half of the lines on another thread if they are many.
        let middle = part.lowerBound + part.count / 2
        let half = count > 2000 ? bytes[middle..<part.upperBound].firstIndex(of: UInt8(ascii: "\n")) : nil
        let end = half ?? part.upperBound
        let rest = half.map { half in
            BackgroundTask { _ in books(of: bytes, in: half..<part.upperBound, room: count / 2) }
        }
        // Reserve capacity for new records: moving all of them would delay the first key press.
        var first = books(of: bytes, in: part.lowerBound..<end, room: count + count / 8)
        var second = rest?.taken() ?? []
        return UserDataTable(taking: &first, &second)
    }

    /// Parses the lines of user data in a range of `bytes` in order, with capacity for `room` records.
    private static func books(of bytes: [UInt8], in part: Range<Int>, room: Int) -> [UserDataTable.Element] {
        var books: [UserDataTable.Element] = []
        books.reserveInLargePages(room)
        var catalog: String?
        // Slices of the array would make both threads count references.
        bytes.withUnsafeBufferPointer { bytes in
            let part = UnsafeBufferPointer(rebasing: bytes[part])
            for line in LineRanges(part) {
                let line = UnsafeBufferPointer(rebasing: part[line])
                if let element = bookData(in: line, sharing: &catalog) { books.append(element) }
            }
        }
        return books
    }

    private static func bookData(
        in line: UnsafeBufferPointer<UInt8>, sharing catalog: inout String?
    ) -> (BookIdentity, UserBookData)? {
        let end = line.last == UInt8(ascii: ",") ? line.count - 1 : line.count
        let line = UnsafeBufferPointer(rebasing: line[..<end])
        return ObjectScanner.reading(line, into: UserDataFields()) { $0.take($1, $2) }?.ended(sharing: &catalog)
    }

    private static func snapshot(
        of members: [JSONValue.Member], _ scanned: consuming UserDataTable = UserDataTable()
    ) -> Snapshot {
        var books = scanned
        var (shelves, queries): ([EntryList.Entry], [EntryList.Entry]) = ([], [])
        var (lastShelf, lastQuery) = (0, 0)
        var goals: [Int: Int] = [:]
        var catalog: String?
        var snapshot = Snapshot()
        for member in members {
            switch member.key {
            case "checksum": break
            case "goals":
                for goal in member.value.members ?? [] {
                    guard let year = Int(goal.key), let count = goal.value.integer, count >= 0 else { continue }
                    goals[year] = count
                }
            case "journal": snapshot.take(journal: member.value)
            case "lastQuery": lastQuery = member.value.integer ?? 0
            case "lastShelf": lastShelf = member.value.integer ?? 0
            case "marks":
                guard case .array(let values) = member.value else { continue }
                books = UserDataTable(
                    values.compactMap(\.members).compactMap { members in
                        var fields = UserDataFields()
                        for member in members { ScannedKey.with(member.key) { fields.take($0, .value(member.value)) } }
                        return fields.ended(sharing: &catalog)
                    })
            case "queries": queries = Self.entries(of: member.value) ?? queries
            case "shelves": shelves = Self.entries(of: member.value) ?? shelves
            case "version": snapshot.version = member.value.integer ?? 0
            default: snapshot.unknownMembers.append(member)
            }
        }
        snapshot.state = UserDataState(
            books: books, shelves: EntryList(shelves, lastNumber: lastShelf),
            queries: EntryList(queries, lastNumber: lastQuery), goals: goals)
        return snapshot
    }

    private static func entries(of value: JSONValue) -> [EntryList.Entry]? {
        guard case .array(let values) = value else { return nil }
        return values.compactMap(\.members).compactMap(EntryList.Entry.init)
    }

    /// Returns the data that single lines of a file still contain although it is no longer valid JSON.
    private static func remains(of bytes: [UInt8]) -> Snapshot {
        var books: [UserDataTable.Element] = []
        var shelves: [EntryList.Entry] = []
        var queries: [EntryList.Entry] = []
        var catalog: String?
        for line in Storage.lines(of: bytes[...]) {
            if let book = line.withUnsafeBufferPointer({ bookData(in: $0, sharing: &catalog) }) {
                books.append(book)
            } else {
                let line = line.last == UInt8(ascii: ",") ? line.dropLast() : line
                guard let entry = JSONValue(parsing: line)?.members.flatMap(EntryList.Entry.init) else { continue }
                if entry.text == nil { shelves.append(entry) } else { queries.append(entry) }
            }
        }
        var snapshot = Snapshot()
        snapshot.state = UserDataState(
            books: UserDataTable(books), shelves: EntryList(shelves, lastNumber: 0),
            queries: EntryList(queries, lastNumber: 0))
        return snapshot
    }
}

extension LineRanges {
    /// Skips to the line after the next one that begins with `byte`, or to the end.
    ///
    /// - Returns: The number of lines skipped before that line.
    fileprivate mutating func skip(until byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var count = 0
        while let line = next(), bytes[line.lowerBound] != byte { count += 1 }
        return count
    }
}

extension Snapshot {
    fileprivate mutating func take(journal: JSONValue) {
        func sum(_ key: String) -> UInt64? { journal[key]?.string.flatMap { UInt64($0, radix: 16) } }
        if let head = sum("head"), let tail = sum("tail"), let offset = journal["offset"]?.integer, offset >= 0 {
            position = Journal.Position(offset: offset, head: head, tail: tail)
        }
        sequence = journal["sequence"]?.integer ?? 0
        date = journal["date"]?.string ?? ""
    }
}
