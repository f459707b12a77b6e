public import Catalog
public import Library

/// What the program needs of the world around it, besides files and a terminal.
public struct Services {
    /// Opens links.
    let opener: LinkOpener
    /// Where text is kept that the terminal has no clipboard for.
    let copies: CopiedText
    /// The reader's editor, for notes.
    let noteEditor: NoteEditor
    /// The reader's editor, for records as JSON.
    let recordEditor: RecordEditor
    /// Looks up ISBNs in the other catalogs of the config, if it names any.
    let isbnLookup: ISBNLookup?
    /// Finds what makes exports in formats that the program does not write itself; nil if it is not installed.
    let connector: () -> ConnectorProgram?
    /// Puts text on the clipboard of the terminal, where it has one.
    var clipboard: (String) -> Bool = { _ in false }

    /// These services; without any, nothing is opened, kept or edited.
    public init(
        opener: LinkOpener = .none, copies: CopiedText = CopiedText(),
        noteEditor: NoteEditor = NoteEditor { _, _ in .problem("There is no editor here") },
        recordEditor: RecordEditor = RecordEditor { _, _, _ in "There is no editor here" },
        isbnLookup: ISBNLookup? = nil, connector: @escaping () -> ConnectorProgram? = { nil }
    ) {
        self.opener = opener
        self.copies = copies
        self.noteEditor = noteEditor
        self.recordEditor = recordEditor
        self.isbnLookup = isbnLookup
        self.connector = connector
    }
}
