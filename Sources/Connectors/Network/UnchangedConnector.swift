internal import ConnectorProtocol

/// A source that has not changed since it was copied, according to its server.
final class UnchangedConnector: Connector {
    let opened = OpenedSource(kind: "unchanged", isFresh: true)
    let version: SourceVersion

    /// Creates the source of a copy with this version.
    init(_ version: SourceVersion) { self.version = version }

    func copy(to rows: RowWriter) throws(ConnectorFailure) -> Bool { throw ConnectorFailure(.request, .nothingOpen) }
}
