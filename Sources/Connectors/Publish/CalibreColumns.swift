internal import JSON

/// The custom columns of a calibre library.
struct CalibreColumns {
    /// The data types, keyed by the name of the column in requests, such as "#pages".
    private var types: [String: String] = [:]
    /// The names in requests, keyed by the heading of the column.
    private var names: [String: String] = [:]

    /// Parses the server's description of its custom columns.
    init(_ description: JSONValue) {
        for column in description.members ?? [] {
            guard let type = column.value["datatype"]?.string, type != "composite" else { continue }
            types[column.key] = type
            if let heading = column.value["name"]?.string { names[heading] = column.key }
        }
    }

    /// Returns the name in requests and the data type of the column for a member of a record; nil if there is no such
    /// column.
    ///
    /// The key of a column in a record is "*" and its label, or its heading. A series has a second member with the
    /// suffix "_index".
    func column(for key: String) -> (name: String, type: String)? {
        let name = key.hasPrefix("*") ? "#" + key.dropFirst() : names[key]
        if let name, let type = types[name] { return (name, type) }
        guard key.hasSuffix("_index"), let series = column(for: String(key.dropLast(6))), series.type == "series" else {
            return nil
        }
        return (series.name + "_index", "float")
    }
}
