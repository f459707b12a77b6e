internal import Books
internal import Editing
internal import Graphemes
internal import Library
internal import Text

/// A change of a field on the command line: `year=1815`, `subjects+=Satire`, `authors-=Anonymous`, `title~=titlecase`.
struct FieldAssignment {
    /// The change.
    let transform: FieldTransform

    /// The signs before the equals sign.
    private static let signs = "+-~"

    /// Whether `argument` has the form of an assignment. A name may have blanks and be in quotation marks.
    static func isAssignment(_ argument: String) -> Bool { parts(of: argument) != nil }

    /// Returns the name, with the sign of the operation, and the text after the equals sign; nil without a name.
    private static func parts(of argument: String) -> (name: Substring, text: String)? {
        if argument.first == "\"", let end = argument.dropFirst().firstIndex(of: "\"") {
            let rest = argument[argument.index(after: end)...]
            let sign = rest.prefix { signs.contains($0) }
            guard rest.dropFirst(sign.count).first == "=" else { return nil }
            return (argument.dropFirst()[..<end] + sign, String(rest.dropFirst(sign.count + 1)))
        }
        guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else { return nil }
        let name = argument[..<equals]
        guard name.allSatisfy({ $0.isLetter || $0.isNumber || "_. ".contains($0) || signs.contains($0) }) else {
            return nil
        }
        return (name, String(argument[equals...].dropFirst()))
    }

    /// Parses an assignment of a field of a catalog.
    ///
    /// - Throws: `CommandError` for an unknown field or change (64), or a value that the field does not accept (65).
    init(_ argument: String, of schema: Schema = .ofEveryBook) throws(CommandError) {
        var (name, text): (Substring, String) = Self.parts(of: argument) ?? (argument[...], "")
        let sign = name.last.flatMap { Self.signs.contains($0) ? $0 : nil }
        if sign != nil { name = name.dropLast() }
        guard let field = schema.field(named: String(name)) else {
            let names = schema.fields.map(\.id).joined(separator: ", ")
            throw CommandError(
                sentence: CommandMessage.unknownField.text(String(name).sanitized, names), exitStatus: ExitStatus.usage)
        }
        do throws(FieldTransformError) {
            switch sign {
            case "~": transform = try FieldTransform(text, of: field)
            case let sign?: transform = try FieldTransform("\(sign)\(text)", of: field)
            case nil: transform = FieldTransform(setting: field, to: try Self.value(of: field, text))
            }
        } catch {
            if case .value(let error) = error {
                let sentence = error.text.isEmpty ? CommandMessage.titleNeeded.text() : error.sentence
                throw CommandError(sentence: sentence, exitStatus: ExitStatus.badData)
            }
            throw CommandError(sentence: error.sentence, exitStatus: ExitStatus.usage)
        }
    }

    private static func value(of field: BookField, _ text: String) throws(FieldTransformError) -> FieldValue? {
        do throws(FieldInputError) {
            return try FieldInput.value(of: field, text)
        } catch {
            throw .value(error)
        }
    }

    /// Applies the assignment to `book`.
    ///
    /// - Throws: `CommandError` if the result is not a value of the field (65).
    func apply(to book: inout Book) throws(CommandError) {
        do throws(CatalogEditError) {
            try transform.apply(to: &book)
        } catch {
            throw error.commandError(changing: "")
        }
    }

    /// Checks that several books do not get or lose a value that tells them apart.
    ///
    /// - Throws: `CommandError` if they do (64).
    func check(givenTo bookCount: Int) throws(CommandError) {
        let field = transform.field
        guard bookCount > 1, transform.isSameForAll else { return }
        // Abbreviations stay in capitals.
        let label = field.info.label.contains(where: \.isLowercase) ? field.info.label.lowercased() : field.info.label
        let value = transform.isClearing ? "an empty \(label)" : "the same \(label)"
        throw CommandError(
            sentence: CommandMessage.sameForSeveral.text(bookCount.of("book"), value), exitStatus: ExitStatus.usage)
    }
}
