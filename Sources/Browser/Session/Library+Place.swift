internal import Library

extension Library {
    /// The list of a place; nil for the screen of all lists.
    func list(of place: Preferences.Place) -> NamedList? {
        guard place.lastViewedListIndex >= 0 else { return nil }
        return list(withID: place.list, near: place.lastViewedListIndex)
    }
}
