internal import Catalog
internal import Storage

extension CopyLimits {
    /// Returns the limits that the config file sets.
    static func ofConfig(in directories: Directories) -> CopyLimits {
        let megabytes = ConfigFile(in: directories).read().copyLimit
        return CopyLimits(copy: megabytes.map { $0 << 20 } ?? standardCopy, state: directories.state)
    }
}
