public import Books
public import Editing
internal import Text

/// A change of the values of one field that keeps what is each book's own: items are added or removed, or texts are
/// changed each by itself. It may also set one value for all.
public struct FieldTransform: Sendable {
    /// The effect on the value of a book.
    enum Operation: Sendable {
        /// The value replaces the present one; nil clears the field.
        case set(FieldValue?)
        /// The items are appended to a list.
        case add([FieldValue.Item])
        /// The items are removed from a list.
        case remove([FieldValue.Item])
        /// The text of the value is changed, or that of each item of a list.
        case rewrite(TextChange)
        /// Values, which are items in a list, become others: one, several in a list, or none.
        case rename([String: [String]])
    }

    /// The field.
    public let field: BookField
    let operation: Operation

    init(_ operation: Operation, of field: BookField) { (self.operation, self.field) = (operation, field) }

    /// Creates a change that gives all books one value; nil clears the field.
    public init(setting field: BookField, to value: FieldValue?) { self.init(.set(value), of: field) }

    /// Creates a change of values into others, by their texts, which are those of items in a list: one, several for a list,
    /// or none to delete the value.
    public init(renaming names: [String: [String]], of field: BookField) { self.init(.rename(names), of: field) }

    /// Whether all books get the same value, or lose theirs.
    public var isSetting: Bool { if case .set = operation { true } else { false } }

    /// Whether all books get the same value of a field that tells them apart, or lose theirs; an identifier that is added
    /// counts, too.
    public var isSameForAll: Bool {
        guard field.isLockedForSeveral else { return false }
        if case .add = operation { return field == .identifiers }
        return isSetting
    }

    /// Whether the field becomes empty in all books.
    public var isClearing: Bool { if case .set(nil) = operation { true } else { false } }

    /// Changes the value of the field in `book`.
    ///
    /// - Throws: `CatalogEditError` if the result is not a value of the field.
    public func apply(to book: inout Book) throws(CatalogEditError) {
        guard let change = try change(of: book) else { return }
        if let value = change.value { field.set(value, in: &book) } else { field.clear(in: &book) }
    }

    /// A change of the value of a book.
    struct Change {
        /// The new value; nil if the field becomes empty.
        var value: FieldValue?
        /// The texts that change, which are those of items for a list; "" if one is added or removed.
        var texts: [(old: String, new: String)]
    }

    /// Returns the change of `book`; nil if it has the resulting value already.
    ///
    /// - Throws: `CatalogEditError` if the result is not a value of the field.
    func change(of book: Book) throws(CatalogEditError) -> Change? {
        let old = field.value(in: book)
        let change: Change?
        switch operation {
        case .set(let value):
            change = Change(value: value, texts: [(text(of: old), text(of: value))])
        case .add(let items): change = add(items, to: old)
        case .remove(let items): change = remove(items, from: old)
        case .rename(let names):
            guard let old else { return nil }
            change = try rename(old, to: names, in: book)
        case .rewrite(let rewriting):
            guard let old else { return nil }
            if case .list(let items) = old {
                change = try rewrite(items, by: rewriting, in: book)
            } else {
                change = try rewrite(old, by: rewriting, in: book)
            }
        }
        guard let change else { return nil }
        switch (old, change.value) {
        case (nil, nil): return nil
        case (let old?, let new?) where old.isIdentical(to: new): return nil
        default: return change
        }
    }

    /// Returns the text that the form shows for a value; "" for none.
    private func text(of value: FieldValue?) -> String { value.map { FieldInput.text(of: $0, for: field) } ?? "" }

    // MARK: - Lists

    private func add(_ named: [FieldValue.Item], to old: FieldValue?) -> Change? {
        var items: [FieldValue.Item] = []
        if case .list(let known)? = old { items = known }
        let new = named.filter { !items.contains($0) }
        return new.isEmpty
            ? nil : Change(value: .list(items + new), texts: new.map { ("", FieldInput.text(of: $0, in: field)) })
    }

    private func remove(_ named: [FieldValue.Item], from old: FieldValue?) -> Change? {
        guard case .list(let items)? = old else { return nil }
        let isNamed = { (item: FieldValue.Item) in
            named.contains { $0.text == item.text && ($0.tag == nil || $0.tag == item.tag) }
        }
        let rest = items.filter { !isNamed($0) }
        let texts = items.filter(isNamed).map { (FieldInput.text(of: $0, in: field), "") }
        return Change(value: rest.isEmpty ? nil : .list(rest), texts: texts)
    }

