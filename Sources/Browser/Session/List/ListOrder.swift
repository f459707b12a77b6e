internal import Books
internal import Catalog
internal import Library
internal import Search

/// Sorting and grouping, with messages.
extension BookListModel {
    /// Sorts the list by `key`; if it is sorted by it already, reverses the order. Without a key, restores the list
    /// order.
    ///
    /// - Parameter isFurther: Whether the key only breaks ties of the current order.
    func sort(by key: SortOrder.Key?, isFurther: Bool = false) {
        if let key, let keys = library.store.remote?.sortKeys, !keys.contains(key) {
            let others = SortOrder.Key.ofEveryBook.filter(keys.contains).map(\.label).joined(separator: ", ")
            return status.say(
                others.isEmpty
                    ? Message.cannotSort.text(library.store.name)
                    : Message.cannotSortBy.text(library.store.name, key.label, others))
        }
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

    /// Groups the list by `key`.
    func section(by key: SectionKey?) {
        var request = request
        request.grouping = key
        ask(for: request)
        status.say(key.map { Message.groupedBy.text($0.label) } ?? Message.notGrouped.text())
    }

    /// The order of the list: "title ↑"; "" for the list order.
    var orderText: String { request.order == .list ? "" : request.order.sign }

    /// The grouping, order and query of the list, for the title bar: " ▸ decade, title ↑  ⟂ garden".
    var barText: String {
        let arrangement = [request.grouping?.label ?? "", orderText].filter { !$0.isEmpty }
        let text = arrangement.isEmpty ? "" : " ▸ " + arrangement.joined(separator: ", ")
        return text + (request.query.text.isEmpty ? "" : "  ⟂ " + request.query.text) + stateText
    }

    /// The query, order and grouping of the list, for other screens and in words: " / garden ▸ title ↑".
    var requestText: String {
        var text = request.query.text.isEmpty ? "" : " / " + request.query.text
        if request.order != .list { text += " ▸ " + request.order.sign }
        if let grouping = request.grouping { text += " by " + grouping.label }
        return text + stateText
    }

    /// The words that the search ignores, and what is still being done.
    private var stateText: String {
        var text = ""
        let ignoredTerms = pipeline.rows.ignoredTerms
        if !ignoredTerms.isEmpty { text += " without " + ignoredTerms.joined(separator: " ") }
        switch progress {
        case .sorting: text += ", sorting"
        case .searching: text += ", searching"
        case .grouping: text += ", grouping"
        case .readingFields:
            text += ", reading fields" + (library.fractionOfColumns.map { " \(Int($0 * 100)) %" } ?? "")
        case nil: break
        }
        return text
    }
}

extension SortOrder {
    /// The order in words: "year (newest first), then title".
    fileprivate var sentence: String {
        criteria.map {
            ($0.key.hasDirection ? $0.key.label : "random order")
                + ($0.isReversed ? " (\($0.key.descendingLabel))" : "")
        }
        .joined(separator: ", then ")
    }

    /// The order for the title bar: "year ↑ title ↓"; "" for the list order.
    fileprivate var sign: String {
        criteria.map { $0.key.label + ($0.key.hasDirection ? $0.isReversed ? " ↓" : " ↑" : "") }.joined(separator: " ")
    }
}

extension SortOrder.Key {
    /// The label of the reversed order.
    fileprivate var descendingLabel: String {
        switch self {
        case .title, .author, .series: "from Z to A"
        case .own(let field):
            switch field.info.order {
            case .greatestFirst?: "newest first"
            case .number?: "greatest first"
            case .text?, nil: "from Z to A"
            }
        case .year: "newest first"
        case .pages: "longest first"
        case .rating, .mine: "best first"
        case .added, .read: "latest first"
        case .status: "abandoned first"
        case .random: "random"
        }
    }

    /// The label of the key.
    var label: String {
        switch self {
        case .own(let field): field.info.label.uncapitalized
        case .added: "date added"
        case .mine: "my rating"
        case .read: "date read"
        default: name
        }
    }

    /// Whether the order has a direction that can be reversed.
    fileprivate var hasDirection: Bool { if case .random = self { false } else { true } }
}

extension SectionKey {
    /// The label of the key.
    var label: String {
        if case .own(let field) = self { return field.info.label.uncapitalized }
        return self == .fiction ? "kind" : rawValue
    }
}

extension String {
    /// The label of a field within a sentence: "lent to", but "ISSN".
    var uncapitalized: String {
        dropFirst().first?.isUppercase == true ? self : prefix(1).lowercased() + dropFirst()
    }
}
