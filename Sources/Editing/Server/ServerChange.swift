public import ConnectorProtocol
public import JSON

/// A change of a record in the copy of a library, to be made on its server.
public struct ServerChange: Hashable, Sendable {
    /// The record as the copy has it; nil for a new one.
    public var old: JSONValue?
    /// The record as it is to be; nil if it is to be deleted.
    public var new: JSONValue?

    /// Creates a change of a record; a new one has no `old`, one that is to be deleted no `new`.
    public init(old: JSONValue?, new: JSONValue?) { (self.old, self.new) = (old, new) }

    /// The title of the book.
    public var title: String { (new ?? old)?["title"]?.string ?? "" }

    /// The change as a row of a publication.
    public var row: [UInt8] {
        var writer = ObjectWriter()
        writer.add("old", old)
        writer.add("new", new)
        return writer.ended() + [UInt8(ascii: "\n")]
    }
}

/// A change that a server did not make.
public struct ServerRefusal: Hashable, Sendable {
    /// The title of the book.
    public var title: String
    /// The reason.
    public var row: RefusedRow

    /// Creates a refusal of the change of the book with this title.
    public init(title: String, row: RefusedRow) { (self.title, self.row) = (title, row) }

    /// Whether someone else changed or deleted the book on the server.
    public var isConflict: Bool { row.reason == .changed || row.reason == .gone }
}

extension CatalogEdit {
    /// The changes that this edit makes on a server.
    ///
    /// - Throws: `CatalogEditError.unordered` if it gives books other places.
    var serverChanges: [ServerChange] {
        get throws(CatalogEditError) {
            switch self {
            case .replace(let replacements):
                replacements.map {
                    ServerChange(old: JSONValue(parsing: $0.old), new: JSONValue(parsing: $0.new))
                }
            case .insert(let records): records.map { ServerChange(old: nil, new: JSONValue(parsing: $0.bytes)) }
            case .remove(let records): records.map { ServerChange(old: JSONValue(parsing: $0.bytes), new: nil) }
            case .move, .reorder: throw .unordered
            }
        }
    }
}
