internal import JSON

/// The reason why a request failed, with the facts for an error message.
public struct ConnectorFailure: Error, Hashable, Sendable {
    /// The kind of failure, which determines the next step.
    public enum Kind: String, CaseIterable, Sendable {
        /// The source cannot be reached: its name, the connection, or a time-out; a file that cannot be opened.
        case offline
        /// The server failed.
        case server
        /// The source is in use, or the server requires a delay.
        case busy
        /// The source requires a user and password.
        case auth
        /// The source needs something that is not allowed: a redirect, a size, an entity.
        case refused
        /// The content is invalid or in an unknown format.
        case format
        /// This kind of source or request is unknown.
        case unsupported
        /// The request is malformed or out of order.
        case request
        /// The connector itself failed, for example because it cannot write.
        case helper
        /// The request was cancelled.
        case cancelled
    }

    /// The kind of failure.
    public var kind: Kind
    /// The exact reason as a word, such as `html` or `cut`.
    public var reason: Reason?
    /// The file or part of the source that failed.
    public var subject: String?
    /// The message of a library or server, or a name that belongs to the reason. It is data, not text of stacks.
    public var detail: String?
    /// The position in the source.
    public var place: SourcePlace?
    /// The delay in seconds before the next attempt.
    public var retryAfter: Int?

    /// Creates a failure.
    public init(
        _ kind: Kind, _ reason: Reason? = nil, subject: String? = nil, detail: String? = nil,
        at place: SourcePlace? = nil,
        retryAfter: Int? = nil
    ) {
        self.kind = kind
        self.reason = reason
        self.subject = subject
        self.detail = detail
        self.place = place
        self.retryAfter = retryAfter
    }

    /// The exact reason of a failure as a word. Unknown words are kept, for compatibility with newer connectors.
    public struct Reason: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
        /// The word in messages.
        public let rawValue: String

        /// Creates a reason from its word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Creates a reason from its word.
        public init(stringLiteral value: String) { rawValue = value }

