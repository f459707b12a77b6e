internal import CYAZ
internal import ConnectorProtocol
internal import Glibc

/// A connection to a Z39.50 server, by libyaz's ZOOM. It never blocks longer than `pause`, so that a request can be
/// cancelled.
final class Z3950Connection {
    private let connection: ZOOM_connection
    private let context: RequestContext
    private let host: String
    /// The time in milliseconds after which a server that sends nothing has failed.
    private let idleTimeout: Int64

    /// The maximum wait in milliseconds before checking for cancellation.
    private static let pause: Int32 = 50
    /// The time for which a server is waited for unless its address says it, in seconds.
    private static let usualTimeout = 20

    /// A record as the server sent it.
    struct Record {
        /// The name of the syntax, such as `USmarc`.
        var syntax: String
        /// The bytes.
        var bytes: [UInt8]
    }

    /// A record, or the reason why the server did not send it.
    enum Answer {
        case record(Record)
        case diagnostic(ServerDiagnostic)
    }

    /// A list of records on the server, which belongs to the connection.
    final class ResultSet {
        fileprivate let set: ZOOM_resultset
        /// The connection, which must live as long.
        private let connection: Z3950Connection

        fileprivate init(_ set: ZOOM_resultset, _ connection: Z3950Connection) {
            (self.set, self.connection) = (set, connection)
        }

        deinit { ZOOM_resultset_destroy(set) }

        /// The number of records; at most 2^31 - 1, because libyaz keeps positions as 32-bit numbers.
        var count: Int { min(max(0, Int(ZOOM_resultset_size(set))), Int(Int32.max)) }
    }

    /// Connects to a database.
    ///
    /// - Throws: `RecordServerError` if the server does not answer or refuses the connection.
    init(
        to address: Z3950Address, _ credential: Credential?, _ context: RequestContext
    ) throws(RecordServerError) {
        (self.context, host) = (context, address.host)
        let timeout = address.timeout ?? Self.usualTimeout
        idleTimeout = Int64(timeout) * 1000
        let options: ZOOM_options = ZOOM_options_create()
        defer { ZOOM_options_destroy(options) }
        var values = [
            ("async", "1"), ("databaseName", address.database), ("implementationName", "stacks"), ("charset", "UTF-8"),
            ("timeout", "\(timeout)"), ("presentChunk", "50"), ("elementSetName", "F"),
        ]
        if let credential { values += [("user", credential.user), ("password", credential.secret)] }
        for (name, value) in values { ZOOM_options_set(options, name, value) }
        connection = ZOOM_connection_create(options)
        ZOOM_connection_connect(connection, address.host, 0)
        try wait()
    }

    deinit { ZOOM_connection_destroy(connection) }

    /// Whether the server accepts an operation of the initialization, such as `sort`.
    func supports(_ operation: String) -> Bool {
        ZOOM_connection_option_get(connection, "init_opt_" + operation).map { String(cString: $0) == "1" } ?? false
    }

    /// The name that the server gives itself, if it does.
    var serverName: String? {
        ZOOM_connection_option_get(connection, "serverImplementationName").map { String(cString: $0) }
    }

    /// Searches for records.
    ///
    /// - Parameters:
    ///   - query: The query in the Prefix Query Format.
    ///   - order: The keys to sort by in the syntax of libyaz, if any.
    func search(_ query: String, order: String?) throws(RecordServerError) -> ResultSet {
        let search: ZOOM_query = ZOOM_query_create()
        defer { ZOOM_query_destroy(search) }
        guard ZOOM_query_prefix(search, query) == 0 else {
            throw .failed(ConnectorFailure(.helper, detail: "PQF: \(query)"))
        }
        let set = ResultSet(ZOOM_connection_search(connection, search), self)
        try wait()
        guard let order, set.count > 0, set.count <= RecordServerConnector.sortLimit else { return set }
        guard ZOOM_resultset_sort1(set.set, "yaz", order) == 0 else {
            throw .failed(ConnectorFailure(.helper, detail: "sort: \(order)"))
        }
        try wait()
        return set
    }

