public import ConnectorProtocol
internal import Glibc
internal import Storage
internal import Threading

/// Loads covers in the background: the connector program decodes them, and fetches those of web servers.
public final class CoverLoader: Sendable {
    /// A cover for a place on the screen.
    public struct Wish: Hashable, Sendable {
        /// Where the picture is.
        public var source: CoverSource
        /// The place that it is made for.
        public var frame: CoverFrame

        /// Creates a wish.
        public init(_ source: CoverSource, in frame: CoverFrame) { (self.source, self.frame) = (source, frame) }
    }

    /// What came of a wish.
    public struct Outcome: Sendable {
        /// The wish.
        public let wish: Wish
        /// The picture, or why there is none.
        public let picture: Result<CoverPicture, ConnectorFailure>
    }

    /// The servers of covers on the web.
    public struct Servers: Sendable {
        /// The address of the open catalog, whose servers get a password; nil for a file.
        public var catalog: String?
        /// Returns the user and password that these require.
        public var credentials: CredentialSource

        /// Creates the settings of servers.
        public init(catalog: String? = nil, credentials: @escaping CredentialSource = { _ in nil }) {
            (self.catalog, self.credentials) = (catalog, credentials)
        }
    }

    /// A server that is slow must not delay what is at hand.
    private enum Lane {
        case local, web

        func takes(_ wish: Wish) -> Bool { wish.source.isOnTheWeb == (self == .web) }
    }

    private struct State {
        /// The wishes that no thread has begun with, the most urgent first.
        var wanted: [Wish] = []
        /// The wishes in progress.
        var begun: Set<Wish> = []
        /// The threads that run.
        var running: Set<Lane> = []
        var isEnded = false
    }

    private let decoder: CoverDecoder
    private let fetcher: CoverFetcher
    private let thumbnails: Thumbnails
    private let outcomes: Channel<Outcome>
    private let state = Locked(State())

    /// The time without wishes after which a thread ends, with its program, in milliseconds.
    private static let idleLimit = 30_000

    /// Creates a loader; the program is started for the first wish.
    ///
    /// - Parameter notify: Called on any thread when there are outcomes.
    public init(
        by program: ConnectorProgram, servers: Servers = Servers(), notifying notify: @escaping @Sendable () -> Void
    ) {
        decoder = CoverDecoder(program)
        fetcher = CoverFetcher(program, servers)
        thumbnails = Thumbnails(in: program.cache)
        outcomes = Channel(notify)
    }

    /// Loads the covers of `wishes`, in this order. Earlier wishes that are not among them are dropped, unless they are in
    /// progress.
    public func load(_ wishes: [Wish]) {
        let lanes = state.change { state -> [Lane] in
            if state.isEnded { return [] }
            state.wanted = wishes.filter { !state.begun.contains($0) }
            let lanes = [Lane.local, .web].filter { lane in
                !state.running.contains(lane) && state.wanted.contains(where: lane.takes)
            }
            state.running.formUnion(lanes)
            return lanes
        }
        for lane in lanes where !BackgroundThread.start({ [self] in work(in: lane) }) {
            state.change { _ = $0.running.remove(lane) }
        }
    }

    /// Returns whether there is a thumbnail of the picture at an address. One system call.
    public func hasThumbnail(of address: String) -> Bool { thumbnails.has(version: address) }

    /// Returns the outcomes since the last call.
    public func takeOutcomes() -> [Outcome] { outcomes.takeAll() }

    /// Ends the threads and programs.
    public func end() {
        state.change { state in
            state.isEnded = true
            state.wanted = []
        }
        fetcher.end()
        decoder.end()
    }

    private func work(in lane: Lane) {
        while let wish = nextWish(in: lane) {
            let picture: Result<CoverPicture, ConnectorFailure>
            do throws(ConnectorFailure) {
                picture = .success(try self.picture(for: wish))
            } catch {
                picture = .failure(error)
            }
            state.change { _ = $0.begun.remove(wish) }
            outcomes.post(Outcome(wish: wish, picture: picture))
            outcomes.flush()
        }
        // The lanes share the decoder.
        if state.change({ $0.running.isEmpty }) { decoder.stopWhenIdle() }
    }

    /// Waits for a wish; returns nil when the thread is to end.
    private func nextWish(in lane: Lane) -> Wish? {
        state.wait(milliseconds: Self.idleLimit) { $0.isEnded || $0.wanted.contains(where: lane.takes) }
        return state.change { state in
            guard !state.isEnded, let index = state.wanted.firstIndex(where: lane.takes) else {
                state.running.remove(lane)
                return nil
            }
            let wish = state.wanted.remove(at: index)
            state.begun.insert(wish)
            return wish
        }
    }

    private func picture(for wish: Wish) throws(ConnectorFailure) -> CoverPicture {
        let file = try ConnectorFailure.ofCover { () throws(FileError) in try CoverFile(wish.source) }
        let version = file?.version ?? wish.source.address
        if let small = thumbnails.bytes(ofVersion: version),
            let picture = try? decoder.picture(of: small, for: wish, keepingThumbnail: nil)
        {
            return picture
        }
        let bytes =
            if let file {
                try ConnectorFailure.ofCover { () throws(FileError) in try file.bytes(upTo: CoverFile.limit) }
            } else if wish.source.isFetched {
                try fetcher.bytes(at: wish.source.address)
            } else {
                throw ConnectorFailure(.offline, .missing)
            }
        return try decoder.picture(of: bytes, for: wish) { [thumbnails] in thumbnails.take($0, asVersion: version) }
    }
}

extension CoverSource {
    /// The address of a picture on the web; "" for others.
    fileprivate var address: String { if case .web(let address, _) = self { address } else { "" } }

    /// Whether a server may be asked for it.
    fileprivate var isFetched: Bool { if case .web(_, let isFetched) = self { isFetched } else { false } }
}

extension ConnectorFailure {
    /// Returns the result of `body`, which reads the file of a cover.
    ///
    /// - Throws: The failure in place of a `FileError`: of the kind `offline` for no file, and `refused` for one that may not
    ///   be shown.
    static func ofCover<Value>(_ body: () throws(FileError) -> Value) throws(ConnectorFailure) -> Value {
        do throws(FileError) {
            return try body()
        } catch {
            switch error.code {
            case ENOENT, ENOTDIR: throw ConnectorFailure(.offline, .missing, subject: error.path)
            case EACCES: throw ConnectorFailure(.offline, .permission, subject: error.path)
            case EPERM: throw ConnectorFailure(.refused, .permission, subject: error.path)
            case EFBIG: throw ConnectorFailure(.refused, .tooLarge)
            case EISDIR, ENOTSUP: throw ConnectorFailure(.unsupported, .notAFile, subject: error.path)
            case EINVAL: throw ConnectorFailure(.format, .damaged)
            default: throw ConnectorFailure(.offline, subject: error.path, detail: error.cause)
            }
        }
    }

    /// Returns the result of `body`, which writes to the cache.
    ///
    /// - Throws: A failure of the kind `helper` in place of a `FileError`.
    static func ofCache<Value: ~Copyable>(_ body: () throws(FileError) -> Value) throws(ConnectorFailure) -> Value {
        do throws(FileError) {
            return try body()
        } catch {
            throw ConnectorFailure(.helper, .cannotWrite, subject: error.path, detail: error.cause)
        }
    }
}
