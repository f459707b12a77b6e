internal import Browser
internal import Shelves
internal import Storage

extension Favourites {
    /// The reader's favourites; what of them cannot be read is told in `notices`.
    static func saved(in directories: Directories, notices: inout [String]) -> Favourites {
        let favourites = Favourites(directory: directories.data)
        do throws(FileError) {
            try favourites.load()
        } catch {
            if !error.isMissing {
                notices.append(
                    "favourites are missing, as \(abbreviatedPath(error.path)) cannot be read, \(error.cause)")
            }
        }
        // One may be torn by a crash, which is no reason to worry anybody.
        if favourites.unreadableLineCount > 1, let path = favourites.path {
            notices.append(
                "favourites may be missing, as \(favourites.unreadableLineCount.grouped) lines of "
                    + "\(abbreviatedPath(path)) cannot be read")
        }
        return favourites
    }
}
