internal import Graphemes
internal import JSON
internal import Library

/// The first titles of a publication, as a preview.
struct PublishedTitles: CustomStringConvertible {
    private var titles: [String] = []
    private var count = 0

    /// The maximum number of titles to name.
    private static let namedCount = 3

    /// Adds the titles of rows in JSON Lines with native fields.
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

    /// The first titles and the number of further ones, such as "Emma, Nana and 12 more".
    var description: String {
        let more = count - titles.count
        return titles.joined(separator: ", ") + (more > 0 ? " and \(more.grouped) more" : "")
    }
}
