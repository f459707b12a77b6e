internal import Library
internal import Shelves
internal import Storage
internal import Text

extension UserData {
    /// Loads the user data and adds a notice for each part that cannot be read.
    ///
    /// - Parameter waits: Whether to load large files now; otherwise they are left for later.
    static func saved(in directories: Directories, waits: Bool = true, notices: inout [String]) -> UserData {
        let userData = UserData(directory: directories.data)
        if !waits && userData.isLarge { return userData }
        do throws(FileError) {
            try userData.load()
        } catch {
            if !error.isMissing {
                notices.append(
                    CommandMessage.userDataMissing.text(abbreviatedPath(error.path), error.cause))
            }
        }
        if let notice = userData.notice { notices.append(notice) }
        if let notice = userData.incompleteText { notices.append(notice) }
        return userData
    }
}
