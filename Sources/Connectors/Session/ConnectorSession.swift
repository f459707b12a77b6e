internal import CSystem
public import ConnectorProtocol
internal import Glibc
internal import JSON
internal import Threading

// Unchecked: requests for pages run beside each other and change only what is locked; all others run alone.
/// A conversation with stacks: the state between requests, and the reply to each.
public final class ConnectorSession: @unchecked Sendable {
    private let send: (ConnectorReply) -> Void
    private let awaitAnswer: (Int) -> ConnectorRequest?
    private var connector: (any Connector)?
    /// The connectors of the open source if it is paged.
    private var pool: ConnectorPool?
    private let context = RequestContext()

    /// Whether to confine the program; tests in their own process do not.
    private let confines: Bool

    /// Creates a session that passes its replies to `send` and gets answers to its questions from `answer`, which
    /// receives the number of the request and waits.
    public init(
        confines: Bool = true, awaiting answer: @escaping (Int) -> ConnectorRequest? = { _ in nil },
        _ send: @escaping (ConnectorReply) -> Void
    ) {
        self.confines = confines
        self.awaitAnswer = answer
        self.send = send
    }

    /// Replies to a line that is not a request.
    public func answer(_ malformed: MalformedRequest) {
        send(ConnectorReply(to: malformed.id, .failed(malformed.failure)))
    }

    /// Handles a request and sends the replies; `isCancelled` returns whether it was cancelled.
    public func answer(_ request: ConnectorRequest, isCancelled: @escaping () -> Bool = { false }) {
        do throws(ConnectorFailure) {
            if isCancelled() { throw ConnectorFailure(.cancelled) }
            send(ConnectorReply(to: request.id, .ended(try result(of: request, isCancelled))))
        } catch {
            send(ConnectorReply(to: request.id, .failed(error)))
        }
    }

    private func result(
        of request: ConnectorRequest, _ isCancelled: @escaping () -> Bool
    ) throws(ConnectorFailure) -> ConnectorReply.End {
        switch request.action {
        case .page, .books: break
        default: prepare(context, for: request, isCancelled)
        }
        switch request.action {
        case .hello(let version, let cache, let limit, let sources):
            guard version == ConnectorRequest.version else {
                throw ConnectorFailure(.unsupported, .version, detail: "\(ConnectorRequest.version)")
            }
            setScratch(cache)
            if let limit { context.limit.size = limit }
            return .greeted(
                Greeting(
                    kinds: SourceDetection.kinds,
                    confinement: confines ? HelperConfinement.enter(cache: cache, sources: sources) : Confinement()))
        case .open(let source, let known, let fields, let encoding):
            (connector, pool) = (nil, nil)
            context.fieldPaths = fields
            context.encoding = try Self.encoding(named: encoding)
            if let paged = try PagedSources.connector(for: source, context) {
                forbidPrograms()
                pool = ConnectorPool(paged, context)
                return .opened(paged.opened)
            }
            context.known = known
            let opened = try SourceDetection.connector(for: source, context)
            if !(opened is BibliographyConnector) { forbidPrograms() }
            connector = opened
            var description = opened.opened
            if known?.etag != nil, known?.etag == opened.version.etag { description.isFresh = true }
            return .opened(description)
        case .mirror(let path, let wanted):
            guard let connector else { throw ConnectorFailure(.request, .nothingOpen) }
            // A source is read once; another copy must open it again.
            self.connector = nil
            if let slash = path.lastIndex(of: "/") { setScratch(String(path[..<slash])) }
            let rows = try RowWriter(
                path: path, limit: context.limit,
                report: { [send, context] progress in
                    var progress = progress
                    (progress.received, progress.size) = context.transferred
                    send(ConnectorReply(to: request.id, .progress(progress)))
                },
                isCancelled: isCancelled)
            rows.located = Set(wanted)
            let isComplete = try connector.copy(to: rows)
            let bytes = try rows.finish()
            return .mirrored(
                MirroredCopy(
                    rows: rows.count, bytes: bytes, isComplete: isComplete, version: connector.version,
                    defects: rows.notes, places: rows.places))
        case .answer: throw ConnectorFailure(.request, .nothingOpen)
        // ConnectorProgram handles it, because it must not wait for the request that it cancels.
        case .cancel: return .done
        case .page(let part):
            let page = try asking(for: request, isCancelled) { connector throws(ConnectorFailure) in
                try connector.page(part)
            }
            try sendRows(of: page, for: part.generation, to: request)
            return .paged(page.end)
        case .books(let ids):
            let rows = try asking(for: request, isCancelled) { connector throws(ConnectorFailure) in
                try connector.books(withIDs: ids)
            }
            try sendRows(of: BookPage(rows: rows, first: 0, end: PageEnd(count: nil)), for: 0, to: request)
            return .done
        case .export(let kind, let from, let to, let existing):
            guard kind == LibraryExport.kind else { throw ConnectorFailure(.unsupported, detail: kind) }
            forbidPrograms()
            if let slash = to.lastIndex(of: "/") { setScratch(String(to[..<slash])) }
            let count = try LibraryExport(rows: from, path: to, existing: existing).run(
                reporting: { [send] progress in send(ConnectorReply(to: request.id, .progress(progress))) },
                isCancelled: isCancelled)
            return .exported(rows: count)
        case .convert(let from, let to, let encoding):
            forbidPrograms()
            if let slash = to.lastIndex(of: "/") { setScratch(String(to[..<slash])) }
            let conversion = try TextConversion(
                of: from, in: try Self.encoding(named: encoding), to: to, limit: context.limit)
            return .converted(encoding: try conversion.run(isCancelled: isCancelled))
        case .publish(let publication):
            forbidPrograms()
            if let slash = publication.path.lastIndex(of: "/") { setScratch(String(publication.path[..<slash])) }
            context.transferred = (0, nil)
            let send = { [send] content in send(ConnectorReply(to: request.id, content)) }
            switch publication.kind {
            case .file: return try FileUpload(publication, context, send).run()
            case .calibre: return try CalibreUpload(publication, context, send).run()
            case .clickHouse: return try ClickHousePublication(publication, context, send).run()
            case .openSearch: return try OpenSearchPublication(publication, context, send).run()
            }
        case .fetch(let address, _, let path, let limit):
            forbidPrograms()
            try CoverDownload(address, limit: limit, context).run(to: path)
            return .done
        case .cover(let cover):
            forbidPrograms()
            if confines { cs_limit_data(CoverMaker.memoryLimit) }
            return .pictured(try CoverMaker(cover).picture())
        }
    }

