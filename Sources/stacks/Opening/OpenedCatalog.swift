internal import Catalog
internal import Glibc
internal import Library
internal import Storage

/// A catalog that was opened for the reader, and what they must know of how that went.
struct OpenedCatalog {
    /// Its path as it was given; "-" is standard input.
    let path: String
    /// Its file, read as far as is needed for a screen.
    let source: JSONFileCatalog
    /// The books of the file.
    let store: BookStore
    /// What the reader must know.
    private(set) var notices: [String] = []

    /// The catalog that was named, else `$STACKS_CATALOG`, else the one opened last, else the one that comes with stacks.
    ///
    /// - Parameters:
    ///   - profile: The profile that the reader chose.
    ///   - lastOpened: Asked for the path of the catalog opened last, where no other was named.
    init(
        named name: String?, profile: String?, in directories: Directories, lastOpened: () -> String?
    ) throws(CommandError) {
        if name == "" {
            throw CommandError(
                sentence: "the catalog's name is empty: name a file, or leave it out", exitStatus: ExitStatus.usage)
        }
        let named = Self.path(named: name, in: ConfigFile(in: directories).read())
        guard let path = named ?? Self.unnamedPath(lastOpened, &notices) else {
            throw CommandError(
                sentence: "the catalog that comes with stacks is missing: name a catalog file",
                exitStatus: ExitStatus.noInput)
        }
        self.path = path
        var choice = try ProfileChoice(named: profile, forCatalog: path, in: ProfileLibrary(in: directories))
        do throws(CatalogError) {
            let cache = directories.cache.map { IndexCache(directory: $0 + "/index") }
            source = try choice.catalog(at: path, cache: cache)
        } catch {
            choice.notices.forEach(printError)
            throw CommandError(sentence: error.sentence, exitStatus: error.exitStatus)
        }
        store = BookStore(source: source)
        notices += choice.notices
    }

    /// What the catalog is called in messages.
    var shownPath: String { RandomAccessInput.shownPath(path) }

    /// What of the catalog could not be read, with its name; nil where all could.
    var defects: String? { store.defects.sentence.map { "\(shownPath): \($0)" } }

    /// The path of the catalog that was named, or that `$STACKS_CATALOG` names; nil where none is.
    ///
    /// A name is a path, or what `config` has a path for; it is only read where there is no such file.
    static func path(named name: String?, in config: @autoclosure () -> Config) -> String? {
        guard let name = name ?? environmentValue("STACKS_CATALOG") else { return nil }
        if name.isEmpty || name == "-" || name.contains("/") || access(name, F_OK) == 0 { return name }
        return config().catalogs[name] ?? name
    }

    private static func unnamedPath(_ lastOpened: () -> String?, _ notices: inout [String]) -> String? {
        if let last = lastOpened() {
            if access(last, R_OK) == 0 { return last }
            notices.append("this is the catalog that comes with stacks, as the last one, \(last), is gone")
        }
        return BundledCatalog.path
    }
}
