public import Books

/// The meaning of a Goodreads shelf.
public enum GoodreadsShelf: Hashable, Sendable {
    /// The book is a favourite.
    case favourites
    /// The book has this reading status.
    case status(Book.ReadingStatus)
    /// The book is on the user's shelf of this name.
    case shelf(String)

    /// Creates the meaning of the shelf with this name.
    public init(named name: String) {
        switch name.lowercased() {
        case "favorites", "favourites", "favorite", "favourite": self = .favourites
        case "read": self = .status(.read)
        case "to-read": self = .status(.toRead)
        case "currently-reading": self = .status(.reading)
        case "abandoned", "dnf", "did-not-finish": self = .status(.abandoned)
        default: self = .shelf(name)
        }
    }

    /// The name of the shelf for favourites.
    static let nameOfFavourites = "favorites"

    /// Returns the name of the shelf of a reading status; each book is on at most one of these.
    static func name(of status: Book.ReadingStatus) -> String {
        switch status {
        case .toRead: "to-read"
        case .reading: "currently-reading"
        case .read: "read"
        case .abandoned: "did-not-finish"
        }
    }

    /// Returns whether a user's shelf with this name would be read as favourites or a status.
    static func isSpecial(_ name: String) -> Bool { Self(named: name) != .shelf(name) }

    /// Returns the list of the shelves of a book, with those of favourites and of a status other than read, which is
    /// not a shelf.
    static func list(of userData: PrintedUserData, with status: Book.ReadingStatus?) -> String {
        let shelves = QuotedList.text(of: userData.shelves, separator: ",", isSpecial: isSpecial)
        let status = status.flatMap { $0 == .read ? nil : name(of: $0) }
        let favourites = userData.isFavourite ? nameOfFavourites : nil
        return [status, favourites, shelves.isEmpty ? nil : shelves].compactMap(\.self).joined(separator: ", ")
    }
}
