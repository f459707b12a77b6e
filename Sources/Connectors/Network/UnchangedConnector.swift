internal import ConnectorProtocol

/// A source that has not changed since the last copy, according to its server.
final class UnchangedConnector: Connector {
    let opened = OpenedSource(kind: "unchanged", isFresh: true)
    let version: SourceVersion

    /// Creates the connector for a copy with this version.
    init(_ version: SourceVersion) { self.version = version }

    func copy(to rows: RowWriter) throws(ConnectorFailure) -> Bool { throw ConnectorFailure(.request, .nothingOpen) }
}