        /// The file does not exist.
        public static let missing: Reason = "missing"
        /// The file may not be read.
        public static let permission: Reason = "permission"
        /// The content is empty.
        public static let empty: Reason = "empty"
        /// The content is a web page.
        public static let html: Reason = "html"
        /// The content is in an unknown format.
        public static let unknownFormat: Reason = "unknown"
        /// The content is an archive of files.
        public static let archive: Reason = "archive"
        /// The content is damaged at this position.
        public static let damaged: Reason = "damaged"
        /// The content ends before its first record.
        public static let cut: Reason = "cut"
        /// The document declares an entity.
        public static let entity: Reason = "entity"
        /// The database has no table with the name in the detail.
        public static let noTable: Reason = "noTable"
        /// A table has no column with the name in the detail.
        public static let noColumn: Reason = "noColumn"
        /// No link exists between the table named by the detail and the records.
        public static let noLink: Reason = "noLink"
        /// The database has no tables or views.
        public static let noTables: Reason = "noTables"
        /// The database is encrypted or not a database.
        public static let noDatabase: Reason = "noDatabase"
        /// The content is larger than the connector accepts.
        public static let tooLarge: Reason = "tooLarge"
        /// The copy is longer than the limit, whose megabytes are the detail.
        public static let copyLimit: Reason = "copyLimit"
        /// The copy would take the last room on the disk.
        public static let noRoom: Reason = "noRoom"
        /// The program named by the detail is not installed.
        public static let noProgram: Reason = "noProgram"
        /// The program named by the detail took too long.
        public static let timeOut: Reason = "timeOut"
        /// A program failed; the detail is its message.
        public static let programFailed: Reason = "programFailed"
        /// The connector program does not start, because the system lacks libraries that it needs.
        public static let cannotStart: Reason = "cannotStart"
        /// A signal ended the connector program, as the system does when a program needs more memory than it may use.
        public static let programKilled: Reason = "programKilled"
        /// The path leads to a pipe, a device or a directory.
        public static let notAFile: Reason = "notAFile"
        /// The result cannot be written; the detail is the system's message.
        public static let cannotWrite: Reason = "cannotWrite"
        /// The file to update is not a database of stacks.
        public static let foreignFile: Reason = "foreignFile"
        /// The database has the later schema version in the detail.
        public static let schemaVersion: Reason = "schemaVersion"
        /// A rule of the database does not allow the change; the detail is SQLite's message.
        public static let constraint: Reason = "constraint"
        /// The host named by the detail is unknown.
        public static let noName: Reason = "noName"
        /// The host named by the detail does not accept connections.
        public static let noConnection: Reason = "noConnection"
        /// The connection to the host named by the detail was lost.
        public static let brokenOff: Reason = "brokenOff"
        /// The proxy named by the detail is unknown.
        public static let proxyName: Reason = "proxyName"
        /// The proxy named by the detail does not accept connections.
        public static let proxyConnection: Reason = "proxyConnection"
        /// The proxy named by the detail requires a user and password.
        public static let proxyPassword: Reason = "proxyPassword"
        /// The proxy named by the subject refuses to connect to the server; the detail is its status code, if any.
        public static let proxyRefused: Reason = "proxyRefused"
        /// No encrypted connection could be made to the host named by the detail.
        public static let encryption: Reason = "encryption"
        /// The certificate of the host named by the detail is not trusted.
        public static let certificate: Reason = "certificate"
        /// The server redirects to an address that may not be followed.
        public static let redirect: Reason = "redirect"
        /// The server redirects too often.
        public static let redirects: Reason = "redirects"
        /// The address is malformed, or its scheme is not http or https.
        public static let address: Reason = "address"
        /// The response of the host named by the detail is not HTTP.
        public static let notHTTP: Reason = "notHTTP"
        /// The server returned the error status in the detail, such as "404 Not Found".
        public static let status: Reason = "status"
        /// The server has no library with the name in the detail.
        public static let noLibrary: Reason = "noLibrary"
        /// The host named by the detail requires a password.
        public static let password: Reason = "password"
        /// The host named by the detail requires a password; ~/.netrc has one, but other users can read the file.
        public static let netrc: Reason = "netrc"
        /// The source leads to the server named by the detail, which requires a password, but is not the one that the
        /// address names.
        public static let otherServer: Reason = "otherServer"
        /// The host named by the subject accepts only the ways to sign in that the detail names; stacks supports none
        /// of them.
        public static let signIn: Reason = "signIn"
        /// The host named by the detail returned a web page in place of the source, like the captive portal of a
        /// network that requires users to sign in.
        public static let portal: Reason = "portal"
        /// The catalog has no search of its own.
        public static let noSearch: Reason = "noSearch"
        /// The server has no index with the name in the detail.
        public static let noIndex: Reason = "noIndex"
        /// The server lists books only for a search; the detail is its message.
        public static let needsQuery: Reason = "needsQuery"
        /// The server does not sort by the field in the detail.
        public static let cannotSort: Reason = "cannotSort"
        /// The list has more books than the number in the detail, which is the most that the server sorts.
        public static let tooManyToSort: Reason = "tooManyToSort"
        /// The server sent fewer records than the number in the detail, which it had counted.
        public static let incomplete: Reason = "incomplete"
        /// The server cannot find the book with the id in the detail.
        public static let noBook: Reason = "noBook"
        /// The host in the subject does not use the protocol in the detail.
        public static let protocolMismatch: Reason = "protocolMismatch"
        /// The server refused a request; the detail is its message.
        public static let diagnostic: Reason = "diagnostic"
        /// The server sent records in the unknown format in the detail.
        public static let recordFormat: Reason = "recordFormat"
        /// The target of a publication has changed since it was read.
        public static let changed: Reason = "changed"
        /// The server sends no version for the target of a publication.
        public static let noVersion: Reason = "noVersion"
        /// The extension of the target of a publication is not that of a known format.
        public static let noEnding: Reason = "noEnding"
        /// The address names an index that was not published by stacks; the detail is its name.
        public static let otherIndex: Reason = "otherIndex"
        /// The file at the target of a publication is not a JSON catalog.
        public static let notACatalog: Reason = "notACatalog"
        /// The address is not that of a database of ClickHouse.
        public static let databaseAddress: Reason = "databaseAddress"
        /// The database has no catalog that stacks published.
        public static let noCatalog: Reason = "noCatalog"
        /// The server has no cluster with the name in the detail.
        public static let noCluster: Reason = "noCluster"
        /// The address does not name every host of the cluster named by the subject; the detail says which it names.
        public static let clusterHosts: Reason = "clusterHosts"
        /// The part of the cluster that the subject names does not answer; the detail is the server's message.
        public static let shard: Reason = "shard"
        /// Books of the catalog are missing; the detail is the number that is left, such as "50 of 100".
        public static let booksMissing: Reason = "booksMissing"
        /// The line is longer than the maximum length of a message.
        public static let tooLong: Reason = "tooLong"
        /// The line is not a JSON object.
        public static let notJSON: Reason = "notJSON"
        /// The member named by the detail is missing or has the wrong type.
        public static let member: Reason = "member"
        /// The request named by the detail is unknown.
        public static let unknownRequest: Reason = "unknownRequest"
        /// No source has been opened.
        public static let nothingOpen: Reason = "nothingOpen"
        /// The protocol version in the detail is unknown.
        public static let version: Reason = "version"
    }
}

/// A position in a source: the line of a text, the number of a record, or the offset of a byte.
public enum SourcePlace: Hashable, Sendable {
    /// A line, counted from 1.
    case line(Int)
    /// A record, counted from 1.
    case record(Int)
    /// The offset of a byte, counted from 0.
    case offset(Int)

    /// The member of a message for this position.
    var member: JSONValue.Member {
        switch self {
        case .line(let number): .init(key: "line", value: JSONValue(number))
        case .record(let number): .init(key: "record", value: JSONValue(number))
        case .offset(let number): .init(key: "offset", value: JSONValue(number))
        }
    }

    /// Parses the position from the members of a message.
    init?(in message: JSONValue) {
        if let number = message["line"]?.asCount {
            self = .line(number)
        } else if let number = message["record"]?.asCount {
            self = .record(number)
        } else if let number = message["offset"]?.asByteCount {
            self = .offset(number)
        } else {
            return nil
        }
    }
}
