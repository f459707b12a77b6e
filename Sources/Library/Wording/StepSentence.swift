public import Shelves

extension UndoStep {
    /// The description of the change: "★ Favourite: Emma".
    public var sentence: String {
        let books = bookCount == 1 ? title ?? "1 book" : bookCount.of("book")
        return switch kind {
        case .favourite(let isFavourite): (isFavourite ? "★ Favourite: " : "No longer a favourite: ") + books
        case .shelf(let name, let isOn): (isOn ? "On \(name): " : "No longer on \(name): ") + books
        case .status(let status): (status?.shown ?? "No status") + ": " + books
        case .rating(let rating): (rating.map(Self.stars) ?? "Not rated") + ": " + books
        case .note(let note): (note == nil ? "No note any more: " : "Note: ") + books
        case .several: "Several marks: " + books
        case .makeShelf(let name): "New shelf: \(name)"
        case .renameShelf(let old, let new): "Shelf \(old) renamed: \(new)"
        case .moveShelf(let name): "Shelf moved: \(name)"
        case .deleteShelf(let name): "Shelf deleted: \(name)"
        case .saveQuery(let name): "Query saved: \(name)"
        case .renameQuery(let old, let new): "Query \(old) renamed: \(new)"
        case .moveQuery(let name): "Query moved: \(name)"
        case .changeQuery(let name): "Query changed: \(name)"
        case .deleteQuery(let name): "Query deleted: \(name)"
        case .goBack(let count): "\(count.of("change")) taken back"
        }
    }

    /// Returns a rating as stars: "★★★☆☆".
    public static func stars(_ rating: Int) -> String {
        let count = min(max(rating, 0), 5)
        return String(repeating: "★", count: count) + String(repeating: "☆", count: 5 - count)
    }
}
