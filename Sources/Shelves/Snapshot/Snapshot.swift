internal import Books
internal import JSON
internal import Storage

/// The user data at a position of the journal, as a readable file: JSON with sorted keys, one line per book.
struct Snapshot: Sendable {
    /// The user data.
    var state = UserDataState()
    /// The position in the journal.
    var position = Journal.Position.start
    /// The highest sequence number before the position.
    var sequence = 0
    /// The date of the last line before the position.
    var date = ""
    /// Members that this version does not know.
    var unknownMembers: [JSONValue.Member] = []
    /// The checksum of the file; nil if it does not match.
    var sum: UInt64?
    /// The version of the format of the file.
    var version = 0

    /// The latest version of the format. Since version 2 the journal may have lines of several books, which earlier
    /// versions of the program skip, since version 3 the readings of a book, of which they know only the last days, and
    /// since version 4 goals and books that are not the same; the number keeps them from writing a snapshot that lacks these changes.
    static let currentVersion = 4

    /// The version that is written until there is something that only the current one has, so that the version of the
    /// program before still saves.
    static let commonVersion = 3
}

extension Snapshot {
    /// The content of the file. Its second line has a checksum of the lines below, which detects damage and edits by
    /// other programs.
    var bytes: [UInt8] {
        var members: [(key: String, bytes: [UInt8])] = [
            ("journal", journal.utf8Bytes),
            ("lastQuery", JSONValue(state.queries.lastNumber).utf8Bytes),
            ("lastShelf", JSONValue(state.shelves.lastNumber).utf8Bytes),
            ("marks", Self.array(of: bookLines)),
            ("queries", Self.array(of: state.queries.entries.map(\.line))),
            ("shelves", Self.array(of: state.shelves.entries.map(\.line))),
            ("version", JSONValue(version).utf8Bytes),
        ]
        if !state.goals.isEmpty { members.append(("goals", goals.utf8Bytes)) }
        let known = Set(members.map(\.key))
        members += unknownMembers.filter { !known.contains($0.key) }.map { ($0.key, $0.value.utf8Bytes) }
        members.sort { $0.key < $1.key }
        var body: [UInt8] = []
        body.reserveCapacity(members.reduce(1000) { $0 + $1.bytes.count })
        for (index, member) in members.enumerated() {
            if index > 0 { body += [UInt8(ascii: ","), UInt8(ascii: "\n")] }
            body += JSONValue.string(member.key).utf8Bytes
            body.append(UInt8(ascii: ":"))
            body += member.bytes
        }
        body += "\n}\n".utf8
        return Self.opening + checksum(of: body).hexadecimal.utf8 + Self.closing + body
    }

    /// The bytes before and after the checksum.
    static let opening = Array(#"{\#n"checksum":""#.utf8)
    static let closing = Array("\",\n".utf8)
    /// The number of bytes up to the first one that the checksum covers.
    static let headCount = opening.count + 16 + closing.count

    private var journal: JSONValue {
        let members: [(String, JSONValue)] = [
            ("date", .string(date)), ("head", .string(position.head.hexadecimal)),
            ("offset", JSONValue(position.offset)), ("sequence", JSONValue(sequence)),
            ("tail", .string(position.tail.hexadecimal)),
        ]
        return .object(members.map { JSONValue.Member(key: $0.0, value: $0.1) })
    }

    private var goals: JSONValue {
        .object(state.goals.sorted { $0.key < $1.key }.map { .init(key: String($0.key), value: JSONValue($0.value)) })
    }

    /// Sorted by title, so that a change of one book changes one line in a diff.
    private var bookLines: [[UInt8]] {
        let books = state.books.map { (title: $0.value.title, identity: $0.key) }
        return books.sorted { $0.title == $1.title ? $0.identity < $1.identity : $0.title < $1.title }
            .compactMap { state.books[$0.identity]?.line($0.identity) }
    }

    private static func array(of lines: [[UInt8]]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(lines.reduce(10) { $0 + $1.count + 2 })
        bytes += "[\n".utf8
        for (index, line) in lines.enumerated() {
            bytes += line
            if index < lines.count - 1 { bytes.append(UInt8(ascii: ",")) }
            bytes.append(UInt8(ascii: "\n"))
        }
        bytes.append(UInt8(ascii: "]"))
        return bytes
    }
}

extension EntryList.Entry {
    /// The entry as stored in the snapshot.
    var line: [UInt8] {
        var members: [(String, JSONValue?)] = [
            ("id", .string(id)), ("name", .string(name)), ("sort", JSONValue(sort)), ("text", JSONValue(text)),
        ]
        members.add(unknownMembers)
        var writer = ObjectWriter()
        for (key, value) in members { writer.add(key, value) }
        return writer.ended()
    }

    /// Parses an entry of the snapshot; fails without an id and a name.
    init?(_ members: [JSONValue.Member]) {
        func text(_ key: String) -> String? { members.last { $0.key == key }?.value.string }
        guard let id = text("id"), let name = text("name") else { return nil }
        self.init(
            id: id, name: name, text: text("text"), sort: text("sort"),
            unknownMembers: members.filter { !["id", "name", "sort", "text"].contains($0.key) })
    }
}

extension JSONValue {
    /// The value as JSON in UTF-8.
    var utf8Bytes: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }
}
