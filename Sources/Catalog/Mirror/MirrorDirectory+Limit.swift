internal import CSystem
internal import Glibc
internal import Storage

extension MirrorDirectory {
    /// Deletes the least recently used copies and pages of other sources while all of them together are larger than the
    /// limits allow, but none that is in use, or whose catalog has unsaved edits: they are edits of the copy.
    func deleteUnusedOthers(above limits: CopyLimits) {
        let remote = cache + "/remote"
        let others = ((try? fileNames(inDirectory: remote)) ?? []).map { "\(remote)/\($0)" }.filter { $0 != path }
        let dated = others.map { (path: $0, size: Self.size(of: $0), time: DirectoryUse.lastTime(of: $0)) }
        var total = dated.reduce(Self.size(of: path)) { $0 + $1.size }
        for other in dated.sorted(by: { $0.time < $1.time }) where total > limits.total {
            DirectoryUse.whileUnused(other.path) {
                if NewCopyFile.deleteLeftOvers(in: other.path) || Self.hasUnsavedEdits(other.path, limits) { return }
                // What cannot be deleted now is deleted later.
                if (try? deleteDirectory(other.path)) != nil { total -= other.size }
            }
        }
    }

    private static func hasUnsavedEdits(_ path: String, _ limits: CopyLimits) -> Bool {
        guard let source = source(ofDirectoryAt: path), let state = limits.state else { return false }
        return EditJournal.hasUnsavedEdits(ofCatalog: source, in: state + "/edits")
    }

    /// Returns the size of the files in a directory and in those below it, in bytes.
    private static func size(of path: String) -> Int {
        var status = stat()
        guard lstat(path, &status) == 0 else { return 0 }
        guard status.st_mode & S_IFMT == S_IFDIR else { return Int(status.st_size) }
        return ((try? fileNames(inDirectory: path)) ?? []).reduce(0) { $0 + size(of: "\(path)/\($1)") }
    }
}
