internal import Books
internal import JSON
internal import Storage

/// What is the reader's own at a place in the journal, as a file that reads well without stacks: JSON with sorted keys, a
/// mark on each line.
struct Snapshot: Sendable {
    /// What is kept.
    var kept = UserDataState()
    /// Up to where in the journal.
    var position = Journal.Position.start
    /// The highest sequence number up to there.
    var sequence = 0
    /// The date of the last line up to there.
    var date = ""
    /// What is in it that is unknown here.
    var unknownMembers: [JSONValue.Member] = []
    /// The checksum that its file has; nil where that is wrong.
    var sum: UInt64?

    /// The version of the files that are written.
    static let version = 1
}

extension Snapshot {
    /// The file. Its second line has a checksum of the lines below it: what does not fit is damaged, or written by others.
    var bytes: [UInt8] {
        var members: [(key: String, bytes: [UInt8])] = [
            ("journal", journal.utf8Bytes),
            ("lastQuery", JSONValue(kept.queries.lastNumber).utf8Bytes),
            ("lastShelf", JSONValue(kept.shelves.lastNumber).utf8Bytes),
            ("marks", Self.array(of: markLines)),
            ("queries", Self.array(of: kept.queries.entries.map(\.line))),
            ("shelves", Self.array(of: kept.shelves.entries.map(\.line))),
            ("version", JSONValue(Self.version).utf8Bytes),
        ]
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

    /// What is before and behind the checksum.
    static let opening = Array(#"{\#n"checksum":""#.utf8)
    static let closing = Array("\",\n".utf8)
    /// How many bytes there are with the checksum, up to what it is of.
    static let headCount = opening.count + 16 + closing.count

    private var journal: JSONValue {
        let members: [(String, JSONValue)] = [
            ("date", .string(date)), ("head", .string(position.head.hexadecimal)),
            ("offset", JSONValue(position.offset)), ("sequence", JSONValue(sequence)),
            ("tail", .string(position.tail.hexadecimal)),
        ]
        return .object(members.map { JSONValue.Member(key: $0.0, value: $0.1) })
    }

    /// By the titles, so that a change of one mark is one line's in what compares two of these files.
    private var markLines: [[UInt8]] {
        let marks = kept.marks.map { (title: $0.value.title, identity: $0.key) }
        return marks.sorted { $0.title == $1.title ? $0.identity < $1.identity : $0.title < $1.title }
            .compactMap { kept.marks[$0.identity]?.line($0.identity) }
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
    /// The entry as the snapshot holds it.
    var line: [UInt8] {
        var members: [(String, JSONValue?)] = [
            ("id", .string(id)), ("name", .string(name)), ("sort", JSONValue(sort)), ("text", JSONValue(text)),
        ]
        members.add(unknownMembers)
        var writer = ObjectWriter()
        for (key, value) in members { writer.add(key, value) }
        return writer.ended()
    }

    /// The entry that `members` of a snapshot are; nil where they are none.
    init?(_ members: [JSONValue.Member]) {
        func text(_ key: String) -> String? { members.last { $0.key == key }?.value.string }
        guard let id = text("id"), let name = text("name") else { return nil }
        self.init(
            id: id, name: name, text: text("text"), sort: text("sort"),
            unknownMembers: members.filter { !["id", "name", "sort", "text"].contains($0.key) })
    }
}

extension JSONValue {
    /// The value as JSON.
    var utf8Bytes: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }
}
