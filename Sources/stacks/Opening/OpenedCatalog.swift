internal import Catalog
internal import Glibc
internal import Library
internal import Storage

/// An open catalog with notices about opening it.
struct OpenedCatalog {
    /// The path as given by the user; "-" is standard input.
    let path: String
    /// The file, read as far as needed for a screen.
    let source: JSONFileCatalog
    /// The books of the file.
    let store: BookStore
    /// The profiles that were available.
    let profiles: ProfileLibrary
    /// The notices for the user.
    private(set) var notices: [String] = []
    /// The notices about profiles that were skipped.
    private(set) var profileNotices: [String] = []

    /// Opens the named catalog, otherwise `$STACKS_CATALOG`, otherwise the one opened last, otherwise the one that
    /// comes with stacks.
    ///
    /// - Parameters:
    ///   - profile: The profile given by the user.
    ///   - keepsEdits: Whether the books can be edited, with edits that are kept until they are saved.
    ///   - lastOpened: Returns the path of the catalog opened last; called only if no catalog is named.
    init(
        named name: String?, profile: String?, in directories: Directories, keepsEdits: Bool = false,
        lastOpened: () -> String?
    ) throws(CommandError) {
        if name == "" {
            throw CommandError(
                sentence: Message.catalogNameIsEmpty.text(), exitStatus: ExitStatus.usage)
        }
        let named = Self.path(named: name, in: ConfigFile(in: directories).read())
        guard let path = named ?? Self.unnamedPath(lastOpened, &notices) else {
            throw CommandError(
                sentence: Message.noBundledCatalog.text(),
                exitStatus: ExitStatus.noInput)
        }
        self.path = path
        profiles = ProfileLibrary(in: directories)
        var choice = try ProfileChoice(named: profile, forCatalog: path, in: profiles)
        do throws(CatalogError) {
            source = try choice.catalog(at: path, cache: IndexCache(in: directories))
        } catch {
            choice.notices.forEach(printError)
            throw error.commandError(opening: path)
        }
        if keepsEdits {
            let journal = EditedCatalog.journalPath(of: path, in: directories.state)
            store = BookStore(source: EditedCatalog(source, journalPath: journal))
        } else {
            store = BookStore(source: source)
        }
        profileNotices = choice.notices
        notices += profileNotices
    }

    /// The name of the catalog in messages.
    var shownPath: String { RandomAccessInput.shownPath(path) }

    /// The name of the catalog with a summary of its defects; nil if there are none.
    var defects: String? { store.defects.sentence.map { "\(shownPath): \($0)" } }

    /// Returns the path of the catalog that the user or `$STACKS_CATALOG` names; nil if neither does.
    ///
    /// A name is a path or a name from `config`, which is read only if the file does not exist.
    static func path(named name: String?, in config: @autoclosure () -> Config) -> String? {
        guard let name = name ?? environmentValue("STACKS_CATALOG") else { return nil }
        if name.isEmpty || name == "-" || name.contains("/") || access(name, F_OK) == 0 { return name }
        return config().catalogs[name] ?? name
    }

    private static func unnamedPath(_ lastOpened: () -> String?, _ notices: inout [String]) -> String? {
        if let last = lastOpened() {
            if access(last, R_OK) == 0 { return last }
            notices.append(Message.lastCatalogGone.text(last))
        }
        return BundledCatalog.path
    }
}

extension IndexCache {
    /// Creates the cache in `directories`; fails if they have no place for it.
    init?(in directories: Directories) {
        guard let directory = directories.cache else { return nil }
        self.init(directory: directory + "/index")
    }
}
