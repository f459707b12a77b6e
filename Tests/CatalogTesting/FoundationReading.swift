import Foundation

@testable internal import Books

/// The books of a catalog according to Foundation's decoder and a simple reader of the native fields, which shares no
/// code with the tested one.
struct FoundationReading {
    /// The books in catalog order.
    private(set) var books: [Book] = []
    /// The number of values that are not books.
    private(set) var omissionCount = 0

    /// Reads the transcript of a catalog.
    init(_ catalog: RandomCatalog) throws {
        for value in try Self.records(of: catalog) {
            if let book = Self.book(value) { books.append(book) } else { omissionCount += 1 }
        }
    }

    private static func decode(_ text: some Sequence<UInt8>) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)
    }

    private static func records(of catalog: RandomCatalog) throws -> [Any] {
        struct Missing: Error {}
        switch catalog.layout {
        case .lines:
            return try catalog.transcript.split(whereSeparator: { $0 == 0x0A }).filter { line in
                line.contains { $0 > 0x20 }
            }.map(decode)
        case .document: return [try decode(catalog.transcript)]
        case .array, .wrapped:
            var value = try decode(catalog.transcript)
            for key in catalog.path {
                guard let inner = (value as? [String: Any])?[key] else { throw Missing() }
                value = inner
            }
            guard let array = value as? [Any] else { throw Missing() }
            return array
        case .members:
            guard let object = try decode(catalog.transcript) as? [String: Any] else { throw Missing() }
            return try catalog.keys.map { key in
                guard let value = object[key] else { throw Missing() }
                return value
            }
        }
    }

    private enum Kind: Character {
        case null = "n"
        case boolean = "b"
        case number = "1"
        case string = "s"
        case array = "a"
        case object = "o"

        init(of value: Any) {
            switch value {
            case is NSNull: self = .null
            case is String: self = .string
            case is [Any]: self = .array
            case is [String: Any]: self = .object
            case let number as NSNumber: self = String(cString: number.objCType) == "c" ? .boolean : .number
            default: preconditionFailure("JSON has no \(type(of: value))")
            }
        }
    }

    private static let acceptedKinds = [
        "title": "s1ao", "authors": "sao", "isbn": "s1a", "pageCount": "s1", "fiction": "bs1",
    ]

    /// Returns the book in a value, or nil if the value is not an object or all fields have wrong types.
    private static func book(_ value: Any) -> Book? {
        guard let object = value as? [String: Any] else { return nil }
        var isAnyAccepted = false
        var isAnyRefused = false
        for (key, kinds) in acceptedKinds {
            guard let value = object[key] else { continue }
            let kind = Kind(of: value)
            if kinds.contains(kind.rawValue) { isAnyAccepted = true } else if kind != .null { isAnyRefused = true }
        }
        if isAnyRefused && !isAnyAccepted { return nil }
        return Book(
            title: object["title"].flatMap(text) ?? "", authors: object["authors"].map(authors) ?? [],
            isbn: object["isbn"].flatMap(isbn), pageCount: object["pageCount"].flatMap(pages),
            fiction: object["fiction"].flatMap { value in
                switch Kind(of: value) {
                case .boolean: value as? Bool
                // The only word that the random catalogs contain.
                case .string: (value as? String) == "yes" ? true : nil
                default: nil
                }
            })
    }

    /// Returns the first valid ISBN among the texts, or else the first text; identifiers of other schemes are ignored.
    private static func isbn(_ value: Any) -> ISBN? {
        func texts(_ value: Any) -> [String] {
            switch value {
            case let array as [Any]: array.flatMap(texts)
            case let object as [String: Any]: object.values.flatMap(texts)
            default: text(value).map { [$0] } ?? []
            }
        }
        // A number rounded by a spreadsheet is not an ISBN.
        let wholes = texts(value).filter {
            $0.range(of: "^[0-9.]+e[+-]?[0-9]+$", options: [.regularExpression, .caseInsensitive]) == nil
        }
        let isbns = wholes.filter { text in
            text.range(
                of: "^(?!isbn|urn:isbn)[a-z][a-z0-9+.-]{0,30}:[^ ]", options: [.regularExpression, .caseInsensitive])
                == nil
        }.flatMap { text in
            // If there are more digits than one number has, each word may be a number.
            [text] + (text.count(where: \.isNumber) > 13 ? text.split(separator: " ").map(String.init) : [])
        }.map(ISBN.init)
        return isbns.first(where: \.isValid) ?? isbns.first
    }

    private static func text(_ value: Any) -> String? {
        switch value {
        case let string as String:
            let blanks = Set(" \t\n\u{0B}\u{0C}\r\u{85}\u{2028}\u{2029}".unicodeScalars)
            let words = string.unicodeScalars.split(whereSeparator: blanks.contains)
            return words.isEmpty ? nil : words.map { String(Substring($0)) }.joined(separator: " ")
        case let array as [Any]: return array.lazy.compactMap(text).first
        case let object as [String: Any]: return object.values.lazy.compactMap(text).first
        // Numbers that are read as text are strings in a transcript.
        default: return nil
        }
    }

    /// Returns the authors; a string may have several names.
    private static func authors(_ value: Any) -> [String] {
        (value as? String).map { ListedName.names(in: $0).map(\.text) } ?? names(value)
    }

    private static func names(_ value: Any) -> [String] {
        switch value {
        case let array as [Any]: return array.flatMap(names)
        case let person as [String: Any]:
            if let name = person["name"].flatMap(text) ?? person["literal"].flatMap(text) { return [name] }
            let parts = ["given", "family"].compactMap { person[$0].flatMap(text) }
            return parts.isEmpty ? [] : [parts.joined(separator: " ")]
        case is String: return text(value).map { [$0] } ?? []
        default: return []
        }
    }

    private static func pages(_ value: Any) -> Int? {
        let count: Int?
        switch Kind(of: value) {
        case .number:
            guard let number = value as? NSNumber else { return nil }
            count = String(cString: number.objCType) == "d" ? Int(exactly: number.doubleValue) : number.intValue
        case .string: count = text(value).flatMap(Int.init)
        default: count = nil
        }
        return count.flatMap { $0 > 0 ? $0 : nil }
    }
}
