internal import Catalog
internal import Editing
internal import Glibc
internal import Library
internal import Remote
internal import Storage
internal import Text

/// The catalog to open, as requested by the user.
struct CatalogRequest {
    /// The path or name given by the user, if any; "-" is standard input.
    var name: String?
    /// The profile given by the user, if any.
    var profile: String?
    /// How a catalog that is not JSON is copied.
    var copying = CopyChoice()

    /// Opens the named catalog, otherwise `$STACKS_CATALOG`, otherwise the one opened last, otherwise the bundled one.
    ///
    /// - Parameters:
    ///   - edits: The treatment of unsaved edits.
    ///   - lastOpened: Returns the path of the catalog opened last; called only if no catalog is named.
    func open(
        in directories: Directories, edits: UnsavedEdits = .included, lastOpened: () -> String?
    ) throws(CommandError) -> OpenedCatalog {
        if name == "" {
            throw CommandError(sentence: CommandMessage.catalogNameIsEmpty.text(), exitStatus: ExitStatus.usage)
        }
        // The config is read only if needed.
        var distrust: String?
        func config() -> Config {
            let config = ConfigFile(in: directories).read()
            distrust = config.distrust
            return config
        }
        var notices: [String] = []
        guard let given = CatalogName.path(named: name, in: config()) ?? Self.unnamedPath(lastOpened, &notices) else {
            throw CommandError(sentence: CommandMessage.noBundledCatalog.text(), exitStatus: ExitStatus.noInput)
        }
        let found = CatalogName(given, in: config())
        if let distrust { throw CommandError(sentence: distrust, exitStatus: ExitStatus.configuration) }
        if let sentence = directories.cacheDistrustSentence { notices.append(sentence) }
        // The browser has a dialog for them.
        if edits == .kept { found.passwords?.stopPrompting() }
        let profiles = ProfileLibrary(in: directories)
        var opener = CatalogOpener(
            name: found, choice: try ProfileChoice(named: profile, forCatalog: found.path, in: profiles),
            directories: directories, cache: IndexCache(in: directories), copying: copying, waits: edits != .kept)
        func title() -> String {
            // A name of the config file is shorter than an address.
            let names = config().catalogs.filter { $0.value == given }.keys
            return name.flatMap { $0 == given ? nil : $0 } ?? names.min() ?? found.path
        }
        let content = try opener.open(titled: title())
        return OpenedCatalog(
            name: found, content: content, edits: edits, in: directories, profiles: profiles,
            notices: notices + opener.notices, profileNotices: opener.choice.notices)
    }

    private static func unnamedPath(_ lastOpened: () -> String?, _ notices: inout [String]) -> String? {
        if let last = lastOpened() {
            if SourceAddress.isAddress(last) || access(last, R_OK) == 0 { return last }
            notices.append(CommandMessage.lastCatalogGone.text(last))
        }
        return BundledCatalog.path
    }
}
