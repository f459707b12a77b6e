internal import ArgumentParser
internal import Catalog
internal import Formats
internal import Glibc
internal import Graphemes
internal import Indexing
internal import Library
internal import Shelves
internal import Text

/// The command `stacks show ID-OR-ISBN [CATALOG]`.
struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Print all details of a book.",
        discussion: """
            The book is named by its id, as "stacks search --format json" prints it, or by an ISBN in any form: 10 or \
            13 digits, with or without hyphens. All editions with the ISBN are printed. Books in your \
            data are found even if they are not in the catalog.

            text gives each detail its label, at the terminal's width; if standard output is not a terminal, each line \
            is a label, a tab, and the text. json is an array of books in the native fields, with your favourite, shelves, \
            status, rating and note in the member userData. marc is the record of MARC 21, as the catalog has it, in lines of \
            tag, indicators and subfields; for a book without one, it is the record that an export makes.

            Exit status: 0 on success; 1 if the book is not found; 65 or 74 if the catalog cannot be read to its end.
            """)

    /// The output format.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json, marc
    }

    @Argument(help: ArgumentHelp("The id of a book, or an ISBN.", valueName: "id-or-isbn"))
    var name: String

    @OptionGroup var options: CatalogArgument

    @Option(help: "Output format.")
    var format = Format.text

    @OptionGroup var userData: UserDataOption

    func run() throws {
        try exit(with: show())
    }

    private func show() -> Int32 {
        let opened: OpenedLibrary
        do throws(CommandError) {
            opened = try OpenedLibrary(options.request)
        } catch {
            return error.report()
        }
        let name = BookArgument(name)
        let library = opened.library
        let found = NamedBooks([name], in: library)
        let ids = found.ids(of: name)
        let missing = found.missingUserData(of: name)
        if ids.isEmpty && missing.isEmpty {
            printError(name.sentenceOfAbsence(in: opened.catalog.shownPath))
            let code = opened.finish()
            return code == 0 ? ExitStatus.nothingFound : code
        }
        var text: [UInt8] = []
        let absent = missing.compactMap { identity in
            library.userData.books[identity].map { (identity: identity, bookData: $0) }
        }
        switch format {
        case .json, .marc:
            let form: any BookFormatter = format == .marc ? MARCLines() : JSONFormatter(isArray: true)
            var export = BookExport(
                BookList(ids), missing: absent, of: library.store, as: form,
                userDataOf: userData.isIncluded ? library : nil)
            guard export.write(.max, to: &text) == .finished else {
                printError(CommandMessage.changedWhileReading.text(library.store.name))
                return ExitStatus.changed
            }
        case .text:
            let width = isatty(STDOUT_FILENO) == 1 ? outputSize().columns : nil
            let details =
                ids.map(library.labelledDetails(of:)) + absent.map { library.labelledDetails(ofMissing: $0.bookData) }
            text += details.map { DetailText.text(of: $0, width: width) }.joined(separator: "\n").utf8
        }
        if let code = PlainList.write(&text), code != 0 { return code }
        return opened.finish()
    }
}

/// Formats the labelled details of a book as lines.
enum DetailText {
    /// Formats `paragraphs`: wrapped at words to `width` columns with aligned labels; if `width` is nil, with one line
    /// per paragraph and a tab after its label.
    static func text(of paragraphs: [LabelledText], width: Int?) -> String {
        guard let width else { return paragraphs.map(line(of:)).joined() }
        let columns = paragraphs.map { $0.label.displayColumns + 2 }.filter { $0 > 2 && $0 <= width / 2 }.max() ?? 0
        var text = ""
        for paragraph in paragraphs {
            let isLabelled = !paragraph.label.isEmpty
            var label = paragraph.label.sanitized
            var indent = isLabelled ? columns : 0
            if isLabelled && label.displayColumns + 2 > columns {
                for line in LineWrapper(label, width: width) { text += line.map(\.text).joined() + "\n" }
                label = ""
                indent = min(2, width / 2)
            }
            for line in LineWrapper(paragraph.text, width: width - indent) {
                let words = line.map(\.text).joined()
                text += (words.isEmpty ? label : label.padded(to: indent) + words) + "\n"
                label = ""
            }
        }
        return text
    }

    private static func line(of paragraph: LabelledText) -> String {
        let text = paragraph.text.split(whereSeparator: \.isNewline).joined(separator: "; ").sanitized
        return (paragraph.label.isEmpty ? text : "\(paragraph.label.sanitized)\t\(text)") + "\n"
    }
}
