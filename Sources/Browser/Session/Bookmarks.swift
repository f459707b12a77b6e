internal import Library

/// Setting bookmarks and going to them.
extension Session {
    /// Sets bookmark `letter` at `place`.
    func setBookmark(_ letter: Character, at place: Preferences.Place) {
        history.bookmarks.removeAll { $0.letter == letter }
        history.bookmarks.append(Bookmark(letter: letter, place: place))
        status.say(.bookmarkSet, String(letter), "\(keyLabel(of: .goToBookmark))\(letter)")
    }

    /// Returns the place of a bookmark. Returns nil and shows a message if the bookmark is not set.
    func bookmark(_ letter: Character) -> Preferences.Place? {
        if let known = history.bookmarks.first(where: { $0.letter == letter }) { return known.place }
        status.say(.bookmarkNotSet, String(letter), "\(keyLabel(of: .setBookmark))\(letter)")
        return nil
    }

    /// The place in words: "All books / garden, row 12".
    func text(of place: Preferences.Place) -> String {
        let name = library.list(of: place)?.name ?? "Lists"
        return name + (place.query.map { " / " + $0 } ?? "")
            + ", row \((min(max(0, place.row), .max - 1) + 1).grouped)"
    }
}
