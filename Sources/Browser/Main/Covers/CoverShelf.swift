internal import Books
internal import ConnectorProtocol
internal import Library
internal import Remote
internal import TerminalUI

/// The covers on the screen: loads those of the books that stand still, and keeps those that were seen last.
final class CoverShelf {
    /// What there is to show of a cover.
    enum Cover: Hashable {
        /// Its picture.
        case picture(Picture)
        /// It is being loaded.
        case loading
        /// It cannot be shown, for this reason.
        case missing(String)
    }

    /// The way in which the terminal shows pictures.
    var support = PictureSupport.none
    /// The user's settings.
    let settings: CoverSettings
    private let places: CoverPlaces
    /// Creates the loader; returns nil if the connector program is not installed.
    var makeLoader: () -> CoverLoader? = { nil }
    private lazy var loader: CoverLoader? = makeLoader()
    private var kept = KeptCovers()
    /// The covers on the screen that are not loaded yet, the most urgent first, and whether they are being loaded.
    private var wishes: [CoverLoader.Wish] = []
    private var loading: [CoverLoader.Wish] = []
    /// The servers that the user has named.
    private var allowed: Set<ServerOrigin>
    /// The addresses that the user has asked for in this run.
    private var requested: Set<String> = []
    /// Whether the last screen had a place for a cover.
    private(set) var hasPlace = false
    /// Whether there are thumbnails of the pictures at addresses.
    private var hasThumbnail: [String: Bool] = [:]

    /// The time in milliseconds that books stand still before their covers are loaded.
    static let delay = 80

    /// Creates the covers of the catalog at a path or address.
    init(ofCatalogAt catalogPath: String? = nil, _ settings: CoverSettings = CoverSettings()) {
        self.settings = settings
        places = CoverPlaces(besideCatalogAt: catalogPath)
        allowed = Set(catalogPath.map(ServerOrigin.all(in:)) ?? []).union(settings.servers)
    }

    /// Ends loading.
    func end() { loader?.end() }

    /// Whether the terminal shows pictures, and the user wants covers.
    var isShown: Bool { settings.shows && support.form != .none }

    // MARK: - Drawing

    /// Forgets which covers the last screen had.
    func beginScreen() { (wishes, hasPlace) = ([], false) }

    /// Returns what there is to show of the cover of a book in a place of this size; nil for no cover. One that is not
    /// loaded yet is wanted from now on.
    ///
    /// - Parameter isAhead: Whether it is not on the screen, but may be soon; nothing is fetched for it.
    func cover(of book: Book, in size: Size, isAhead: Bool = false) -> Cover? {
        guard isShown, size.rows > 0, size.columns > 0 else { return nil }
        if !isAhead { hasPlace = true }
        guard let source = places.source(of: book).flatMap(available),
            !isAhead || !source.isOnTheWeb
        else { return nil }
        let wish = wish(for: source, in: size)
        if let cover = kept[wish] { return cover }
        if !wishes.contains(wish) { wishes.append(wish) }
        return .loading
    }

    private func wish(for source: CoverSource, in size: Size) -> CoverLoader.Wish {
        let form: CoverFrame.Form =
            switch support.form {
            case .none, .cells: .cells
            case .placeholders, .kitty: .png
            case .sixel: .sixel
            }
        let limit = min(CoverFrame.limit, Picture.maximumLength)
        let frame = CoverFrame(
            columns: min(size.columns, limit), rows: min(size.rows, limit),
            cellWidth: min(support.cellPixels?.width ?? Self.cellWidth, CoverFrame.cellLimit),
            cellHeight: min(support.cellPixels?.height ?? 2 * Self.cellWidth, CoverFrame.cellLimit), form: form,
            hasDirectColours: support.colours == .direct)
        return CoverLoader.Wish(source, in: frame)
    }

    /// The width of a cell in pixels if the terminal does not say it; only the proportions matter then.
    private static let cellWidth = 10

    // MARK: - Loading

    /// Whether covers on the screen are still to be loaded, or others no longer.
    var hasWishes: Bool { wishes.contains { !loading.contains($0) } || hasStaleWishes }

    /// Whether covers are being fetched that are not on the screen any more.
    private var hasStaleWishes: Bool { loading.contains { $0.source.isOnTheWeb && !wishes.contains($0) } }

    /// Loads the covers on the screen, and no others.
    func load() {
        loading = wishes
        guard let loader else {
            for wish in wishes { kept.add(.missing("not shown: stacks-connect is not installed"), for: wish) }
            return
        }
        loader.load(wishes)
    }

    /// Takes over the covers that were loaded.
    ///
    /// - Returns: Whether one of them came from a server, or did not.
    func receive() -> Bool {
        let outcomes = loader?.takeOutcomes() ?? []
        for outcome in outcomes {
            kept.add(Self.cover(of: outcome, support), for: outcome.wish)
            wishes.removeAll { $0 == outcome.wish }
            loading.removeAll { $0 == outcome.wish }
        }
        return outcomes.contains { $0.wish.source.isOnTheWeb }
    }

    /// Forgets why covers could not be shown, because the catalog and its files may have changed.
    func retry() { kept.removeFailures() }

