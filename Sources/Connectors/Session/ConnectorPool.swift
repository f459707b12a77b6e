internal import ConnectorProtocol
internal import Threading

/// The connectors of an open source, each of which handles one request at a time: the one that opened the source, and
/// those that were created beside it when all others were busy.
final class ConnectorPool {
    /// A connector with the context of its requests.
    struct Member {
        /// The connector.
        let connector: any PagedConnector
        /// The context.
        let context: RequestContext
    }

    /// The connector that opened the source.
    private let first: Member
    private let idle = Locked<[Member]>([])

    /// The maximum wait in milliseconds before checking for cancellation.
    private static let pause = 50

    /// Creates a pool with the connector that opened the source for the requests of `context`.
    init(_ connector: any PagedConnector, _ context: RequestContext) {
        first = Member(connector: connector, context: context)
        giveBack(first)
    }

    /// Takes a connector for a request; the caller must give it back. Waits if all are busy and the source takes no more.
    ///
    /// - Parameter prepare: Prepares the context for the request.
    /// - Throws: `ConnectorFailure` if the request was cancelled meanwhile.
    func take(
        unless isCancelled: () -> Bool, preparing prepare: (RequestContext) -> Void
    ) throws(ConnectorFailure) -> Member {
        // The connector that was used last is the likeliest to know what the request needs.
        if let member = idle.withLock({ $0.popLast() }) {
            prepare(member.context)
            return member
        }
        let context = RequestContext(beside: first.context)
        prepare(context)
        if let connector = first.connector.connector(for: context) {
            return Member(connector: connector, context: context)
        }
        while true {
            if isCancelled() { throw ConnectorFailure(.cancelled) }
            if let member = idle.withLock({ $0.popLast() }) {
                prepare(member.context)
                return member
            }
            idle.wait(milliseconds: Self.pause) { !$0.isEmpty }
        }
    }

    /// Gives back a connector when its request has ended.
    func giveBack(_ member: Member) { idle.change { $0.append(member) } }
}
