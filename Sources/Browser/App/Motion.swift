internal import TerminalUI

extension Command.Motion {
    /// Moves `count` steps in the rows of `table`.
    ///
    /// - Parameter go: Goes to a row, or to the last one for nil.
    func apply(to table: TableView, count typed: Int?, go: (Int?) -> Void) {
        let count = typed ?? 1
        let page = max(1, table.visibleRowCount)
        switch self {
        case .down: table.moveSelection(byLines: count)
        case .up: table.moveSelection(byLines: -count)
        case .top: go(count - 1)
        case .end: go(typed.map { $0 - 1 })
        case .halfPageDown: table.scroll(by: max(1, page / 2).times(count))
        case .halfPageUp: table.scroll(by: -max(1, page / 2).times(count))
        case .pageDown: table.scroll(byPages: count)
        case .pageUp: table.scroll(byPages: -count)
        case .scrollTo(let place): table.scrollSelection(to: place)
        case .goTo(let place): table.select(at: place)
        case .nextSection: table.selectNextSection(by: count)
        case .previousSection: table.selectNextSection(by: -count)
        }
    }

    /// Moves in the rows of `table`, all of which are loaded.
    func apply(to table: TableView, count: Int?) {
        apply(to: table, count: count) { table.select($0 ?? table.rowCount - 1) }
    }

    /// Scrolls `view`.
    func apply(to view: some ScrollingView, count typed: Int?) {
        let count = typed ?? 1
        let page = max(1, view.frame.height)
        switch self {
        case .down: view.scroll(by: count)
        case .up: view.scroll(by: -count)
        case .top: view.scroll(by: -.max)
        case .end: view.scroll(by: .max)
        case .halfPageDown: view.scroll(by: max(1, page / 2).times(count))
        case .halfPageUp: view.scroll(by: -max(1, page / 2).times(count))
        case .pageDown: view.scroll(by: page.times(count))
        case .pageUp: view.scroll(by: -page.times(count))
        case .scrollTo, .goTo, .nextSection, .previousSection: break
        }
    }
}

extension Command.Step {
    /// Returns the offset of `count` steps; positive is down.
    func rows(count: Int?) -> Int { self == .down ? count ?? 1 : -(count ?? 1) }
}

extension Int {
    /// The product, or `Int.max` if it overflows; both factors are non-negative.
    fileprivate func times(_ other: Int) -> Int {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }
}
