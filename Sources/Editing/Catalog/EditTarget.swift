internal import Books
internal import Catalog
internal import Indexing
internal import JSON
internal import Remote

/// What the edits of a catalog are of, and where they are saved: a file, or a server of which the catalog is a copy.
protocol EditTarget: SendableMetatype {
    /// Creates the target of a fork on another thread, which cannot be reloaded or saved.
    init(fork file: JSONFileCatalog)

    /// The file, or the copy of the books of the server.
    var file: JSONFileCatalog { get }
    /// The file or the server with its abilities.
    var reloadable: any Reloadable { get }
    /// The copy of the server; nil for a file.
    var mirror: MirroredCatalog? { get }
    /// Whether all books have been read, and there are no others on the server.
    var isRead: Bool { get }
    /// Whether the books have an order of their own, with text between their records.
    var keepsOrder: Bool { get }
    /// The fields that nobody else can set.
    var ownFields: Set<BookField> { get }

    /// Returns a record that replaces another one with the members that nobody else can set.
    func kept(_ new: JSONValue, insteadOf old: JSONValue?) -> JSONValue

    /// Inserts records in the order of their positions.
    ///
    /// - Parameter isDoubtful: Whether the records may be there already.
    func insert(
        _ records: [CatalogEdit.PlacedRecord], isDoubtful: Bool, in catalog: EditedCatalog
    ) -> CatalogEdit?
    /// Returns the position of a record that is not where it is expected, as far as it is known without its keys.
    func position(of record: [UInt8], in catalog: EditedCatalog) -> RecordPosition
    /// Returns the keys of a book as they are kept.
    func keys(of book: Book) -> MatchKeys
    /// Returns the likely one of records with the same keys, whose positions ascend.
    func likely(of positions: [Int]) -> Int?
    /// Whether a record that is to be deleted has changed in nothing that matters.
    func isSame(_ theirs: [UInt8], as expected: [UInt8], in catalog: EditedCatalog) -> Bool
    /// Merges two versions of a record.
    ///
    /// - Parameter choose: Returns the side that wins a conflict at these keys.
    /// - Returns: The record, and the values that both changed differently.
    func merge(
        _ old: JSONValue, _ mine: JSONValue, _ theirs: JSONValue,
        choosing choose: @escaping ([String]) -> JSONMerge.Side
    ) -> (JSONValue, [JSONMerge.Conflict])
    /// Returns the edits that turn the books of the target into those of the edited catalog.
    func unsavedEdits(of catalog: EditedCatalog) -> [CatalogEdit]

    /// Returns the changes of the file, or those that the copy would have.
    func arrangement(of catalog: EditedCatalog) throws(CatalogEditError) -> CatalogArrangement
    /// Starts saving the unsaved edits.
    ///
    /// - Parameter notify: Called on any thread when there is progress.
    func startSaving(
        _ catalog: EditedCatalog, notifying notify: @escaping @Sendable () -> Void
    ) throws(CatalogEditError) -> SaveProgress
    /// Saves direct edits; see `EditedCatalog.saveDirectly`.
    func save(
        _ direct: DirectEdits, of catalog: EditedCatalog, in journal: EditJournal?,
        reporting report: (SendingProgress, _ cleanUp: @escaping @Sendable () -> Void) -> Void
    ) throws(CatalogEditError) -> DirectSave?
}

/// The position of a record as far as it is known without its keys.
enum RecordPosition {
    /// Its keys decide.
    case unknown
    /// It is at this position, or gone.
    case known(Int?)
}

/// A file in which edits are saved.
struct EditedFile: EditTarget {
    let file: JSONFileCatalog

    init(fork file: JSONFileCatalog) { self.file = file }

    var reloadable: any Reloadable { file }
    var mirror: MirroredCatalog? { nil }
    var isRead: Bool { file.format != nil && !file.state.isLoading }
    var keepsOrder: Bool { true }
    var ownFields: Set<BookField> { [] }

    func kept(_ new: JSONValue, insteadOf old: JSONValue?) -> JSONValue { new }
    func position(of record: [UInt8], in catalog: EditedCatalog) -> RecordPosition { .unknown }
    func keys(of book: Book) -> MatchKeys { MatchKeys(of: book) }
    func likely(of positions: [Int]) -> Int? { positions.first }
    func isSame(_ theirs: [UInt8], as expected: [UInt8], in catalog: EditedCatalog) -> Bool { theirs == expected }

    func insert(
        _ records: [CatalogEdit.PlacedRecord], isDoubtful: Bool, in catalog: EditedCatalog
    ) -> CatalogEdit? {
        catalog.insert(records, ifMissing: isDoubtful)
    }

    func merge(
        _ old: JSONValue, _ mine: JSONValue, _ theirs: JSONValue,
        choosing choose: @escaping ([String]) -> JSONMerge.Side
    ) -> (JSONValue, [JSONMerge.Conflict]) {
        let merge = JSONMerge(base: old, mine: mine, theirs: theirs, choosing: choose)
        return (merge.value, merge.conflicts)
    }

    func unsavedEdits(of catalog: EditedCatalog) -> [CatalogEdit] { catalog.netEdits }

    func arrangement(of catalog: EditedCatalog) throws(CatalogEditError) -> CatalogArrangement {
        try catalog.arrangementOfFile()
    }

    func startSaving(
        _ catalog: EditedCatalog, notifying notify: @escaping @Sendable () -> Void
    ) throws(CatalogEditError) -> SaveProgress {
        try catalog.startWriting(notifying: notify)
    }

    func save(
        _ direct: DirectEdits, of catalog: EditedCatalog, in journal: EditJournal?,
        reporting report: (SendingProgress, _ cleanUp: @escaping @Sendable () -> Void) -> Void
    ) throws(CatalogEditError) -> DirectSave? {
        try catalog.write(direct, journal)
    }
}
