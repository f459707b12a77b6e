internal import Catalog
internal import Library
internal import Search
internal import TerminalUI

/// The values that what is listed has, over the list.
extension Browser {
    /// Shows them.
    func openFacets() {
        overlays.append(.facets)
        facetsSource.facets = nil
        facetsTable.placeholder = "Counting ..."
        facetsTable.reloadData()
        facetCount = FacetCount(
            of: bookSource.list, in: library.store.index, marks: library.searchMarks, by: listing.counters,
            notifying: notify)
        _ = facetCount?.wait(milliseconds: timeBudget)
        takeInFacets()
        facetsTable.select(0, top: 0)
    }

    /// What a command does among them.
    func performAmongFacets(_ request: KeyInterpreter.Request) {
        switch request.command {
        case .open: narrow(excluding: false)
        case .exclude: narrow(excluding: true)
        case .facets: closeOverlay()
        case .nextSection, .previousSection: moveBySections(in: facetsTable, request)
        default: move(in: facetsTable, request)
        }
    }

    /// Stops counting them, where that goes on.
    func stopCountingFacets() {
        facetCount?.stop()
        facetCount = nil
    }

    /// Shows what was counted in the background.
    func takeInFacets() {
        guard let facets = facetCount?.facets else { return }
        facetCount = nil
        facetsSource.facets = facets
        facetsTable.placeholder = "There are no books to count."
        facetsTable.reloadData()
    }

    /// Lists those of the books that have the selected value, or those that do not.
    func narrow(excluding isExcluded: Bool) {
        guard let selected = facetsTable.selectedRow else { return }
        let row = facetsSource.row(at: facetsTable.indexPath(forRow: selected))
        let query = row.value?.query(in: library.store) ?? row.facet.unknownQuery
        let isNegative = query.hasPrefix("-")
        let part =
            isExcluded ? (isNegative ? String(query.dropFirst()) : Query.text(excluding: query)) : query
        closeOverlay()
        goOn(to: [listing.request.query.text, part].filter { !$0.isEmpty }.joined(separator: " "), isSameList: true)
    }
}
