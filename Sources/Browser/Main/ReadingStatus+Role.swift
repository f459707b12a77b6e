internal import Books
internal import TerminalUI

extension Book.ReadingStatus {
    /// The role of the sign of the status, by which themes tell it apart.
    var role: Style.Role {
        switch self {
        case .read: .read
        case .reading: .reading
        case .toRead, .abandoned: .plain
        }
    }
}
