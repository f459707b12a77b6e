internal import JSON

/// The columns that a calibre library has besides those of all libraries.
struct CalibreColumns {
    /// The type of each column by its name in requests, such as "#pages".
    private var types: [String: String] = [:]
    /// The names in requests by the headings.
    private var names: [String: String] = [:]

    /// Reads the columns as the server describes them.
    init(_ description: JSONValue) {
        for column in description.members ?? [] {
            guard let type = column.value["datatype"]?.string, type != "composite" else { continue }
            types[column.key] = type
            if let heading = column.value["name"]?.string { names[heading] = column.key }
        }
    }

    /// Returns the name in requests of the column for a member of a record, and its type; nil if there is none.
    ///
    /// A record has a column under its label after "*", or under its heading; the place within a series ends in "_index".
    func column(for key: String) -> (name: String, type: String)? {
        let name = key.hasPrefix("*") ? "#" + key.dropFirst() : names[key]
        if let name, let type = types[name] { return (name, type) }
        guard key.hasSuffix("_index"), let series = column(for: String(key.dropLast(6))), series.type == "series" else {
            return nil
        }
        return (series.name + "_index", "float")
    }
}
