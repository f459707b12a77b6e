internal import Catalog
public import Library
public import Remote

/// The services of the environment that the browser uses, besides files and a terminal.
public struct Services {
    /// Opens links.
    let opener: LinkOpener
    /// The file for copied text if the terminal has no clipboard.
    let copies: CopiedText
    /// The user's editor, for notes.
    let noteEditor: NoteEditor
    /// The user's editor, for records as JSON.
    let recordEditor: RecordEditor
    /// Looks books up in other catalogs and library servers; nil if the config file switches that off.
    let lookup: LookupService?
    /// Finds the program that exports formats that stacks itself cannot write; returns nil if it is not installed.
    let connector: () -> ConnectorProgram?
    /// The catalog that comes with stacks, which is changed in a copy, if there is one.
    let sample: SampleCatalog?
    /// Other catalogs.
    let catalogs: OtherCatalogs
    /// Finds the directory of the guide; returns nil if it is not installed.
    let guide: () -> String?
    /// Copies text to the clipboard of the terminal and returns true; returns false if it has none.
    var clipboard: (String) -> Bool = { _ in false }

    /// Creates the services; by default, links are not opened, text is not kept and nothing can be edited.
    public init(
        opener: LinkOpener = .none, copies: CopiedText = CopiedText(),
        noteEditor: NoteEditor = NoteEditor { _, _ in .problem("There is no editor here") },
        recordEditor: RecordEditor = RecordEditor { _, _, _ in "There is no editor here" },
        lookup: LookupService? = nil, connector: @escaping () -> ConnectorProgram? = { nil },
        sample: SampleCatalog? = nil,
        catalogs: OtherCatalogs = .none,
        guide: @escaping () -> String? = { nil }
    ) {
        self.opener = opener
        self.copies = copies
        self.noteEditor = noteEditor
        self.recordEditor = recordEditor
        self.lookup = lookup
        self.connector = connector
        self.sample = sample
        self.catalogs = catalogs
        self.guide = guide
    }
}
