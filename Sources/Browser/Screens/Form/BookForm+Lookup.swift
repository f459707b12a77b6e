internal import Books
internal import Library
internal import TerminalUI

/// Looking the book in the form up, and taking over what was found.
extension BookForm {
    /// Looks the book up by its ISBN, or else by its title and first author.
    func lookUpBook(_ app: App) {
        leave()
        guard let query = isbnQuery ?? titleQuery else { return refusal = Message.lookUpWhat.text() }
        refusal = nil
        lookUp(query, isAsked: true, app)
    }

    func lookUp(_ query: LookupQuery, isAsked: Bool, _ app: App) {
        lookUp?(query, isAsked, app) { [weak self] findings in self?.show(findings) }
    }

    /// The query for the ISBN in the form; nil without a valid one.
    var isbnQuery: LookupQuery? {
        guard case .isbn(let isbn)? = value(of: .isbn), let digits = isbn.digits(length: 13) else { return nil }
        return .isbn(ISBN(digits))
    }

    private var titleQuery: LookupQuery? {
        guard case .text(let title)? = value(of: .title), title.contains(where: { $0.isLetter || $0.isNumber }) else {
            return nil
        }
        return .title(title, author: value(of: .authors)?.texts.first ?? "")
    }

    private func value(of field: BookField) -> FieldValue? {
        fields.first { $0.field == field }.flatMap { try? $0.value() }
    }

    /// The series in the form, to which numbers belong.
    var series: String? { value(of: .series)?.text }

    /// Fills the empty fields with the values on which the sources agree; the first other one of which they know gets the
    /// cursor. What was typed stays.
    func fill() {
        guard let book = findings.current else { return }
        refusal = nil
        let series = series ?? book.agreed(for: .series)?.value.text
        var differing: Int?
        for index in fields.indices where fields[index].isEmpty || isPlaceholder(index) {
            let offers = book.offers(for: fields[index].field, inSeries: series)
            if offers.count == 1 {
                fields[index].take(offers[0].value)
                if index >= extent.shownCount { extent.shownCount = fields.count }
            } else if !offers.isEmpty, differing == nil {
                differing = index
            }
        }
        guard let differing else { return }
        leave()
        reveal(differing)
    }

    /// Whether the title is the ISBN, because no source knew the book when it was scanned.
    private func isPlaceholder(_ index: Int) -> Bool {
        guard fields[index].field == .title, case .isbn(let isbn)? = value(of: .isbn) else { return false }
        return fields[index].editor.text == isbn.formatted
    }

    /// Replaces the text of the field by the next value of the sources; after the last one, the first.
    func takeNext() {
        guard let book = findings.current, !fields[current].isLocked else { return }
        let offers = book.offers(for: fields[current].field, inSeries: series)
        guard !offers.isEmpty else { return }
        let place = offers.firstIndex { fields[current].hasText(of: $0.value) }
        fields[current].take(offers[((place ?? -1) + 1) % offers.count].value)
        refusal = nil
    }
}
