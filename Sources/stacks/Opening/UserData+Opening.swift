internal import Library
internal import Shelves
internal import Storage

extension UserData {
    /// What is the reader's own; what of it cannot be read is told in `notices`.
    ///
    /// - Parameter waits: Whether it is read however much it is; else what is much is left to be read later.
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
        // One may be torn by a crash, which is no reason to worry anybody.
        if shelves.unreadableLineCount > 1, let path = shelves.path {
            notices.append(
                "favourites may be missing, as \(shelves.unreadableLineCount.grouped) lines of "
                    + "\(abbreviatedPath(path)) cannot be read")
        }
        return shelves
    }
}