    private static func encoding(named name: String?) throws(ConnectorFailure) -> TextEncoding? {
        guard let name else { return nil }
        guard let encoding = TextEncoding(named: name) else {
            throw ConnectorFailure(.request, .member, detail: "encoding")
        }
        return encoding
    }

    /// Calls `body` with a connector of the open source that no other thread uses.
    private func asking<Result>(
        for request: ConnectorRequest, _ isCancelled: @escaping () -> Bool,
        _ body: (any PagedConnector) throws(ConnectorFailure) -> Result
    ) throws(ConnectorFailure) -> Result {
        guard let pool else { throw ConnectorFailure(.request, .nothingOpen) }
        let member = try pool.take(unless: isCancelled) { prepare($0, for: request, isCancelled) }
        defer { pool.giveBack(member) }
        return try body(member.connector)
    }

    /// Sends the rows of a page, in as many messages as their maximum length requires.
    ///
    /// - Throws: `ConnectorFailure` for a row that is longer than a message.
    private func sendRows(
        of page: BookPage, for generation: Int, to request: ConnectorRequest
    ) throws(ConnectorFailure) {
        var part: [JSONValue] = []
        var (first, size) = (page.first, 0)
        func sendPart() {
            if part.isEmpty { return }
            let rows = PageRows(rows: part, first: first, generation: generation)
            send(ConnectorReply(to: request.id, .rows(rows)))
            (part, first, size) = ([], first + part.count, 0)
        }
        for (index, row) in page.rows.enumerated() {
            let length = row.json.utf8.count + 1
            guard length <= Self.rowBytesLimit else {
                throw ConnectorFailure(.format, .tooLarge, at: .record(page.first + index + 1))
            }
            if size + length > Self.rowBytesLimit { sendPart() }
            part.append(row)
            size += length
        }
        sendPart()
    }

    /// The maximum length of the rows of a message in bytes, which leaves space for its other members.
    private static let rowBytesLimit = MessageLines.limit - 1024

    private func prepare(
        _ context: RequestContext, for request: ConnectorRequest, _ isCancelled: @escaping () -> Bool
    ) {
        context.isCancelled = isCancelled
        if let origins = request.action.passwordOrigins { context.origins = origins }
        context.ask = { [send, awaitAnswer] question in
            send(ConnectorReply(to: request.id, .asked(question)))
            guard case .answer(let user, let secret?)? = awaitAnswer(request.id)?.action else { return nil }
            return Credential(user: user ?? "", secret: secret)
        }
    }

    private func setScratch(_ directory: String) {
        context.scratch = directory
        // SQLite writes temporary files for sorting there, too.
        setenv("SQLITE_TMPDIR", directory, 1)
    }

    private func forbidPrograms() {
        if confines { HelperConfinement.forbidPrograms() }
    }
}
