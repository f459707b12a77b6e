internal import JSON
internal import Storage
internal import Threading

/// A reversible change of the records of a catalog.
///
/// Positions count the records of the edited catalog from 0, at the time of the edit; if others have changed the file
/// in the meantime, the records are searched for.
enum CatalogEdit: Hashable, Sendable {
    /// Replaces the bytes of records; the positions ascend.
    case replace([Replacement])
    /// Inserts records; the positions are the new ones, and ascend.
    case insert([PlacedRecord])
    /// Removes records; the positions are the old ones, and ascend.
    case remove([PlacedRecord])
    /// Moves a record.
    case move(Move)
    /// Reorders all records.
    case reorder(Reordering)

    /// A replacement of a record's bytes.
    struct Replacement: Hashable, Sendable {
        var position: Int
        var old: [UInt8]
        var new: [UInt8]
    }

    /// A record at a position.
    struct PlacedRecord: Hashable, Sendable {
        var position: Int
        var bytes: [UInt8]
        /// The bytes of the previous record; nil for the first record.
        var neighbour: [UInt8]?
        /// The text around the record, if it is known.
        var surroundings: RecordSurroundings?
    }

    /// A move of a record.
    struct Move: Hashable, Sendable {
        var bytes: [UInt8]
        /// The old position.
        var from: Int
        /// The new position.
        var to: Int
        /// Whether the record belongs to the previous one, and not to the next one, if there are items between them that
        /// are not records; nil if it belongs to the one that it passed last.
        var isBehind: Bool?
        /// The text around the record at the old position, if it is known.
        var source: RecordSurroundings?
        /// The text around the record at the new position, if it is known.
        var target: RecordSurroundings?

        /// The move back.
        var reversed: Move {
            Move(bytes: bytes, from: to, to: from, isBehind: isBehind, source: target, target: source)
        }
    }

    /// A new order of all records.
    struct Reordering: Hashable, Sendable {
        /// For each new position, the old number of the record.
        var order: [Int]
        /// The checksums of the books in the old and the new order.
        var before: UInt64
        var after: UInt64

        /// Creates an order; fails if `order` is not a permutation.
        init?(order: [Int], before: UInt64, after: UInt64) {
            var isTaken = [Bool](repeating: false, count: order.count)
            for number in order {
                guard order.indices.contains(number), !isTaken[number] else { return nil }
                isTaken[number] = true
            }
            (self.order, self.before, self.after) = (order, before, after)
        }

        /// The inverse order.
        var reversed: Reordering {
            var reversed = self
            for (position, number) in order.enumerated() { reversed.order[number] = position }
            (reversed.before, reversed.after) = (after, before)
            return reversed
        }
    }

    /// The edit that reverses this one.
    var reversed: CatalogEdit {
        switch self {
        case .replace(let replacements):
            .replace(replacements.map { Replacement(position: $0.position, old: $0.new, new: $0.old) })
        case .insert(let records): .remove(records)
        case .remove(let records): .insert(records)
        case .move(let move): .move(move.reversed)
        case .reorder(let order): .reorder(order.reversed)
        }
    }

    /// The number of changed books.
    var bookCount: Int {
        switch self {
        case .replace(let replacements): replacements.count
        case .insert(let records), .remove(let records): records.count
        case .move: 1
        case .reorder(let order): order.order.count
        }
    }
}

// MARK: - In the journal

extension CatalogEdit {
    /// Appends the edit as it is journalled. The bytes of records are strings, so that white space and the spelling of
    /// numbers and escapes can be restored.
    ///
    /// An edit of many books is large, so that it is written without a JSON value of all of it.
    func append(to bytes: inout [UInt8]) {
        ObjectWriter.append(to: &bytes) { writer in
            switch self {
            case .replace(let replacements):
                // Several threads write them, as the records of a bulk edit are many.
                let parts = ThreadPool.shared.map(replacements.count, by: Self.writtenCount) { numbers in
                    var bytes: [UInt8] = []
                    for number in numbers {
                        if number > numbers.lowerBound { bytes.append(UInt8(ascii: ",")) }
                        replacements[number].append(to: &bytes)
                    }
                    return bytes
                }
                writer.add("replace", each: parts) { $1 += $0 }
            case .insert(let records): writer.add("insert", each: records) { $0.append(to: &$1) }
            case .remove(let records): writer.add("remove", each: records) { $0.append(to: &$1) }
            case .move(let move):
                writer.add("move") { writer in
                    writer.add("from", JSONValue(move.from))
                    writer.add("to", JSONValue(move.to))
                    writer.add("record", .bytes(move.bytes))
                    if let isBehind = move.isBehind { writer.add("behind", .boolean(isBehind)) }
                    if let source = move.source { writer.add("source") { source.append(to: &$0) } }
                    if let target = move.target { writer.add("target") { target.append(to: &$0) } }
                }
            case .reorder(let reordering):
                writer.add("reorder") { writer in
                    writer.add("order", each: reordering.order) { $1 += String($0).utf8 }
                    writer.add("before", reordering.before.hexadecimal)
                    writer.add("after", reordering.after.hexadecimal)
                }
            }
        }
    }

