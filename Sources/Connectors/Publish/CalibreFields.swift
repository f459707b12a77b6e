internal import ConnectorProtocol
internal import JSON

/// The error for a member of a record that a calibre library cannot store.
struct CalibreFieldError: Error, Hashable {
    /// The reason: no column for the member, or an invalid value.
    var reason: RefusedRow.Reason
    /// The key of the member.
    var key: String
}

/// Converts members of records to fields in requests to calibre's content server.
///
/// Records have the form of `CalibreServerBook`, but stacks may have written a list as one string, for example.
enum CalibreFields {
    /// The types that calibre wraps in an object in JSON.
    enum SpecialType: Int {
        case date = 0
        case metadata = 2
    }

    /// The key of the type in these objects (calibre.utils.serialize).
    private static let typeKey = "jPoAv3zOyHvQ5JFNYg4hJ9"

    /// Returns a value wrapped in an object with its type.
    static func encoded(_ type: SpecialType, _ value: JSONValue) -> JSONValue {
        .object([.init(key: typeKey, value: JSONValue(type.rawValue)), .init(key: "v", value: value)])
    }

    /// The members that only calibre can set.
    private static let readOnlyKeys: Set<String> = ["id", "uuid", "last_modified"]
    /// The members with names of files.
    private static let fileKeys: Set<String> = ["cover", "formats"]
    /// The years that calibre can store; it uses the year 101 for an unknown date.
    private static let years = 102...9999
    /// The text that calibre has for no date, which copies may contain.
    private static let noDate = "None"

    /// Returns whether a member can differ without an edit by a user.
    static func isVolatile(_ key: String) -> Bool { readOnlyKeys.contains(key) || fileKeys.contains(key) }

    // MARK: - Requests

    /// Returns the field and value for a member of a record; nil for a member that only calibre can set.
    ///
    /// - Parameters:
    ///   - value: The value; nil clears the field.
    ///   - record: The record that contains the member.
    static func field(
        _ key: String, _ value: JSONValue?, of record: JSONValue, in columns: CalibreColumns
    ) throws(CalibreFieldError) -> JSONValue.Member? {
        if readOnlyKeys.contains(key) { return nil }
        if fileKeys.contains(key) { throw CalibreFieldError(reason: .noPlace, key: key) }
        let value = value.flatMap { $0.isEmpty ? nil : $0 }
        func member(_ name: String, _ value: JSONValue?) -> JSONValue.Member {
            .init(key: name, value: value ?? .null)
        }
        switch key {
        case "title", "publisher", "author_sort", "comments": return member(key, value?.asText)
        case "title_sort", "sort": return member("sort", value?.asText)
        case "series": return member(key, value?.asText.map { series($0, record["series_index"]) })
        case "series_index", "rating": return member(key, try number(value, key))
        case "authors", "tags", "languages": return member(key, JSONValue(texts(of: key, value)))
        case "timestamp", "pubdate": return member(key, try date(value, key))
        case "identifiers": return member(key, .object(identifiers(value)))
        default:
            guard let column = columns.column(for: key) else {
                if value == nil { return nil }
                throw CalibreFieldError(reason: .noPlace, key: key)
            }
            return member(column.name, column.type == "datetime" ? try date(value, key) : value)
        }
    }

    /// Returns the name of a series. calibre parses a number in brackets at the end of a name as the position in the
    /// series, so a name that ends in "]" needs one.
    private static func series(_ name: JSONValue, _ place: JSONValue?) -> JSONValue {
        guard let text = name.string, text.hasSuffix("]") else { return name }
        var number = "1"
        if case .number(let spelling)? = place { number = spelling }
        return .string("\(text) [\(number)]")
    }

    private static func number(_ value: JSONValue?, _ key: String) throws(CalibreFieldError) -> JSONValue? {
        guard let value else { return nil }
        guard let number = value.asNumber, number.isFinite else { throw CalibreFieldError(reason: .value, key: key) }
        if key == "series_index" { return .number(String(number)) }
        guard (0...10).contains(number) else { throw CalibreFieldError(reason: .value, key: key) }
        return JSONValue(Int(number.rounded()))
    }

    private static func date(_ value: JSONValue?, _ key: String) throws(CalibreFieldError) -> JSONValue? {
        guard let text = value?.asText?.string, text != noDate else { return nil }
        let day = day(text)
        guard let year = Int(day.prefix(4)), years.contains(year), day.utf8.count == 10 else {
            throw CalibreFieldError(reason: .value, key: key)
        }
        // Noon in UTC is the same day in nearly all time zones.
        let time = text.utf8.count > 10 ? String(text.dropFirst(11)) : "12:00:00+00:00"
        return encoded(.date, .string("\(day)T\(time)"))
    }

