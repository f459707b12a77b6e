internal import ConnectorProtocol
internal import Threading

@testable import Catalog
@testable package import Remote

/// The replies of a connector program, from a script in place of the program.
///
/// Each request is answered by the next replies, up to one that ends it; the script begins again after its last reply. A
/// line that is not a reply loses the connection, as that of a program does.
private final class ScriptedReplies: PageExchange {
    private let replies: [Result<ConnectorReply.Content, ConnectorFailure>]
    private var next = 0
    private var events: [PageConversation.Event] = []
    private(set) var eventCount = 0
    private var requestCount = 0

    /// The number of requests that are answered, so that a catalog that asks again and again comes to an end.
    private static let limit = 400

    init(_ lines: some Sequence<some Collection<UInt8>>) {
        replies = lines.map { line in
            do throws(ConnectorFailure) {
                return .success(try ConnectorReply(parsing: line).content)
            } catch {
                return .failure(error)
            }
        }
    }

    func send(_ action: ConnectorRequest.Action) -> Int {
        requestCount += 1
        if requestCount <= Self.limit { answer(requestCount) }
        return requestCount
    }

    private func answer(_ request: Int) {
        for _ in replies.indices {
            let reply = replies[next]
            next = (next + 1) % replies.count
            switch reply {
            case .failure(let failure): return post(.lost(failure))
            case .success(.ended(.opened(let source))): post(.opened(source))
            case .success(let content):
                guard let event = PageConversation.Event(content, to: request) else { continue }
                post(event)
                if case .rows = event { continue }
                return
            }
        }
        post(.ended(request, nil))
    }

    private func post(_ event: PageConversation.Event) {
        events.append(event)
        eventCount += 1
    }

    func cancel(_ request: Int) {}

    func takeEvents() -> [PageConversation.Event] {
        defer { events = [] }
        return events
    }

    func wakeIfNeeded() {}
    func wait(after count: Int, milliseconds: Int) -> Int { eventCount }
    func end() {}
}

/// Returns a catalog on a server whose connector program replies with these lines.
package func pagedCatalog(repliedToBy lines: some Sequence<some Collection<UInt8>>) -> PagedCatalog {
    let options = PagedCatalog.Options(
        program: "/nonexistent", signIn: SignIn { _ in nil }, profile: nil, library: ProfileLibrary(directory: nil),
        openingTime: 0, reason: { "\($0.kind)" })
    return PagedCatalog(
        called: "server", in: MirrorDirectory(of: "server", in: "/dev/null/cache"), options, ScriptedReplies(lines),
        waking: Locked({}))
}
