internal import Catalog
internal import Editing
internal import Remote
internal import Storage

extension CopyLimits {
    /// Returns the limits that the config file sets.
    static func ofConfig(in directories: Directories) -> CopyLimits {
        let megabytes = ConfigFile(in: directories).read().copyLimit
        return CopyLimits(
            copy: megabytes.map { $0 << 20 } ?? standardCopy,
            hasUnsavedEdits: { address in
                directories.state.map { EditedCatalog.hasUnsavedEdits(ofCatalog: address, in: $0) } ?? false
            })
    }
}

extension SourceAccess {
    /// Creates the access to a catalog for copying it, with the settings of the config file.
    ///
    /// - Parameter program: The path of the connector program, if it is installed.
    init(
        to name: CatalogName, by program: String?, copying: CopyChoice = CopyChoice(), in directories: Directories
    ) {
        let encoding = copying.encoding ?? ConfigFile(in: directories).read().encodings[name.source]
        let limits = { @Sendable in CopyLimits.ofConfig(in: directories) }
        guard let passwords = name.passwords else {
            self.init(program: program, refreshes: copying.refreshes, encoding: encoding, limits: limits)
            return
        }
        self.init(
            program: program, refreshes: copying.refreshes, encoding: encoding, credentials: passwords.answer,
            user: passwords.user, limits: limits)
    }
}
