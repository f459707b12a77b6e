public import Library
public import Threading

/// The result of opening a link or a catalog.
public enum OpeningOutcome: Hashable, Sendable {
    /// The catalog is open, or the program has accepted the link.
    case opened
    /// It could not be opened, with the error message.
    case failed(String)
}

/// The user's program for opening links.
public struct LinkOpener {
    /// Starts to open a link in the background, and calls the second argument on any thread when the outcome is known.
    public let open: (BookLink, @escaping @Sendable () -> Void) -> BackgroundTask<OpeningOutcome>

    /// Creates an opener that calls `open`.
    public init(_ open: @escaping (BookLink, @escaping @Sendable () -> Void) -> BackgroundTask<OpeningOutcome>) {
        self.open = open
    }

    /// An opener that opens nothing.
    public static var none: LinkOpener {
        LinkOpener { _, _ in BackgroundTask(made: .failed(Message.noOpener.text())) }
    }
}

/// The links that are being opened.
struct PendingLinks {
    private var tasks: [BackgroundTask<OpeningOutcome>] = []
    private var text = ""

    /// Whether no outcome is pending.
    var isEmpty: Bool { tasks.isEmpty }

    /// The message while the links are being opened.
    var openingText: String { Message.opening.text(text) }

    /// Starts to open `links`, and forgets the earlier ones.
    mutating func open(_ links: [BookLink], with opener: LinkOpener, notifying notify: @escaping @Sendable () -> Void) {
        text = links.count == 1 ? links[0].text : links.count.of("link")
        tasks = links.map { opener.open($0, notify) }
    }

    /// Returns the outcome when all links are opened or one has failed, and forgets them; nil before that.
    mutating func takeOutcome() -> (message: String, isFailure: Bool)? {
        let outcomes = tasks.compactMap(\.value)
        for case .failed(let message) in outcomes {
            tasks = []
            return (message, true)
        }
        guard !tasks.isEmpty, outcomes.count == tasks.count else { return nil }
        tasks = []
        return (Message.opened.text(text), false)
    }
}

extension Session {
    /// Opens links in the user's program.
    func open(_ links: [BookLink]) {
        openingLinks.open(links, with: services.opener, notifying: wake)
        status.say(openingLinks.openingText)
        receiveOpenedLinks()
    }

    /// Shows that links were opened, unless there is a newer message, or that they could not be.
    func receiveOpenedLinks() {
        let opening = openingLinks.openingText
        guard let (message, isFailure) = openingLinks.takeOutcome() else { return }
        if isFailure || status.text == opening { status.say(message) }
    }
}
