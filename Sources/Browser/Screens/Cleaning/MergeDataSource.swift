internal import Books
internal import Catalog
internal import Indexing
internal import Library
internal import Shelves
internal import TerminalUI
internal import Text

/// Provides the values of the books of a group as rows of a table: for each field the value that the book gets, and the
/// others.
final class MergeDataSource: TableViewDataSource {
    private var proposal: MergeProposal?
    private var group: DuplicateGroup?
    /// The numbers of the choices in the order of the rows: first those with several values.
    private var order: [Int] = []
    private let library: Library

    /// The columns of the cells.
    static let columns = [
        TableColumn("Field", width: .fixed(12)),
        TableColumn("Kept", width: .share(1), minimumWidth: 10),
        TableColumn("Others", width: .share(1), minimumWidth: 10),
    ]

    /// Creates a source without values.
    init(_ library: Library) { self.library = library }

    /// Shows the values of a group. The table must be reloaded then.
    func show(_ proposal: MergeProposal?, of group: DuplicateGroup?) {
        (self.proposal, self.group) = (proposal, group)
        let choices = proposal?.choices ?? []
        let count = proposal?.books.count ?? 0
        order = choices.indices.filter { choices[$0].differs(among: count) }
        order += choices.indices.filter { !choices[$0].differs(among: count) }
    }

    /// Shows other choices for the same group.
    func update(_ proposal: MergeProposal?) { self.proposal = proposal }

    /// The number of the choice of a row; nil for the row of the record that stays.
    func choice(at row: Int) -> Int? { row == 0 ? nil : order[row - 1] }

    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int {
        proposal == nil ? 0 : order.count + 1
    }

    func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
        guard let proposal, let group else { return TableViewCell([]) }
        guard let number = choice(at: indexPath.row) else {
            let isEditions = group.reason == .editions
            return TableViewCell([
                .init("Record", style: .secondary),
                .init(place(of: proposal.kept), style: isEditions ? .plain : .strong),
                .init(otherPlaces(of: proposal), style: .secondary),
            ])
        }
        let choice = proposal.choices[number]
        let isSame = !choice.differs(among: proposal.books.count)
        return TableViewCell([
            .init(choice.field.info.label, style: .secondary),
            .init(Self.text(of: choice.value), style: isSame || group.reason == .editions ? .plain : .strong),
            .init(isSame ? "the same" : Self.others(of: choice, in: proposal), style: .secondary),
        ])
    }

    /// The greatest number of books or values that a text names.
    private static let shownCount = 20

    private func otherPlaces(of proposal: MergeProposal) -> String {
        let others = proposal.order.dropFirst()
        return others.prefix(Self.shownCount).map(place).joined(separator: ", ")
            + (others.count > Self.shownCount ? " …" : "")
    }

    /// The place of a book in the catalog, and whether it has the reader's data.
    private func place(of number: Int) -> String {
        guard let group else { return "" }
        let id = group.books[number]
        return "no. " + (id.index + 1).grouped + (library.shownUserData(of: id) == nil ? "" : ", with your data")
    }

    private static func text(of value: FieldValue) -> String { value.text.onOneLine }

    /// The values that are not chosen, each with the number of its records if there are more than two.
    private static func others(of choice: MergeProposal.Choice, in proposal: MergeProposal) -> String {
        var texts = choice.values.enumerated().filter { $0.offset != choice.chosen }.prefix(shownCount).map {
            _, value in
            let isSeveral = proposal.books.count > 2 && !value.books.isEmpty
            return text(of: value.value) + (isSeveral ? " (\(value.books.count))" : "")
        }
        let missing = proposal.books.count - Set(choice.values.flatMap(\.books)).count
        if missing > 0 { texts.append(proposal.books.count > 2 ? "none (\(missing))" : "none") }
        return texts.joined(separator: " | ")
    }

    /// Returns all values of a row in full.
    func whole(of row: Int) -> [TextView.Paragraph] {
        guard let proposal else { return [] }
        guard let number = choice(at: row) else {
            return proposal.order.prefix(Self.shownCount).map { book in
                let text = proposal.books[book].title
                let stays = book == proposal.kept
                return .init(text, label: stays ? "Stays" : "Goes", style: stays ? .plain : .secondary)
            }
        }
        let choice = proposal.choices[number]
        let others = choice.values.enumerated().filter { $0.offset != choice.chosen }.prefix(Self.shownCount).map(
            \.element)
        return [.init(choice.value.text, label: choice.isJoined ? "Joined" : "Kept")]
            + others.map { .init($0.value.text, label: $0.books.isEmpty ? "Joined" : "Other", style: .secondary) }
    }
}

extension MergeProposal.Choice {
    /// Whether not all of `count` books have the same value.
    fileprivate func differs(among count: Int) -> Bool { values.count > 1 || values[0].books.count < count }
}
