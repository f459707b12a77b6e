internal import ConnectorProtocol

/// An error message of ClickHouse, such as "Code: 60, e.displayText() = DB::Exception: Table a.b doesn't exist., e.what()
/// = DB::Exception" of old and "Code: 60. DB::Exception: Table a.b does not exist. (UNKNOWN_TABLE)" of new versions.
struct ClickHouseError {
    /// The error code, which is the same in all versions; 0 if the message has none.
    let code: Int
    /// The message without the code.
    let message: String
    /// The address of the part of the cluster that does not answer, such as "127.0.0.1:9001"; nil if the message does not
    /// name it.
    let shard: String?

    /// Parses the body of a response.
    init(_ body: [UInt8]) {
        let text = String(decoding: body.prefix(1 << 14), as: UTF8.self)
        var message = text[...]
        var code = 0
        if let range = text.firstRange(of: "Code: ") {
            let digits = text[range.upperBound...].prefix { $0.isNumber }
            code = Int(digits) ?? 0
            message = text[digits.endIndex...]
        }
        for mark in ["DB::Exception: ", "DB::NetException: "] {
            if let range = message.firstRange(of: mark) {
                message = message[range.upperBound...]
                break
            }
        }
        if let end = message.firstRange(of: ", e.what()") { message = message[..<end.lowerBound] }
        self.code = code
        shard = Self.address(in: text)
        let words = message.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        self.message = String(words.prefix(300))
    }

    /// The error as a failure of `host`.
    func failure(of host: String, cluster: String?) -> ConnectorFailure {
        switch code {
        // UNKNOWN_TABLE
        case 60: ConnectorFailure(.format, .noTable, detail: message)
        // UNKNOWN_DATABASE
        case 81: ConnectorFailure(.format, .noCatalog)
        case 192, 193, 194, 516: ConnectorFailure(.auth, .password, detail: host)
        // BAD_GET of old and CLUSTER_DOESNT_EXIST of new versions, for a cluster.
        case 701: ConnectorFailure(.server, .noCluster, detail: cluster)
        case 170 where message.contains("cluster"): ConnectorFailure(.server, .noCluster, detail: cluster)
        // ATTEMPT_TO_READ_AFTER_EOF, TIMEOUT_EXCEEDED of a connection, NO_FREE_CONNECTION, DNS_ERROR, SOCKET_TIMEOUT,
        // NETWORK_ERROR, ALL_CONNECTION_TRIES_FAILED
        case 32, 203, 198, 209, 210, 279, 519:
            ConnectorFailure(.server, .shard, subject: shard ?? cluster ?? host, detail: message)
        // QUERY_WAS_CANCELLED
        case 394: ConnectorFailure(.cancelled)
        // TOO_MANY_SIMULTANEOUS_QUERIES
        case 202: ConnectorFailure(.busy, .status, detail: message)
        default: ConnectorFailure(.server, .status, detail: message.isEmpty ? "error \(code)" : message)
        }
    }

    /// Returns the first address of a host with its port in a message.
    private static func address(in text: String) -> String? {
        for part in text.split(whereSeparator: { "(), []".contains($0) || $0.isWhitespace }) {
            guard let colon = part.lastIndex(of: ":"), colon != part.startIndex,
                UInt16(part[part.index(after: colon)...]) != nil
            else { continue }
            return String(part)
        }
        return nil
    }
}
