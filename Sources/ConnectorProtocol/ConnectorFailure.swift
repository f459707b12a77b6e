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
    /// The exact reason, such as `html` or `cut`, if it is known.
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

    /// The exact reason of a failure, a word that both programs know. Those of a newer connector program are dropped.
    public enum Reason: String, CaseIterable, Hashable, Sendable {
        /// The file does not exist.
        case missing
        /// The file may not be read.
        case permission
        /// Another program has replaced the file, or made one beside it, since the connector program was started.
        case replaced
        /// The content is empty.
        case empty
        /// The content is a web page.
        case html
        /// The content is in an unknown format.
        case unknownFormat = "unknown"
        /// The content is an archive of files.
        case archive
        /// The content is damaged at this position.
        case damaged
        /// The content ends before its first record.
        case cut
        /// The document declares an entity.
        case entity
        /// The database has no table with the name in the detail.
        case noTable
        /// A table has no column with the name in the detail.
        case noColumn
        /// No link exists between the table named by the detail and the records.
        case noLink
        /// The database has no tables or views.
        case noTables
        /// The database is encrypted or not a database.
        case noDatabase
        /// The content is larger than the connector accepts.
        case tooLarge
        /// The copy is longer than the limit, whose megabytes are the detail.
        case copyLimit
        /// The copy would take the last room on the disk.
        case noRoom
        /// The program named by the detail is not installed.
        case noProgram
        /// The program named by the detail took too long.
        case timeOut
        /// A program failed; the detail is its message.
        case programFailed
        /// The connector program does not start, because the system lacks libraries that it needs.
        case cannotStart
        /// A signal ended the connector program, as the system does when a program needs more memory than it may use.
        case programKilled
        /// The path leads to a pipe, a device or a directory.
        case notAFile
        /// The result cannot be written; the detail is the system's message.
        case cannotWrite
        /// The file to update is not a database of stacks.
        case foreignFile
        /// The database has the later schema version in the detail.
        case schemaVersion
        /// A rule of the database does not allow the change; the detail is SQLite's message.
        case constraint
        /// The host named by the detail is unknown.
        case noName
        /// The host named by the detail does not accept connections.
        case noConnection
        /// The connection to the host named by the detail was lost.
        case brokenOff
        /// The proxy named by the detail is unknown.
        case proxyName
        /// The proxy named by the detail does not accept connections.
        case proxyConnection
        /// The proxy named by the detail requires a user and password.
        case proxyPassword
        /// The proxy named by the subject refuses to connect to the server; the detail is its status code, if any.
        case proxyRefused
        /// No encrypted connection could be made to the host named by the detail.
        case encryption
        /// The certificate of the host named by the detail is not trusted.
        case certificate
        /// The server redirects to an address that may not be followed.
        case redirect
        /// The server redirects too often.
        case redirects
        /// The address is malformed, or its scheme is not http or https.
        case address
        /// The response of the host named by the detail is not HTTP.
        case notHTTP
        /// The server returned the error status in the detail, such as "404 Not Found".
        case status
        /// The server has no library with the name in the detail.
        case noLibrary
        /// The host named by the detail requires a password.
        case password
        /// The host named by the detail requires a password; ~/.netrc has one, but other users can read the file.
        case netrc
        /// The source leads to the server named by the detail, which requires a password, but is not the one that the
        /// address names.
        case otherServer
        /// The host named by the subject accepts only the ways to sign in that the detail names; stacks supports none
        /// of them.
        case signIn
        /// The host named by the detail returned a web page in place of the source, like the captive portal of a
        /// network that requires users to sign in.
        case portal
        /// The catalog has no search of its own.
        case noSearch
        /// The server has no index with the name in the detail.
        case noIndex
        /// The server lists books only for a search; the detail is its message.
        case needsQuery
        /// The server does not sort by the field in the detail.
        case cannotSort
        /// The list has more books than the number in the detail, which is the most that the server sorts.
        case tooManyToSort
        /// The server sent fewer records than the number in the detail, which it had counted.
        case incomplete
        /// The server cannot find the book with the id in the detail.
        case noBook
        /// The host in the subject does not use the protocol in the detail.
        case protocolMismatch
        /// The server refused a request; the detail is its message.
        case diagnostic
        /// The server sent records in the unknown format in the detail.
        case recordFormat
        /// The target of a publication has changed since it was read.
        case changed
        /// The server sends no version for the target of a publication.
        case noVersion
        /// The extension of the target of a publication is not that of a known format.
        case noEnding
        /// The address names an index that was not published by stacks; the detail is its name.
        case otherIndex
        /// The file at the target of a publication is not a JSON catalog.
        case notACatalog
        /// The address is not that of a database of ClickHouse.
        case databaseAddress
        /// The database has no catalog that stacks published.
        case noCatalog
        /// The server has no cluster with the name in the detail.
        case noCluster
        /// The address does not name every host of the cluster named by the subject; the detail says which it names.
        case clusterHosts
        /// The part of the cluster that the subject names does not answer; the detail is the server's message.
        case shard
        /// Books of the catalog are missing; the detail is the number that is left, such as "50 of 100".
        case booksMissing
        /// The line is longer than the maximum length of a message.
        case tooLong
        /// The line is not a JSON object.
        case notJSON
        /// The member named by the detail is missing or has the wrong type.
        case member
        /// The request named by the detail is unknown.
        case unknownRequest
        /// No source has been opened.
        case nothingOpen
        /// The protocol version in the detail is unknown.
        case version
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
