internal import Books
internal import Graphemes
internal import JSON
internal import Library
internal import Text

/// A value for a field, as given on the command line: `year=1815`, `subjects+=Satire`, `authors-=Anonymous`.
struct FieldAssignment {
    /// What happens to the values that are there.
    enum Operation {
        /// They are replaced.
        case set
        /// The new ones are added behind them.
        case add
        /// The named ones are taken away.
        case remove
    }

    /// The field.
    let field: BookField
    /// What happens to its values.
    let operation: Operation
    /// The value; nil makes the field empty.
    private let value: FieldValue?

    /// Whether `argument` has the form of an assignment.
    static func isAssignment(_ argument: String) -> Bool {
        guard let equals = argument.firstIndex(of: "=") else { return false }
        return argument[..<equals].allSatisfy { $0.isLetter || $0 == "+" || $0 == "-" }
    }

    /// Parses an assignment.
    ///
    /// - Throws: `CommandError` for an unknown field (64), or a value that does not fit it (65).
    init(_ argument: String) throws(CommandError) {
        var name = argument.prefix { $0 != "=" }
        let text = String(argument.dropFirst(name.count + 1))
        switch name.last {
        case "+": (operation, name) = (.add, name.dropLast())
        case "-": (operation, name) = (.remove, name.dropLast())
        default: operation = .set
        }
        guard let field = BookField(named: String(name)) else {
            let names = BookField.allCases.map(\.rawValue).joined(separator: ", ")
            throw CommandError(
                sentence: Message.unknownField.text(String(name).sanitized, names), exitStatus: ExitStatus.usage)
        }
        if operation != .set, !field.isList {
            throw CommandError(
                sentence: Message.onlyLists.text(field.info.label, field.rawValue), exitStatus: ExitStatus.usage)
        }
        self.field = field
        value = text.isBlank ? nil : try Self.value(of: field, text)
        if field == .title, value == nil {
            throw CommandError(sentence: Message.titleNeeded.text(), exitStatus: ExitStatus.badData)
        }
    }

    private static func value(of field: BookField, _ text: String) throws(CommandError) -> FieldValue {
        let value: FieldValue? =
            switch field.info.kind {
            case .text: .text(field == .description ? text : text.onOneLine)
            case .number: number(of: field, text.trimmed)
            case .isbn: ISBN(text).isValid ? .isbn(ISBN(text.trimmed)) : nil
            case .date: field.value(of: .string(text.trimmed))
            case .boolean: boolean(text.trimmed.lowercased())
            case .status: field.value(of: .string(text.trimmed))
            case .list, .gatheredList: .list(items(of: field, text))
            }
        if let value { return value }
        let sentence =
            field == .isbn
            ? Message.isbnDoesNotFit.text(text.sanitized)
            : Message.valueDoesNotFit.text(field.info.label, text.sanitized, kind(of: field))
        throw CommandError(sentence: sentence, exitStatus: ExitStatus.badData)
    }

    private static func kind(of field: BookField) -> String {
        switch field {
        case .rating: "a number from 0 to 5"
        case .pageCount: "a whole number from 1"
        case .published, .dateAdded: "a date such as 1815, 1815-12 or 1815-12-23"
        default: field.info.noun
        }
    }

    private static func number(of field: BookField, _ text: String) -> FieldValue? {
        if field == .pageCount { return Int(text).flatMap { $0 > 0 ? .integer($0) : nil } }
        guard let number = Double(text), number.isFinite else { return nil }
        return field == .rating && !(0...5).contains(number) ? nil : .number(number)
    }

    private static func boolean(_ word: String) -> FieldValue? {
        switch word {
        case "yes", "true": .boolean(true)
        case "no", "false": .boolean(false)
        default: nil
        }
    }

    /// The items of a list, which is split at semicolons: "doi:10.1000/182", "Constance Garnett (translator)".
    private static func items(of field: BookField, _ text: String) -> [FieldValue.Item] {
        var items: [FieldValue.Item] = []
        for part in text.split(separator: ";").map({ String($0).onOneLine }) where !part.isEmpty {
            let item: FieldValue.Item
            switch field {
            case .languages:
                guard case .list(let languages)? = field.value(of: .string(part)) else { continue }
                items += languages.filter { !items.contains($0) }
                continue
            case .identifiers:
                let halves = part.split(separator: ":", maxSplits: 1).map(String.init)
                item = halves.count == 2 ? .init(text: halves[1].onOneLine, tag: halves[0]) : .init(text: part, tag: "")
            case .contributors:
                let role = part.last == ")" ? part.lastIndex(of: "(") : nil
                item =
                    role.map {
                        .init(text: String(part[..<$0]).onOneLine, tag: String(part[$0...].dropFirst().dropLast()))
                    }
                    ?? .init(text: part)
            default: item = .init(text: part)
            }
            if !items.contains(item) { items.append(item) }
        }
        return items
    }

    /// Gives `book` the value.
    func apply(to book: inout Book) {
        var value = value
        if operation != .set {
            var items: [FieldValue.Item] = []
            if case .list(let known)? = field.value(in: book) { items = known }
            if case .list(let named)? = self.value {
                if operation == .add {
                    items += named.filter { !items.contains($0) }
                } else {
                    items.removeAll { item in
                        named.contains { $0.text == item.text && ($0.tag == nil || $0.tag == item.tag) }
                    }
                }
            }
            value = items.isEmpty ? nil : .list(items)
        }
        if let value { field.set(value, in: &book) } else { field.clear(in: &book) }
    }
}
