internal import Catalog
internal import Editing
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
