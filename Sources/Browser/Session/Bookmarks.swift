internal import Library

/// The places that the reader gave letters.
extension Session {
    /// Gives `place` a letter.
    func setBookmark(_ letter: Character, at place: Preferences.Place) {
        bookmarks.removeAll { $0.letter == letter }
        bookmarks.append(Bookmark(letter: letter, place: place))
        status.say(.bookmarkSet, String(letter), "\(keyLabel(of: .goToBookmark))\(letter)")
    }

    /// The place that has a letter; nil, and a message, if none has it.
    func bookmark(_ letter: Character) -> Preferences.Place? {
        if let known = bookmarks.first(where: { $0.letter == letter }) { return known.place }
        status.say(.bookmarkNotSet, String(letter), "\(keyLabel(of: .setBookmark))\(letter)")
        return nil
    }

    /// A place for people: "All books / garden, row 12".
    func text(of place: Preferences.Place) -> String {
        let name = library.list(of: place)?.name ?? "Lists"
        return name + (place.query.map { " / " + $0 } ?? "")
            + ", row \((min(max(0, place.row), .max - 1) + 1).grouped)"
    }
}
