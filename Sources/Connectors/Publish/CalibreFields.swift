internal import ConnectorProtocol
internal import JSON

/// A member of a record that a library has no place for, or cannot hold.
struct CalibreMisfit: Error, Hashable {
    /// Which of both it is.
    var reason: RefusedRow.Reason
    /// The key of the member.
    var key: String
}

/// The fields of a library on calibre's content server, as its requests have them.
///
/// Records are those of `CalibreServerBook`; stacks may have written members of them in another form, such as a list as one
/// text.
enum CalibreFields {
    /// A type that calibre writes in JSON as an object of its own.
    enum SpecialType: Int {
        case date = 0
        case metadata = 2
    }

    /// The key of the type in such objects, by which calibre recognizes them (calibre.utils.serialize).
    private static let typeKey = "jPoAv3zOyHvQ5JFNYg4hJ9"

    /// Returns a value as an object of its type.
    static func encoded(_ type: SpecialType, _ value: JSONValue) -> JSONValue {
        .object([.init(key: typeKey, value: JSONValue(type.rawValue)), .init(key: "v", value: value)])
    }

    /// The members that calibre sets itself.
    private static let own: Set<String> = ["id", "uuid", "last_modified"]
    /// The members that name files.
    private static let files: Set<String> = ["cover", "formats"]
    /// The years that calibre can hold: it takes the first of them for no date.
    private static let years = 102...9999

    /// Whether a member may differ without being changed by anybody.
    static func isVolatile(_ key: String) -> Bool { own.contains(key) || files.contains(key) }

    // MARK: - Requests

    /// Returns the name of a field and its value, for a member of a record; nil for what calibre sets itself.
    ///
    /// - Parameters:
    ///   - value: The value; nil to make the field empty.
    ///   - record: The record.
    static func field(
        _ key: String, _ value: JSONValue?, of record: JSONValue, in columns: CalibreColumns
    ) throws(CalibreMisfit) -> JSONValue.Member? {
        if own.contains(key) { return nil }
        if files.contains(key) { throw CalibreMisfit(reason: .noPlace, key: key) }
        let value = value.flatMap { $0.saysNothing ? nil : $0 }
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
                throw CalibreMisfit(reason: .noPlace, key: key)
            }
            return member(column.name, column.type == "datetime" ? try date(value, key) : value)
        }
    }

    /// calibre takes a number in brackets at the end of a name for the place within the series.
    private static func series(_ name: JSONValue, _ place: JSONValue?) -> JSONValue {
        guard let text = name.string, text.hasSuffix("]") else { return name }
        var number = "1"
        if case .number(let spelling)? = place { number = spelling }
        return .string("\(text) [\(number)]")
    }

    private static func number(_ value: JSONValue?, _ key: String) throws(CalibreMisfit) -> JSONValue? {
        guard let value else { return nil }
        guard let number = value.asNumber, number.isFinite else { throw CalibreMisfit(reason: .value, key: key) }
        if key == "series_index" { return .number(String(number)) }
        guard (0...10).contains(number) else { throw CalibreMisfit(reason: .value, key: key) }
        return JSONValue(Int(number.rounded()))
    }

    private static func date(_ value: JSONValue?, _ key: String) throws(CalibreMisfit) -> JSONValue? {
        guard let text = value?.asText?.string else { return nil }
        let day = day(text)
        guard let year = Int(day.prefix(4)), years.contains(year), day.utf8.count == 10 else {
            throw CalibreMisfit(reason: .value, key: key)
        }
        // At noon, it is the same day in nearly all time zones.
        let time = text.utf8.count > 10 ? String(text.dropFirst(11)) : "12:00:00+00:00"
        return encoded(.date, .string("\(day)T\(time)"))
    }

    /// Returns the first day that a date stands for, such as "1815-01-01" for "1815"; the text itself if it is none.
    private static func day(_ text: String) -> String {
        let day = String(text.prefix(10))
        return day + ["", "", "", "", "-01-01", "", "", "-01"].dropFirst(day.utf8.count).prefix(1).joined()
    }

    // MARK: - Lists

    /// Returns the items of a list, which a record may have as one text.
    private static func texts(of key: String, _ value: JSONValue?) -> [String] {
        var texts: [String] = []
        if let elements = value?.elements {
            texts = elements.compactMap { $0.asText?.string }
        } else if let text = value?.asText?.string {
            texts = text.split(separator: key == "authors" ? " & " : ", ").map(String.init)
        }
        // A record has "&" in a name twice. calibre has commas between tags and "&" between names, and semicolons in place
        // of those within one.
        switch key {
        case "authors": texts = texts.map { $0.replacing("&&", with: ";").replacing("&", with: ";") }
        case "tags": texts = texts.map { $0.replacing(",", with: ";") }
        default: break
        }
        return texts.map(\.withoutMargins).filter { !$0.isEmpty }
    }

    /// Returns the identifiers as calibre keeps them, in the order of their schemes.
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
            let name = scheme.lowercased().replacing(":", with: "").replacing(",", with: "").withoutMargins
            let value = value.replacing(",", with: "|").withoutMargins
            if !name.isEmpty, !value.isEmpty { clean[name] = value }
        }
        return clean.sorted { $0.key < $1.key }.map { .init(key: $0.key, value: .string($0.value)) }
    }

    /// Returns a record with its ISBN where calibre has it.
    static func withISBNAmongIdentifiers(_ record: JSONValue) -> JSONValue {
        guard let isbn = record["isbn"], case .object(let members) = record else { return record }
        let others = members.filter { $0.key != "isbn" && $0.key != "identifiers" }
        var known = identifiers(record["identifiers"])
        if !isbn.saysNothing {
            known.removeAll { $0.key == "isbn" }
            known.append(.init(key: "isbn", value: isbn))
        }
        return .object(others + [.init(key: "identifiers", value: .object(known))])
    }

    // MARK: - Comparison

    /// Whether a member has the same value in two records, as calibre keeps it.
    static func areSame(_ key: String, _ one: JSONValue?, _ other: JSONValue?) -> Bool {
        one == other || kept(key, one) == kept(key, other)
    }

    /// Returns the value of a member as calibre keeps it, so that two of them can be compared.
    private static func kept(_ key: String, _ value: JSONValue?) -> JSONValue? {
        guard let value, !value.saysNothing else { return nil }
        switch key {
        case "authors", "languages": return JSONValue(texts(of: key, value))
        case "tags": return JSONValue(Set(texts(of: key, value)).sorted())
        case "identifiers": return .object(identifiers(value))
        // What has a day only has no time to be compared.
        case "timestamp", "pubdate": return value.asText?.string.map { .string(day($0)) }
        default:
            if let number = value.asNumber { return .number(String(number)) }
            return value.string.map { .string($0.withoutMargins) } ?? value
        }
    }
}

extension JSONValue {
    /// Whether the value stands for none.
    fileprivate var saysNothing: Bool {
        switch self {
        case .null: true
        case .string(let text): text.withoutMargins.isEmpty
        case .array(let elements): elements.isEmpty
        case .object(let members): members.isEmpty
        case .number, .boolean: false
        }
    }

    /// The text of a string or number as a string.
    fileprivate var asText: JSONValue? {
        switch self {
        case .string: self
        case .number(let spelling): .string(spelling)
        default: nil
        }
    }

    /// The value of a number.
    fileprivate var asNumber: Double? { if case .number(let spelling) = self { Double(spelling) } else { nil } }
}

extension String {
    /// The text without white space around it.
    fileprivate var withoutMargins: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
