public import JSON

/// A reply of the connector program: one line of JSON.
public struct ConnectorReply: Hashable, Sendable {
    /// The number of the request; zero for a line without one.
    public var request: Int
    /// The content of the reply.
    public var content: Content

    /// Creates a reply to the request with this number.
    public init(to request: Int, _ content: Content) {
        self.request = request
        self.content = content
    }

    /// The kinds of replies; each request ends with exactly one `ended` or `failed`.
    public enum Content: Hashable, Sendable {
        /// The request is done.
        case ended(End)
        /// The request failed.
        case failed(ConnectorFailure)
        /// The progress of a copy.
        case progress(CopyProgress)
        /// The connector is working, without news.
        case waiting
        /// A question that must be answered before the request continues.
        case asked(CredentialQuestion)
        /// Some of the rows of a page.
        case rows(PageRows)
        /// Rows that a server refused.
        case refused([RefusedRow])
    }

    /// The results of a request.
    public enum End: Hashable, Sendable {
        /// A request without a result is done.
        case done
        /// The conversation has started.
        case greeted(Greeting)
        /// The source is open.
        case opened(OpenedSource)
        /// The source was copied.
        case mirrored(MirroredCopy)
        /// All rows of a page were sent.
        case paged(PageEnd)
        /// A file of another format was made from this number of rows.
        case exported(rows: Int)
        /// A text was converted from the encoding with this name.
        case converted(encoding: String)
        /// `sent` rows were sent to a server, `counted` were found there afterwards (nil if not counted). The server
        /// already had the other rows, or refused them. `statements` are those that a dry run would have executed.
        case published(sent: Int, counted: Int?, statements: [String] = [])
        /// The picture of a cover was made.
        case pictured(CoverPicture)
    }
}

/// The first reply of the connector program.
public struct Greeting: Hashable, Sendable {
    /// The version of the messages.
    public var version: Int
    /// The kinds of sources that can be opened.
    public var kinds: [String]
    /// What the kernel keeps the program from.
    public var confinement: Confinement

    /// Creates a greeting.
    public init(version: Int = ConnectorRequest.version, kinds: [String], confinement: Confinement) {
        self.version = version
        self.kinds = kinds
        self.confinement = confinement
    }
}

/// The progress of a copy.
public struct CopyProgress: Hashable, Sendable {
    /// The number of rows so far.
    public var rows: Int
    /// The total number of rows, if known.
    public var total: Int?
    /// The number of bytes of the copy that are complete lines and can be read.
    public var bytes: Int
    /// The number of bytes received over the network; nil for a local source.
    public var received: Int?
    /// The total number of bytes to receive over the network, if known.
    public var size: Int?

    /// Creates a report.
    public init(rows: Int, total: Int? = nil, bytes: Int, received: Int? = nil, size: Int? = nil) {
        self.rows = rows
        self.total = total
        self.bytes = bytes
        self.received = received
        self.size = size
    }
}

/// Some of the rows of a page.
public struct PageRows: Hashable, Sendable {
    /// The records.
    public var rows: [JSONValue]
    /// The position of the first record.
    public var first: Int
    /// The number of the query.
    public var generation: Int

    /// Creates rows.
    public init(rows: [JSONValue], first: Int, generation: Int) {
        self.rows = rows
        self.first = first
        self.generation = generation
    }
}

/// A number of books that may be inexact.
public struct BookTotal: Hashable, Sendable {
    /// The exactness of a number.
    public enum Kind: String, Sendable {
        case exact, atLeast, approximate
    }

    /// The number.
    public var value: Int
    /// The exactness of the number.
    public var kind: Kind

    /// Creates a number.
    public init(_ value: Int, _ kind: Kind) {
        self.value = value
        self.kind = kind
    }
}

/// The result of copying a source.
public struct MirroredCopy: Hashable, Sendable {
    /// The number of rows.
    public var rows: Int
    /// The length of the copy in bytes.
    public var bytes: Int
    /// Whether the source was complete according to its format.
    public var isComplete: Bool
    /// The version of the source, for the next time.
    public var version: SourceVersion
    /// The defects of rows.
    public var defects: [SourceDefect]
    /// The places in the source of the rows that were asked for, as far as they are known.
    public var places: [Int: SourcePlace]

    /// Creates a result.
    public init(
        rows: Int, bytes: Int, isComplete: Bool, version: SourceVersion = SourceVersion(), defects: [SourceDefect] = [],
        places: [Int: SourcePlace] = [:]
    ) {
        self.rows = rows
        self.bytes = bytes
        self.isComplete = isComplete
        self.version = version
        self.defects = defects
        self.places = places
    }
}
