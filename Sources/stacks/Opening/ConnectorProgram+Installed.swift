internal import Catalog
internal import Glibc
internal import Remote
internal import Storage

extension ConnectorProgram {
    /// The path of the connector program, in the directory of this program or in ../libexec/stacks; nil if it is not
    /// installed.
    static var installedPath: String? {
        guard let program = resolvedPath("/proc/self/exe"), let slash = program.lastIndex(of: "/") else { return nil }
        let directory = program[..<slash]
        let candidates = ["\(directory)/stacks-connect", "\(directory)/../libexec/stacks/stacks-connect"]
        return candidates.first { access($0, X_OK) == 0 }
    }

    /// Creates the program with the cache in `directories`; fails if it is not installed or there is no cache
    /// directory.
    init?(in directories: Directories) {
        guard let path = Self.installedPath, let cache = directories.cache else { return nil }
        self.init(path: path, cache: cache)
    }
}