    private static func cover(of outcome: CoverLoader.Outcome, _ support: PictureSupport) -> Cover {
        switch outcome.picture {
        case .failure(let failure): return .missing(failure.coverText)
        case .success(let made):
            let cells = made.cells.map { cell in
                PictureCell(
                    symbol: CoverPicture.symbols[Int(cell.symbol)], foreground: cell.foreground,
                    background: cell.background)
            }
            let pixels: PicturePixels? =
                switch outcome.wish.frame.form {
                case _ where made.pixels.isEmpty: nil
                case .cells: nil
                case .png: made.size.map { .png(made.pixels, width: $0.width, height: $0.height) }
                case .sixel: .sixel(made.pixels)
                }
            let picture = Picture(
                size: Size(rows: made.rows, columns: made.columns), cells: cells, pixels: pixels)
            return picture.map { .picture($0) } ?? .missing("damaged")
        }
    }

    // MARK: - Servers

    /// Returns the source from which a cover is loaded without asking; nil for one on a server of which nothing is here, and
    /// that may not be asked.
    private func available(_ source: CoverSource) -> CoverSource? {
        guard case .web(let address, _) = source else { return source }
        let isAllowed = settings.isRemote && ServerOrigin(of: address).map(allowed.contains) ?? false
        if isAllowed || requested.contains(address) { return .web(address, isFetched: true) }
        return isKept(address) ? source : nil
    }

    /// Whether the cache has a thumbnail of the picture at an address. One system call, the first time.
    private func isKept(_ address: String) -> Bool {
        if let isKept = hasThumbnail[address] { return isKept }
        let isKept = loader?.hasThumbnail(of: address) ?? false
        if hasThumbnail.count > Self.rememberedThumbnails { hasThumbnail = [:] }
        hasThumbnail[address] = isKept
        return isKept
    }

    /// The maximum number of addresses of which it is remembered whether they have a thumbnail.
    private static let rememberedThumbnails = 10_000

    /// What fetching the cover of a book needs.
    enum Need {
        /// The book has no cover.
        case none
        /// Its cover is here: a file, or fetched before.
        case nothing
        /// The permission of the user to connect to this server.
        case permission(ServerOrigin)
        /// The cover is fetched now.
        case fetched
    }

    /// Fetches the cover of a book from its server, if the user has named that one.
    func fetch(_ book: Book) -> Need {
        guard let source = places.source(of: book) else { return .none }
        kept.removeFailures()
        guard case .web(let address, _) = source, !kept.hasPicture(from: address) else { return .nothing }
        guard let server = ServerOrigin(of: address) else { return .none }
        guard allowed.contains(server) else { return .permission(server) }
        requested.insert(address)
        return .fetched
    }

    /// Allows covers from a server in this run.
    func allow(_ server: ServerOrigin) { allowed.insert(server) }
}

/// The covers that were seen last.
private struct KeptCovers {
    private var entries: [CoverLoader.Wish: (cover: CoverShelf.Cover, use: Int)] = [:]
    private var useCount = 0
    private var byteCount = 0

    /// The maximum size of all covers in bytes, and the one after making room.
    private static let (limit, rest) = (32 << 20, 24 << 20)

    /// Returns the cover for a wish, and notes its use.
    subscript(wish: CoverLoader.Wish) -> CoverShelf.Cover? {
        mutating get {
            guard let cover = entries[wish]?.cover else { return nil }
            useCount += 1
            entries[wish]?.use = useCount
            return cover
        }
    }

    /// Keeps a cover; those used the longest ago give way.
    mutating func add(_ cover: CoverShelf.Cover, for wish: CoverLoader.Wish) {
        remove(wish)
        useCount += 1
        entries[wish] = (cover, useCount)
        byteCount += Self.size(of: cover, wish)
        guard byteCount > Self.limit else { return }
        for wish in entries.sorted(by: { $0.value.use < $1.value.use }).map(\.key) where byteCount > Self.rest {
            remove(wish)
        }
    }

    /// Whether the picture at an address is among them.
    func hasPicture(from address: String) -> Bool {
        entries.contains { wish, entry in
            if case .web(address, _) = wish.source, case .picture = entry.cover { true } else { false }
        }
    }

    /// Forgets the covers that could not be shown.
    mutating func removeFailures() {
        for (wish, entry) in entries { if case .missing = entry.cover { remove(wish) } }
    }

    private mutating func remove(_ wish: CoverLoader.Wish) {
        guard let entry = entries.removeValue(forKey: wish) else { return }
        byteCount -= Self.size(of: entry.cover, wish)
    }

    private static func size(of cover: CoverShelf.Cover, _ wish: CoverLoader.Wish) -> Int {
        var size = 512
        if case .data(let text) = wish.source { size += text.utf8.count }
        guard case .picture(let picture) = cover else { return size }
        size += picture.cells.count * MemoryLayout<PictureCell>.stride
        switch picture.pixels {
        case .png(let bytes, _, _), .sixel(let bytes): return size + bytes.count
        case nil: return size
        }
    }
}

extension ConnectorFailure {
    /// Why a cover cannot be shown, in a few words for its place.
    fileprivate var coverText: String {
        switch reason {
        case .missing: "file missing"
        case .tooLarge: "too large"
        case .unknownFormat: "unknown format"
        case .damaged: "damaged"
        case .permission where kind == .refused: "outside of the directory"
        case .permission: "may not be read"
        case .notAFile: "not a file"
        case .status, .redirects: "not on the server"
        case .redirect: "moved to another server"
        case .password, .otherServer, .signIn: "needs a password"
        default: kind == .offline || kind == .server || kind == .busy ? "server not reached" : "not readable"
        }
    }
}
