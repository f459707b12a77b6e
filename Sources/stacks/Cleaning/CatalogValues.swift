internal import Books
internal import Catalog
internal import Editing
internal import Glibc
internal import Graphemes
internal import Indexing
internal import JSON
internal import Library
internal import Shelves
internal import Text

/// Prints the values of a field.
struct CatalogValues {
    /// The catalog to open.
    let catalog: CatalogRequest
    /// The name of the field.
    let fieldName: String
    /// The output format.
    let format: ValuesCommand.Format

    /// Counts the values and prints them.
    ///
    /// - Returns: The exit status.
    func run() -> Int32 {
        do throws(CommandError) {
            let opened = try OpenedLibrary(catalog)
            let values = try Self.values(ofFieldNamed: fieldName, in: opened)
            let variants = values.variants() ?? []
            let output: String
            switch format {
            case .json: output = Self.json(of: values, variants)
            case .text:
                let width = isatty(STDOUT_FILENO) == 1 ? outputSize().columns : nil
                output = Self.text(of: values, variants, width)
            }
            let code = PlainList.write(output)
            if code != 0 { return code }
            if values.values.isEmpty {
                let path = opened.catalog.shownPath
                printError(CommandMessage.noValues.text(path, fieldName, path.asArgument))
            }
            let status = opened.finish()
            return status == 0 && values.values.isEmpty ? ExitStatus.nothingFound : status
        } catch {
            return error.report()
        }
    }

    /// Returns the values of a field.
    ///
    /// - Throws: `CommandError` if the catalog has no such field, or if books do not share its values.
    static func values(ofFieldNamed name: String, in opened: OpenedLibrary) throws(CommandError) -> CountedValues {
        let schema = opened.library.store.schema
        guard let field = schema.field(named: name), schema.withSharedValues.contains(field) else {
            let known = schema.withSharedValues.map { $0.info.queryNames.first ?? $0.id }
            throw CommandError(
                sentence: CommandMessage.fieldWithoutValues.text(name, known.joined(separator: ", ")),
                exitStatus: ExitStatus.usage)
        }
        guard let values = opened.library.countValues(of: field) else {
            throw CommandError(sentence: Message.needsLocalIndex.text() + ".", exitStatus: ExitStatus.usage)
        }
        return values
    }

    /// Returns the values that may be one, and all values; lines longer than `width` are cut.
    static func text(of counted: CountedValues, _ variants: [[Int]], _ width: Int?) -> String {
        if counted.values.isEmpty { return "" }
        let countWidth = counted.values[0].bookCount.grouped.count
        func line(_ number: Int) -> String {
            let value = counted.values[number]
            return "  \(value.bookCount.grouped.padded(toRight: countWidth))  \(value.text.onOneLine)"
        }
        var lines: [String] = []
        if !variants.isEmpty {
            let valueCount = variants.reduce(0) { $0 + $1.count }
            lines.append("May be one: \(variants.count.of("group")), \(valueCount.of("value"))")
            for set in variants { lines += set.map(line) + [""] }
        }
        lines.append("All: \(counted.values.count.of("value")) in \(counted.bookCount.of("book"))")
        lines += counted.values.indices.map(line)
        return lines.map { line in
            let line = line.sanitized
            return (width.map { line.clipped(to: max(1, $0)).text } ?? line) + "\n"
        }.joined()
    }

    /// Returns the values as a JSON array, one per line.
    static func json(of counted: CountedValues, _ variants: [[Int]]) -> String {
        var alike: [Int: [Int]] = [:]
        for set in variants { for number in set { alike[number] = set.filter { $0 != number } } }
        var text: [UInt8] = Array("[".utf8)
        for (number, value) in counted.values.enumerated() {
            text += (number == 0 ? "\n" : ",\n").utf8
            let others = (alike[number] ?? []).map { counted.values[$0].text }
            JSONValue.object([
                .init(key: "value", value: .string(value.text)), .init(key: "books", value: JSONValue(value.bookCount)),
                .init(key: "variants", value: JSONValue(others)),
            ]).writeHarmlessly(to: &text)
        }
        text += "\n]\n".utf8
        return String(decoding: text, as: UTF8.self)
    }
}

/// The renaming of values of a field in all books.
struct ValueRenaming {
    /// The edit, with its message.
    let request: CatalogChange.Request

    /// Creates the renaming that `OLD=NEW` arguments describe.
    ///
    /// - Throws: `CommandError` if an argument is malformed, or if no book has a value.
    init(_ arguments: [String], ofFieldNamed name: String, in opened: OpenedLibrary) throws(CommandError) {
        let counted = try CatalogValues.values(ofFieldNamed: name, in: opened)
        let known = Set(counted.values.map(\.text))
        var names: [String: [String]] = [:]
        for argument in arguments {
            guard let (old, new) = Self.parts(of: argument, known) else {
                let isMalformed = !argument.contains("=")
                let message = isMalformed ? CommandMessage.renamingWithoutName : .noBookWithValue
                throw CommandError(
                    sentence: message.text(
                        isMalformed ? argument : Self.longestName(in: argument), counted.field.info.label),
                    exitStatus: isMalformed ? ExitStatus.usage : ExitStatus.nothingFound)
            }
            let items = counted.field.isList ? FieldInput.items(of: new) : [new.onOneLine].filter { !$0.isEmpty }
            names[old] = items
        }
        let ids = counted.books(with: Set(names.keys))
        let title = ids.first.flatMap(opened.library.store.bookAtHand)?.title ?? ""
        let transform = FieldTransform(renaming: names, of: counted.field)
        let edit = BookEdit(.changed, ids, title: title, .bulk(.transforming([transform])))
        request = CatalogChange.Request(edit: edit) { outcome in
            "\(names.count.of("value")) changed in \((outcome?.bookCount ?? 0).of("book"))"
        }
    }

    /// Returns what is before the last sign of an argument.
    private static func longestName(in argument: String) -> String {
        argument.lastIndex(of: "=").map { String(argument[..<$0]) } ?? argument
    }

    /// Returns the old value, which is one of `known`, and what is behind it.
    private static func parts(of argument: String, _ known: Set<String>) -> (old: String, new: String)? {
        // Values may have the sign, too.
        for place in argument.indices where argument[place] == "=" {
            let old = String(argument[..<place])
            if known.contains(old) { return (old, String(argument[argument.index(after: place)...])) }
        }
        return nil
    }
}