    private func rename(
        _ old: FieldValue, to names: [String: [String]], in book: Book
    ) throws(CatalogEditError) -> Change? {
        guard case .list(let items) = old else {
            guard let new = names[old.text] else { return nil }
            let value = try parsed(in: book) { () throws(FieldInputError) in
                try FieldInput.value(of: field, new.first ?? "")
            }
            return Change(value: value, texts: [(old.text, text(of: value))])
        }
        var changed: [FieldValue.Item] = []
        var texts: [(String, String)] = []
        for item in items {
            guard let new = names[item.text] else {
                changed.append(item)
                continue
            }
            var renamed: [FieldValue.Item] = []
            for text in new {
                let typed = FieldInput.text(ofListItem: text)
                let parsed = try parsed(in: book) { () throws(FieldInputError) in
                    try FieldInput.items(of: field, ofOne: typed, besides: item)
                }
                renamed += parsed.map { FieldValue.Item(text: $0.text, tag: $0.tag ?? item.tag) }
            }
            // A value that the list has anyway is not repeated.
            for new in renamed
            where !changed.contains(new) && !items.contains(where: { $0 == new && names[$0.text] == nil }) {
                changed.append(new)
            }
            texts.append((item.text, new.joined(separator: "; ")))
        }
        return texts.isEmpty ? nil : Change(value: changed.isEmpty ? nil : .list(changed), texts: texts)
    }

    private func rewrite(
        _ items: [FieldValue.Item], by change: TextChange, in book: Book
    ) throws(CatalogEditError) -> Change? {
        var changed: [FieldValue.Item] = []
        var texts: [(String, String)] = []
        for item in items {
            let isName = change.leavesTags && item.tag != nil
            let old = isName ? item.text : FieldInput.text(of: item, in: field)
            let new = try result(of: change, for: old, in: book)
            var results = [item]
            if !new.isIdentical(to: old) {
                let text = new.onOneLine
                results = []
                if isName, !text.isEmpty { results = [.init(text: text, tag: item.tag)] }
                if !isName {
                    results = try parsed(in: book) { () throws(FieldInputError) in
                        try FieldInput.items(of: field, ofOne: text, besides: item)
                    }
                }
                texts.append((old, text))
            }
            changed += results.filter { !changed.contains($0) }
        }
        return texts.isEmpty ? nil : Change(value: changed.isEmpty ? nil : .list(changed), texts: texts)
    }

    // MARK: - Single values

    private func rewrite(
        _ value: FieldValue, by change: TextChange, in book: Book
    ) throws(CatalogEditError) -> Change? {
        let old = FieldInput.text(of: value, for: field)
        let new = try result(of: change, for: old, in: book)
        // What the catalog has may not be a value that can be typed, such as an ISBN with a wrong digit.
        if new.isIdentical(to: old) { return nil }
        let value = try parsed(in: book) { () throws(FieldInputError) in
            try FieldInput.value(of: field, new)
        }
        return Change(value: value, texts: [(old, text(of: value))])
    }

    private func result(of change: TextChange, for text: String, in book: Book) throws(CatalogEditError) -> String {
        guard var result = change.result(for: text) else { throw .tooManySteps(field, title: book.title) }
        let scalars = result.unicodeScalars
        if field != .description, scalars.contains(where: \.isNewline), !text.contains(where: \.isNewline) {
            result = result.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).joined(separator: " ")
        }
        // Only blanks and line breaks may be typed of the control characters.
        if scalars.contains(where: \.isInvisibleControl), !text.unicodeScalars.contains(where: \.isInvisibleControl) {
            throw .notAValue(field, text: result, title: book.title)
        }
        return result
    }

    private func parsed<Value>(
        in book: Book, _ parse: () throws(FieldInputError) -> Value
    ) throws(CatalogEditError) -> Value {
        do throws(FieldInputError) {
            return try parse()
        } catch {
            throw .notAValue(field, text: error.text, title: book.title)
        }
    }
}

extension String {
    /// Whether both texts are the same byte for byte, also in their normalization form.
    fileprivate func isIdentical(to other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

// Looking up the properties of each character takes longer than the change.
extension Unicode.Scalar {
    /// Whether the character ends a line, alone or with others.
    fileprivate var isNewline: Bool {
        switch value {
        case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }

    /// Whether the character is a control character (the category Cc, which never changes) and not white space.
    fileprivate var isInvisibleControl: Bool {
        (value < 0x20 || (0x7F...0x9F).contains(value)) && !properties.isWhitespace
    }
}

// MARK: - Many books

extension BulkEdit {
    /// Applies the changes one after another to each book; nothing is changed if a result is not a value.
    public static func transforming(_ transforms: [FieldTransform]) -> BulkEdit {
        // Errors in other fields name the book by the title that it has.
        let ordered = transforms.filter { $0.field != .title } + transforms.filter { $0.field == .title }
        return .set(Set(transforms.map(\.field))) { (book: inout Book) throws(CatalogEditError) in
            for transform in ordered { try transform.apply(to: &book) }
        }
    }
}

extension BookField {
    /// The fields that tell books apart.
    private static let identifying: Set<BookField> = [.title, .isbn, .sourceID, .identifiers]

    /// Whether several books must not get one value, or lose theirs, unless the user insists.
    public var isLockedForSeveral: Bool { Self.identifying.contains(self) }
}