    /// Fetches records of a list in a syntax such as `usmarc`.
    func records(
        of list: ResultSet, from first: Int, count: Int, syntax: String
    ) throws(RecordServerError) -> [Answer] {
        ZOOM_resultset_option_set(list.set, "preferredRecordSyntax", syntax)
        // Other syntaxes may have been tried before.
        ZOOM_resultset_option_set(list.set, "elementSetName", syntax == "xml" ? "marcxml" : "F")
        ZOOM_resultset_records(list.set, nil, first, count)
        try wait()
        var answers: [Answer] = []
        for position in first..<first + count {
            guard let record = ZOOM_resultset_record_immediate(list.set, position) else { break }
            answers.append(Self.answer(record))
        }
        return answers
    }

    private static func answer(_ record: ZOOM_record) -> Answer {
        var (message, details, set): (UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?)
        let error = ZOOM_record_error(record, &message, &details, &set)
        if error != 0 {
            return .diagnostic(
                ServerDiagnostic(
                    bib1: Int(error), message: text(message) ?? LibraryDiagnosticText.bib1(Int(error)) ?? "\(error)",
                    details: text(details) ?? ""))
        }
        var length: Int32 = 0
        let syntax = text(ZOOM_record_get(record, "syntax", &length)) ?? ""
        guard let start = ZOOM_record_get(record, "raw", &length), length > 0 else {
            return .record(Record(syntax: syntax, bytes: []))
        }
        let bytes = UnsafeRawBufferPointer(start: start, count: Int(length))
        return .record(Record(syntax: syntax, bytes: Array(bytes)))
    }

    private static func text(_ start: UnsafePointer<CChar>?) -> String? { start.map { String(cString: $0) } }

    /// Waits until the connection has done all that was asked for.
    private func wait() throws(RecordServerError) {
        var handle: ZOOM_connection? = connection
        var lastEvent = context.now
        while true {
            while ZOOM_event_nonblock(1, &handle) != 0 { lastEvent = context.now }
            if ZOOM_connection_is_idle(connection) != 0 { break }
            if context.isCancelled() { throw .failed(ConnectorFailure(.cancelled)) }
            if context.now - lastEvent > idleTimeout {
                throw .failed(ConnectorFailure(.offline, .timeOut, detail: host))
            }
            let mask = ZOOM_connection_get_mask(connection)
            var events: Int16 = 0
            if mask & ZOOM_SELECT_READ != 0 { events |= Int16(POLLIN) }
            if mask & ZOOM_SELECT_WRITE != 0 { events |= Int16(POLLOUT) }
            var entry = pollfd(fd: ZOOM_connection_get_socket(connection), events: events, revents: 0)
            guard poll(&entry, entry.fd < 0 ? 0 : 1, Self.pause) > 0 else { continue }
            var found: Int32 = 0
            if entry.revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 { found |= ZOOM_SELECT_READ }
            if entry.revents & Int16(POLLOUT) != 0 { found |= ZOOM_SELECT_WRITE }
            if entry.revents & Int16(POLLERR | POLLNVAL) != 0 { found |= ZOOM_SELECT_EXCEPT }
            ZOOM_connection_fire_event_socket(connection, found)
        }
        try check()
    }

    private func check() throws(RecordServerError) {
        var (message, details, set): (UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?)
        let error = ZOOM_connection_error_x(connection, &message, &details, &set)
        let failure: ConnectorFailure
        switch error {
        case ZOOM_ERROR_NONE: return
        case ZOOM_ERROR_CONNECT: failure = ConnectorFailure(.offline, .noConnection, detail: host)
        case ZOOM_ERROR_CONNECTION_LOST: failure = ConnectorFailure(.offline, .brokenOff, detail: host)
        case ZOOM_ERROR_TIMEOUT: failure = ConnectorFailure(.offline, .timeOut, detail: host)
        case ZOOM_ERROR_INIT: failure = ConnectorFailure(.auth, .password, detail: host)
        case ZOOM_ERROR_DECODE, ZOOM_ERROR_ENCODE, ZOOM_ERROR_UNSUPPORTED_PROTOCOL:
            failure = ConnectorFailure(.server, .protocolMismatch, subject: host, detail: "Z39.50")
        case 10_000...: failure = ConnectorFailure(.server, .diagnostic, detail: Self.text(message))
        default:
            throw .refused(
                ServerDiagnostic(
                    bib1: Int(error),
                    message: Self.text(message) ?? LibraryDiagnosticText.bib1(Int(error)) ?? "\(error)",
                    details: Self.text(details) ?? ""))
        }
        throw .failed(failure)
    }
}
