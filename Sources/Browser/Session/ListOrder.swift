internal import Catalog
internal import Library
internal import Search

/// Orders and sections, as they are said.
extension BookListModel {
    /// Orders the list by `key`; once more, the other way round. Without a key, in its own order.
    ///
    /// - Parameter isFurther: Whether it decides only where the order is the same.
    func sort(by key: SortOrder.Key?, isFurther: Bool = false) {
        var request = request
        if let key {
            request.order = isFurther ? request.order.asking(forFurther: key) : request.order.asking(for: key)
        } else {
            request.order = .list
        }
        ask(for: request)
        if request.order == .list {
            status.say(.listOrder)
        } else {
            status.say(.sortedBy, request.order.sentence)
        }
    }

    /// Shows the list in sections.
    func section(by key: SectionKey?) {
        var request = request
        request.grouping = key
        ask(for: request)
        status.say(key.map { Message.groupedBy.text($0.label) } ?? Message.notGrouped.text())
    }

    /// What of the list is shown, and how: " / garden ▸ title ↑".
    var requestText: String {
        var text = request.query.text.isEmpty ? "" : " / " + request.query.text
        if request.order != .list { text += " ▸ " + request.order.sign }
        if let grouping = request.grouping { text += " by " + grouping.label }
        switch progress {
        case .sorting: text += ", sorting"
        case .searching: text += ", searching"
        case .grouping: text += ", grouping"
        case nil: break
        }
        return text
    }
}

extension SortOrder {
    /// The order for people: "year (newest first), then title".
    fileprivate var sentence: String {
        criteria.map { $0.key.label + ($0.isReversed ? " (\($0.key.descendingLabel))" : "") }
            .joined(separator: ", then ")
    }

    /// The order for the title bar: "year ↑ title ↓"; "" for the list's own.
    fileprivate var sign: String {
        criteria.map { $0.key.label + ($0.isReversed ? " ↓" : " ↑") }.joined(separator: " ")
    }
}

extension SortOrder.Key {
    /// What a reversed order begins with.
    fileprivate var descendingLabel: String {
        switch self {
        case .title, .author, .series: "from Z to A"
        case .year: "newest first"
        case .pages: "longest first"
        case .rating: "best first"
        case .added: "latest first"
        }
    }

    /// The key for people.
    fileprivate var label: String { self == .added ? "date added" : rawValue }
}

extension SectionKey {
    /// The key for people.
    fileprivate var label: String { self == .fiction ? "kind" : rawValue }
}
