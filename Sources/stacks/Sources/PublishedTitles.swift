internal import Graphemes
internal import JSON
internal import Library

/// The titles of the first books that are published, as a preview.
struct PublishedTitles: CustomStringConvertible {
    private var titles: [String] = []
    private var count = 0

    /// The number of titles that are named.
    private static let namedCount = 3

    /// Takes rows of JSON Lines in native form.
    mutating func take(_ rows: [UInt8]) {
        for row in rows.split(separator: UInt8(ascii: "\n")) {
            if titles.count < Self.namedCount {
                add(JSONValue(parsing: row)?["title"]?.string ?? "")
            } else {
                count += 1
            }
        }
    }

    /// Adds a title.
    mutating func add(_ title: String) {
        count += 1
        if titles.count < Self.namedCount { titles.append(title.isEmpty ? "(no title)" : title.sanitized) }
    }

    /// The titles, and how many more there are: "Emma, Nana and 12 more".
    var description: String {
        let more = count - titles.count
        return titles.joined(separator: ", ") + (more > 0 ? " and \(more.grouped) more" : "")
    }
}
