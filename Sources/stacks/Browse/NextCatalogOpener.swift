internal import Browser
internal import Glibc
internal import Storage
internal import Threading

/// An open catalog, and the absolute path under which its position is remembered.
struct CatalogOnScreen {
    /// The catalog.
    let catalog: OpenedCatalog
    /// The absolute path, or the address; the path as given if it cannot be resolved.
    let place: String

    /// Takes over a catalog that was opened, and resolves its path, which may be on a slow disk.
    init(_ catalog: OpenedCatalog) {
        self.catalog = catalog
        place = resolvedPath(catalog.path) ?? catalog.path
    }
}

/// Opens the catalogs that replace the one on the screen in other threads, since they may be on slow disks.
final class NextCatalogOpener {
    private var latest = Handover()

    /// Hands a catalog from the thread that opens it to the one that shows it.
    private final class Handover: @unchecked Sendable {
        // Unchecked: the thread that opened the catalog no longer uses it when another can take it.
        private let opened = Locked<CatalogOnScreen?>(nil)

        func put(_ catalog: CatalogOnScreen) { opened.withLock { $0 = catalog } }

        func take() -> CatalogOnScreen? {
            opened.withLock { opened in
                defer { opened = nil }
                return opened
            }
        }
    }

    /// Starts to open the catalog of `request`; `notify` is called on any thread when that has ended. Only the one that was
    /// started last can be taken.
    func open(
        _ request: CatalogRequest, in directories: Directories, notifying notify: @escaping @Sendable () -> Void
    ) -> BackgroundTask<OpeningOutcome> {
        let handover = Handover()
        latest = handover
        return BackgroundTask(notifying: notify) { isCancelled in
            do throws(CommandError) {
                let opened = CatalogOnScreen(try request.open(in: directories, edits: .kept) { nil })
                if isCancelled() { return nil }
                handover.put(opened)
                return .opened
            } catch {
                return .failed(error.sentence)
            }
        }
    }

    /// Takes the catalog that was opened; nil if none was.
    func take() -> CatalogOnScreen? { latest.take() }
}
