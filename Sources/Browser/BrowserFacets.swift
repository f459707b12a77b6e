internal import Catalog
internal import Storage
internal import TerminalUI

/// The values that what is listed has, over the list.
extension Browser {
    /// Shows them, or closes them.
    func toggleFacets() {
        if areFacetsShown {
            closeFacets()
            return
        }
        guard case .books = screen, !isHelpShown else { return }
        areFacetsShown = true
        facetsSource.facets = nil
        facetsTable.placeholder = "Counting ..."
        facetsTable.reloadData()
        facetCount = FacetCount(
            of: bookSource.list, in: library.store.index, by: listing.counters, notifying: notify)
        _ = facetCount?.wait(milliseconds: patience)
        takeInFacets()
        facetsTable.select(0, top: 0)
    }

    /// Closes them.
    func closeFacets() {
        areFacetsShown = false
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
        guard areFacetsShown, let selected = facetsTable.selectedRow else { return }
        let row = facetsSource.row(at: facetsTable.indexPath(forRow: selected))
        let query = row.value?.query(in: library.store) ?? row.facet.unknownQuery
        let isNegative = query.hasPrefix("-")
        let part =
            isExcluded ? (isNegative ? String(query.dropFirst()) : Query.text(excluding: query)) : query
        closeFacets()
        goOn(to: [listing.request.query.text, part].filter { !$0.isEmpty }.joined(separator: " "), isSameList: true)
    }

    /// Draws them.
    func drawFacets(in body: Rect, on canvas: inout Canvas) {
        facetsTable.frame = body
        facetsTable.draw(on: &canvas, isFocused: true)
    }
}