    /// Returns the first day of a date, such as "1815-01-01" for "1815"; any other text unchanged.
    private static func day(_ text: String) -> String {
        let day = String(text.prefix(10))
        return day + ["", "", "", "", "-01-01", "", "", "-01"].dropFirst(day.utf8.count).prefix(1).joined()
    }

    // MARK: - Lists

    /// Returns the items of a list, which may be an array or one string.
    private static func texts(of key: String, _ value: JSONValue?) -> [String] {
        var texts: [String] = []
        if let elements = value?.elements {
            texts = elements.compactMap { $0.asText?.string }
        } else if let text = value?.asText?.string {
            texts = text.split(separator: key == "authors" ? " & " : ", ").map(String.init)
        }
        // Records double a "&" within a name. calibre separates names with "&" and tags with commas, and replaces these
        // characters within a name or tag with semicolons.
        switch key {
        case "authors": texts = texts.map { $0.replacing("&&", with: ";").replacing("&", with: ";") }
        case "tags": texts = texts.map { $0.replacing(",", with: ";") }
        default: break
        }
        return texts.map(\.trimmingWhitespace).filter { !$0.isEmpty }
    }

    /// Returns the identifiers as calibre stores them, sorted by scheme.
    private static func identifiers(_ value: JSONValue?) -> [JSONValue.Member] {
        var pairs: [(String, String)] = []
        if let members = value?.members {
            pairs = members.compactMap { member in member.value.asText?.string.map { (member.key, $0) } }
        } else {
            for text in texts(of: "identifiers", value) {
                let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
                if parts.count == 2 { pairs.append((parts[0], parts[1])) }
            }
        }
        var clean: [String: String] = [:]
        for (scheme, value) in pairs {
            let name = scheme.lowercased().replacing(":", with: "").replacing(",", with: "").trimmingWhitespace
            let value = value.replacing(",", with: "|").trimmingWhitespace
            if !name.isEmpty, !value.isEmpty { clean[name] = value }
        }
        return clean.sorted { $0.key < $1.key }.map { .init(key: $0.key, value: .string($0.value)) }
    }

    /// Returns a record with its ISBN moved to the identifiers, where calibre stores it.
    static func withISBNAmongIdentifiers(_ record: JSONValue) -> JSONValue {
        guard let isbn = record["isbn"], case .object(let members) = record else { return record }
        let others = members.filter { $0.key != "isbn" && $0.key != "identifiers" }
        var known = identifiers(record["identifiers"])
        if !isbn.isEmpty {
            known.removeAll { $0.key == "isbn" }
            known.append(.init(key: "isbn", value: isbn))
        }
        return .object(others + [.init(key: "identifiers", value: .object(known))])
    }

    // MARK: - Comparison

    /// Returns whether calibre stores the same value for a member of two records.
    static func areSame(_ key: String, _ one: JSONValue?, _ other: JSONValue?) -> Bool {
        one == other || normalized(key, one) == normalized(key, other)
    }

    /// Returns the value of a member in a normal form for comparison.
    private static func normalized(_ key: String, _ value: JSONValue?) -> JSONValue? {
        guard let value, !value.isEmpty else { return nil }
        switch key {
        case "authors", "languages": return JSONValue(texts(of: key, value))
        case "tags": return JSONValue(Set(texts(of: key, value)).sorted())
        case "identifiers": return .object(identifiers(value))
        // Only days are compared, because a date may have no time.
        case "timestamp", "pubdate":
            return value.asText?.string.flatMap { $0 == noDate ? nil : .string(day($0)) }
        default:
            if let number = value.asNumber { return .number(String(number)) }
            return value.string.map { .string($0.trimmingWhitespace) } ?? value
        }
    }
}

extension JSONValue {
    /// Whether the value is empty.
    fileprivate var isEmpty: Bool {
        switch self {
        case .null: true
        case .string(let text): text.trimmingWhitespace.isEmpty
        case .array(let elements): elements.isEmpty
        case .object(let members): members.isEmpty
        case .number, .boolean: false
        }
    }

    /// A string or number as a string; nil for other values.
    fileprivate var asText: JSONValue? {
        switch self {
        case .string: self
        case .number(let spelling): .string(spelling)
        default: nil
        }
    }

    /// The value of a number; nil for other values.
    fileprivate var asNumber: Double? { if case .number(let spelling) = self { Double(spelling) } else { nil } }
}

extension String {
    /// The text without leading and trailing white space, as defined by Unicode.
    fileprivate var trimmingWhitespace: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
