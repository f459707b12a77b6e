internal import Storage

extension MirrorDirectory {
    /// Deletes the least recently used copies and pages of other sources while all of them together are larger than the
    /// limits allow, but none that is in use, or whose catalog has unsaved edits: they are edits of the copy.
    func deleteUnusedOthers(above limits: CopyLimits) {
        let remote = cache + "/remote"
        let others = ((try? fileNames(inDirectory: remote)) ?? []).map { "\(remote)/\($0)" }.filter { $0 != path }
        let dated = others.map { (path: $0, size: sizeOfFiles(below: $0), time: DirectoryUse.lastTime(of: $0)) }
        var total = dated.reduce(sizeOfFiles(below: path)) { $0 + $1.size }
        for other in dated.sorted(by: { $0.time < $1.time }) where total > limits.total {
            DirectoryUse.whileUnused(other.path) {
                let source = Self.source(ofDirectoryAt: other.path)
                if DownloadFile.deleteLeftOvers(in: other.path) || source.map(limits.hasUnsavedEdits) ?? false {
                    return
                }
                // What cannot be deleted now is deleted later.
                if (try? deleteDirectory(other.path)) != nil { total -= other.size }
            }
        }
    }
}