    /// The number of replacements that a thread writes at a time.
    private static let writtenCount = 512

    /// Parses an edit of a journal; fails if it is damaged.
    init?(json: JSONValue) {
        guard let member = json.members?.first else { return nil }
        switch member.key {
        case "replace":
            guard let replacements = member.value.elements?.map(Replacement.init(json:)), !replacements.contains(nil)
            else {
                return nil
            }
            self = .replace(replacements.compactMap(\.self))
        case "insert", "remove":
            guard let records = member.value.elements?.map(PlacedRecord.init(json:)), !records.contains(nil) else {
                return nil
            }
            let known = records.compactMap(\.self)
            self = member.key == "insert" ? .insert(known) : .remove(known)
        case "move":
            guard let from = member.value["from"]?.integer, let to = member.value["to"]?.integer,
                let bytes = member.value["record"]?.bytes, from >= 0, to >= 0
            else { return nil }
            self = .move(
                Move(
                    bytes: bytes, from: from, to: to, isBehind: member.value["behind"]?.boolean,
                    source: member.value["source"].flatMap(RecordSurroundings.init(json:)),
                    target: member.value["target"].flatMap(RecordSurroundings.init(json:))))
        case "reorder":
            func sum(_ key: String) -> UInt64? { member.value[key]?.string.flatMap { UInt64($0, radix: 16) } }
            guard let numbers = member.value["order"]?.elements?.map(\.integer), !numbers.contains(nil),
                let before = sum("before"), let after = sum("after"),
                let reordering = Reordering(order: numbers.compactMap(\.self), before: before, after: after)
            else { return nil }
            self = .reorder(reordering)
        default: return nil
        }
    }
}

extension CatalogEdit.Replacement {
    fileprivate func append(to bytes: inout [UInt8]) {
        ObjectWriter.append(to: &bytes) { writer in
            writer.add("at", JSONValue(position))
            writer.add("old", .bytes(old))
            writer.add("new", .bytes(new))
        }
    }

    fileprivate init?(json: JSONValue) {
        guard let position = json["at"]?.integer, position >= 0, let old = json["old"]?.bytes,
            let new = json["new"]?.bytes
        else { return nil }
        self.init(position: position, old: old, new: new)
    }
}

extension CatalogEdit.PlacedRecord {
    fileprivate func append(to bytes: inout [UInt8]) {
        ObjectWriter.append(to: &bytes) { writer in
            writer.add("at", JSONValue(position))
            writer.add("record", .bytes(self.bytes))
            surroundings?.append(to: &writer)
            if let neighbour { writer.add("behind", .bytes(neighbour)) }
        }
    }

    fileprivate init?(json: JSONValue) {
        guard let position = json["at"]?.integer, position >= 0, let bytes = json["record"]?.bytes else { return nil }
        self.init(
            position: position, bytes: bytes, neighbour: json["behind"]?.bytes,
            surroundings: RecordSurroundings(json: json))
    }
}

extension JSONValue {
    /// Encodes bytes as a string, or as an array of numbers if they are not UTF-8.
    static func bytes(_ bytes: [UInt8]) -> JSONValue {
        String(validating: bytes, as: UTF8.self).map(JSONValue.string) ?? .array(bytes.map { JSONValue(Int($0)) })
    }

    /// The decoded bytes.
    var bytes: [UInt8]? {
        if let string { return Array(string.utf8) }
        guard let numbers = elements?.map({ $0.integer.flatMap(UInt8.init(exactly:)) }), !numbers.contains(nil) else {
            return nil
        }
        return numbers.compactMap(\.self)
    }
}
