/// The sources in which the browser looks books up, with the session that asks them.
public final class LookupService {
    private let find: () throws(LookupSource.Failure) -> [LookupSource]
    /// Whether the config file names the sources, which need no question then.
    public let isConfigured: Bool
    /// They are found when they are needed first.
    private lazy var found: Result<[LookupSource], LookupSource.Failure> = {
        do throws(LookupSource.Failure) {
            return .success(try find())
        } catch {
            return .failure(error)
        }
    }()
    private var session: (asksServers: Bool, session: LookupSession)?

    /// Creates a lookup.
    ///
    /// - Parameters:
    ///   - isConfigured: Whether the config file names the sources.
    ///   - find: Returns the sources, or throws the reason why the config file names none.
    public init(isConfigured: Bool, _ find: @escaping () throws(LookupSource.Failure) -> [LookupSource]) {
        (self.isConfigured, self.find) = (isConfigured, find)
    }

    /// The sources.
    public var sources: [LookupSource] { (try? found.get()) ?? [] }

    /// The reason why there are no sources, if the config file names wrong ones.
    public var failure: LookupSource.Failure? { if case .failure(let failure) = found { failure } else { nil } }

    /// The servers that would see what is looked up.
    public var servers: [LookupSource] { sources.filter(\.isServer) }

    /// Returns the session, which opens sources when they are asked first and keeps them open.
    ///
    /// - Parameters:
    ///   - asksServers: Whether servers are asked, too.
    ///   - notify: Called on any thread for each answer of a source.
    public func session(askingServers asksServers: Bool, notifying notify: @escaping @Sendable () -> Void)
        -> LookupSession
    {
        if let session, session.asksServers == asksServers { return session.session }
        session?.session.end()
        let new = LookupSession(in: sources.filter { asksServers || !$0.isServer }, notifying: notify)
        session = (asksServers, new)
        return new
    }
}
