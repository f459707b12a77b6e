internal import TerminalUI

/// The places of covers on the screen.
extension CoverShelf {
    /// The height of a cover divided by its width; most books are nearly so.
    private static let proportion = 1.5

    /// Returns the number of rows that a cover of this width takes.
    private func rows(ofColumns columns: Int) -> Int {
        max(1, Int((Double(columns) * support.cellAspect * Self.proportion).rounded()))
    }

    /// Returns the size of a cover that has at most this many rows and columns.
    private func size(ofRows rows: Int, columns: Int) -> Size {
        let columns = min(columns, Int(Double(rows) / (support.cellAspect * Self.proportion)))
        return Size(rows: min(rows, self.rows(ofColumns: columns)), columns: columns)
    }

    // MARK: - Card

    /// The widths of a cover beside the text of a card, in columns.
    private static let widthsInCard = 10...30
    /// The minimum width that a cover beside it leaves to the text.
    private static let textBeside = 20
    /// The minimum height of a card with a cover.
    private static let minimumHeight = 8

    /// Returns the place of a cover in a card of this size: beside the first lines, or above them in a narrow card; nil if
    /// there is no room.
    func placeInCard(ofSize card: Size) -> TextView.Place? {
        guard isShown, card.rows >= Self.minimumHeight else { return nil }
        // The margin of the text, and that of the scroll mark.
        let room = card.columns - Self.textBeside - 4
        if room >= Self.widthsInCard.lowerBound {
            let width = min(Self.widthsInCard.upperBound, max(Self.widthsInCard.lowerBound, card.columns * 2 / 5), room)
            return TextView.Place(size: size(ofRows: card.rows - 1, columns: width), isBeside: true)
        }
        let above = size(ofRows: card.rows * 2 / 5, columns: card.columns)
        return above.rows < 3 ? nil : TextView.Place(size: above, isBeside: false)
    }

    // MARK: - Grid

    /// The minimum width of a window with a grid of covers, in columns.
    static let gridWidth = 100
    /// The width of a cover in the grid.
    private static let widthInGrid = 14
    /// The columns beside a cover in the grid: the sign, and a margin on each side.
    private static let margins = 3

    /// The tiles of the grid in a pane of this height, which has titles above groups if the list is grouped.
    func tiles(inHeight height: Int, isGrouped: Bool) -> TableView.Tiles {
        // Title and author, and the blank line below.
        let rows = min(rows(ofColumns: Self.widthInGrid), max(1, height - (isGrouped ? 4 : 3)))
        return TableView.Tiles(
            width: Self.widthInGrid + Self.margins, figure: Size(rows: rows, columns: Self.widthInGrid))
    }
}

extension Figure {
    /// Creates the figure of a cover.
    init(_ cover: CoverShelf.Cover) {
        switch cover {
        case .picture(let picture): self = .picture(picture)
        case .loading: self = .frame("")
        case .missing(let reason): self = .frame("Cover " + reason)
        }
    }
}
