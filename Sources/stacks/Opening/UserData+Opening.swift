internal import Library
internal import Shelves
internal import Storage

extension UserData {
    /// Loads the user data and adds a notice for each part that cannot be read.
    ///
    /// - Parameter waits: Whether to load large files now; otherwise they are left for later.
    static func saved(in directories: Directories, waits: Bool = true, notices: inout [String]) -> UserData {
        let shelves = UserData(directory: directories.data)
        if !waits && shelves.isLarge { return shelves }
        do throws(FileError) {
            try shelves.load()
        } catch {
            if !error.isMissing {
                notices.append(
                    "favourites and shelves are missing, as \(abbreviatedPath(error.path)) cannot be read, "
                        + "\(error.cause)")
            }
        }
        if let notice = shelves.notice { notices.append(notice) }
        // A crash can leave one torn line, which need not worry anyone.
        if shelves.unreadableLineCount > 1, let path = shelves.path {
            notices.append(
                "favourites may be missing, as \(shelves.unreadableLineCount.grouped) lines of "
                    + "\(abbreviatedPath(path)) cannot be read")
        }
        return shelves
    }
}
