internal import Books
internal import JSON

/// The shape of a neighbouring record, in which new records are written.
struct RecordTemplate {
    private let mapping: FieldMapping
    /// The neighbour without what belongs to its own book alone, such as a key that stacks does not know.
    private let shape: JSONValue
    /// The keys of the neighbour in their order.
    private let keys: [String]
    /// How the catalog spells that a member is empty, by key; only for members that every record has.
    private let emptyValues: [String: JSONValue]
    /// Whether the neighbours have ISBNs, none with a hyphen.
    private let hasPlainISBNs: Bool
    /// The style of the neighbour.
    private let style: JSONStyle
    /// The indent of the neighbour's last line.
    private let margin: [UInt8]

    /// Creates the template of a neighbour with these bytes.
    ///
    /// - Parameters:
    ///   - others: Other records, which show how empty values are spelled.
    ///   - style: The style of the neighbour, if that is known better than from its bytes alone.
    init?(neighbour bytes: [UInt8], others: [JSONValue], style: JSONStyle?, mapping: FieldMapping) {
        guard let record = JSONValue(parsing: bytes), let members = record.members,
            let located = try? LocatedValue(at: bytes)
        else { return nil }
        self.mapping = mapping
        var known: Set<String> = []
        keys = members.map(\.key).filter { known.insert($0).inserted }
        self.style = style ?? JSONStyle(of: located, in: bytes)
        let closing = located.range.upperBound - 1
        margin = self.style.lineBreak == nil ? [] : Array(JSONStyle.indent(before: closing, in: bytes))
        shape = Self.pruned(record, mapping)
        let all = others + [record]
        let isbns = all.compactMap { mapping.book(from: $0).isbn }.filter(\.isValid)
        hasPlainISBNs = !isbns.isEmpty && !isbns.contains { $0.text.contains("-") }
        emptyValues = Dictionary(
            keys.compactMap { key -> (String, JSONValue)? in
                guard all.allSatisfy({ $0[key] != nil }) else { return nil }
                return all.lazy.compactMap { $0[key] }.first(where: \.isBlank).map { (key, $0) }
            }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the bytes of a record of `book`.
    ///
    /// - Throws: `CatalogEditError.cannotHold` with the first field that such a record cannot hold.
    func bytes(of book: Book) throws(CatalogEditError) -> [UInt8] {
        var book = book
        book.isbn = book.isbn.map(spelled)
        var record = mapping.record(of: book, in: shape)
        if let missing = BookField.allCases.first(where: { !mapping.states($0, of: book, in: record) }) {
            throw .cannotHold(missing, of: book)
        }
        guard case .object(let members) = record else { throw .notAList }
        var ordered: [JSONValue.Member] = []
        for key in keys {
            if let value = record[key] ?? emptyValues[key] { ordered.append(JSONValue.Member(key: key, value: value)) }
        }
        ordered += members.filter { !keys.contains($0.key) }
        record = .object(ordered)
        var bytes: [UInt8] = []
        style.write(record, margin: margin, to: &bytes)
        return bytes
    }

    /// Returns an ISBN-13 without its hyphens if the neighbours have none; others stay as they were given.
    private func spelled(_ isbn: ISBN) -> ISBN {
        let plain = isbn.text.replacing("-", with: "")
        return hasPlainISBNs && isbn.number.map(String.init) == plain ? ISBN(plain) : isbn
    }

    /// Returns `record` without the values that say nothing of the book's fields.
    private static func pruned(_ record: JSONValue, _ mapping: FieldMapping) -> JSONValue {
        let book = mapping.book(from: record).withoutOtherFields
        func isNeeded(_ smaller: JSONValue) -> Bool { mapping.book(from: smaller).withoutOtherFields != book }
        return pruned(record) { !isNeeded($0) }
    }

    /// Returns `value` without each member that may go, at any depth.
    ///
    /// - Parameter canBe: Returns whether the whole record may have this value in the place of `value`.
    private static func pruned(_ value: JSONValue, _ canBe: (JSONValue) -> Bool) -> JSONValue {
        var result = value
        switch value {
        case .object(let members):
            for index in members.indices.reversed() {
                guard case .object(var rest) = result else { break }
                rest.remove(at: index)
                if canBe(.object(rest)) {
                    result = .object(rest)
                    continue
                }
                guard case .object(var kept) = result else { break }
                kept[index].value = pruned(kept[index].value) { smaller in
                    var changed = kept
                    changed[index].value = smaller
                    return canBe(.object(changed))
                }
                result = .object(kept)
            }
        case .array(let elements):
            for index in elements.indices {
                guard case .array(var kept) = result else { break }
                kept[index] = pruned(kept[index]) { smaller in
                    var changed = kept
                    changed[index] = smaller
                    return canBe(.array(changed))
                }
                result = .array(kept)
            }
        case .null, .boolean, .number, .string: break
        }
        return result
    }
}

extension Book {
    /// This book without the values that belong to no field.
    fileprivate var withoutOtherFields: Book {
        var book = self
        book.otherFields = []
        return book
    }
}
