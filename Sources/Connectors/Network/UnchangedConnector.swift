internal import ConnectorProtocol

/// A source whose server says that it has not changed since it was copied.
final class UnchangedConnector: Connector {
    let opened = OpenedSource(kind: "unchanged", isFresh: true)
    let version: SourceVersion

    /// Describes the source whose copy has this version.
    init(_ version: SourceVersion) { self.version = version }

    func copy(to rows: RowWriter) throws(ConnectorFailure) -> Bool { throw ConnectorFailure(.request, .nothingOpen) }
}
