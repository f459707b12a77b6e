import Storage

@testable import Catalog

extension JSONFileRecords {
    /// Restores the records of the file at `path` from `cache`, as an opening does; fails if it cannot.
    convenience init?(knownTo cache: IndexCache, _ path: String, by profile: Profile? = nil) throws {
        let file = try RandomAccessInput(path)
        guard let index = cache.index(of: file) else { return nil }
        self.init(file, index, in: cache, by: profile, of: ProfileLibrary(directory: nil))
    }
}
