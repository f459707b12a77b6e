internal import Books
internal import Catalog
public import ConnectorProtocol
internal import Graphemes
internal import Remote

extension ConnectorFailure {
    /// The message that the source called `name` cannot be read, with the cause and the next step.
    ///
    /// - Parameter profile: The name of the profile that names the tables of a database, if any.
    public func sentence(of name: String, tablesOf profile: String? = nil) -> String {
        let advice =
            switch (reason, profile) {
            case (.noTable?, let profile?): "Name another in profile \(profile)"
            case (.noColumn?, let profile?): "Name another as \"column\" in profile \(profile)"
            case (.noLink?, let profile?): "Give the table between them as \"through\" in profile \(profile)"
            default: nextStep
            }
        return Message.sourceNotRead.text(name, cause, advice)
    }

    /// The cause in a few words, for the rows that could not be loaded.
    public var shortReason: String { cause.prefix(1).uppercased() + cause.dropFirst() }

    /// The message that the file called `name` cannot be written, with the cause and the next step.
    public func sentence(writing name: String) -> String {
        let advice =
            switch (kind, reason) {
            case (_, .foreignFile?): "Name another file after --output"
            case (_, .schemaVersion?): "Install that version, or name another file"
            case (_, .constraint?): "Change the rule, or name another file"
            case (.busy, _): "Close it there, then try again"
            case (_, .noDatabase?), (_, .damaged?): "Name another file after --output"
            default: nextStep
            }
        return Message.exportNotMade.text(
            name, reason == nil && kind == .busy ? "another program uses it" : cause, advice)
    }

    /// The message that nothing, or not all, could be published at this address, with the cause and the next step.
    public func sentence(publishing address: String) -> String {
        let advice =
            switch (kind, reason) {
            case (_, .changed?): "Open it to see the changes, then publish again, or replace it with --force"
            case (_, .noVersion?): "Replace it all the same with --force"
            case (_, .noEnding?): "End it in .json or .jsonl"
            case (_, .notACatalog?): "Check the address"
            case (.server, .status?): "Check the address, and that you may write there"
            case (_, .password?): "Give password-cmd for it in config.toml, or run this in a terminal"
            default: nextStep
            }
        return Message.notPublished.text(address, cause, advice)
    }

    /// The message that changes were not saved on the server at `address`, with the cause and the next step.
    func sentence(savingTo address: String) -> String {
        let advice =
            switch (kind, reason) {
            case (.cancelled, _): nil as String?
            case (.server, .status?): "Open it as a user who may change it, or have its server allow changes"
            case (_, .password?): "Give password-cmd for it in config.toml"
            case (.helper, .noProgram?): "Install it"
            default: nextStep
            }
        guard let advice else { return Message.sendingStopped.text(address) }
        return Message.notSavedOnServer.text(address, cause, advice)
    }

    /// What happened, as the end of a sentence about the source.
    var cause: String { explanation.cause }

    /// What the user can do.
    var nextStep: String { explanation.nextStep ?? kind.nextStep }

    private static let knownFormats =
        "JSON, CSV, TSV, SQLite, calibre libraries, BibTeX, RIS, EndNote, MARC, MARCXML, MODS and OPDS, also as .gz or .zst"

    /// What happened, and what the user can do if the kind of failure does not say it.
    private var explanation: (cause: String, nextStep: String?) {
        let detail = detail?.sanitized
        let subject = subject?.sanitized
        let server = detail ?? "the server"
        let place = place.map { " at \($0.description)" } ?? ""
        switch reason {
        case nil, .tooLong?, .notJSON?, .member?, .unknownRequest?, .nothingOpen?, .version?:
            return (detail ?? kind.cause, nil)

        // Files
        case .missing?: return ("no such file", "Check the name")
        case .replaced?: return ("another program is saving it", "Try again later")
        case .permission?: return ("permission denied", "Check its permissions")
        case .empty?: return ("it is empty", nil)
        case .html?:
            let isAddress = self.subject.map(SourceAddress.isAddress) ?? false
            return (
                "it is a web page",
                isAddress ? "Give the address of the catalog itself" : "Download the catalog itself"
            )
        case .unknownFormat?: return ("its format is unknown", "stacks reads \(Self.knownFormats)")
        case .archive?: return ("it is an archive", "Unpack it, and open the catalog in it")
        case .damaged?: return ("it is damaged\(place)", nil)
        case .cut?: return ("it is cut off\(place), before its first record", nil)
        case .entity?: return ("it declares an entity\(place), which is not read", "Remove the declaration")
        case .tooLarge?: return ("it is too large\(place)", nil)
        case .copyLimit?:
            return (
                "it is larger than \(detail ?? "some") MB, the limit for copies",
                "Raise limit under [copies] in config.toml"
            )
        case .noRoom?: return ("its copy would take the last room on the disk", "Free some space")
        case .notAFile?: return ("it is not a file", nil)
        case .cannotWrite?: return ("cannot write the copy: \(detail ?? "unknown cause")", "Free some space")

        // Databases
        case .noTable?: return ("it has no table \(detail ?? "of this name")", "Name another after ?table=")
        case .noColumn?: return ("it has no column \(detail ?? "of this name")", nil)
        case .noLink?:
            return (
                "nothing in it links \(detail ?? "a table") with the records",
                "Give the table between them as \"through\" in the profile"
            )
        case .noTables?: return ("it has no tables", nil)
        case .noDatabase?: return ("it is encrypted or no database", nil)
        case .foreignFile?: return ("it is not a database that stacks made", nil)
        case .schemaVersion?: return ("a later version of stacks made it", nil)
        case .constraint?: return ("a rule in it forbids the change (\(detail ?? "unknown"))", nil)

        // Programs
        case .noProgram?: return ("the program \(detail ?? "") is missing", "Install it")
        case .timeOut? where kind == .offline:
            return ("\(server) does not answer", "Check the address and the network, then try again")
        case .timeOut?: return (detail.map { "\($0) took too long" } ?? "stacks-connect does not answer", nil)
        case .programFailed?:
            return (detail.map { "\(subject ?? "a program") failed: \($0)" } ?? "stacks-connect ended", nil)
        case .cannotStart?:
            return (
                "stacks-connect cannot start",
                "Install the libraries that it needs; Questions in the guide lists them"
            )
        case .programKilled?:
            return ("stacks-connect ended early; it may use \(ConnectorLimits.memory) GiB of memory at most", nil)

        // The network
        case .noName?: return ("the server \(detail ?? "") is not known", "Check the address")
        case .noConnection?:
            return ("\(server) does not accept a connection", "Check the address and the network, then try again")
        case .brokenOff?:
            return ("the connection to \(server) broke off", "Check the address and the network, then try again")
        case .proxyName?: return ("the proxy \(detail ?? "") is not known", Self.checkProxy)
        case .proxyConnection?: return ("the proxy \(detail ?? "") does not accept a connection", Self.checkProxy)
        case .proxyPassword?:
            return (
                "the proxy \(detail ?? "") requires a user and password",
                "Add them to its address in the environment: https_proxy=http://USER:PASSWORD@HOST:PORT"
            )
        case .proxyRefused?:
            let status = detail.map { " (\($0))" } ?? ""
            return (
                "the proxy \(subject ?? "") refuses to connect to the server\(status)",
                "Check the address, or exempt the server from the proxy with no_proxy"
            )
        case .encryption?: return ("no encrypted connection to \(server) can be made", nil)
        case .certificate?:
            return (
                "the certificate of \(server) is not trusted",
                "If you trust the server, add its certificate to those of the system with update-ca-certificates"
            )
        case .redirect?:
            return (
                "the server redirects to an address that is not followed", "Open the address to which it leads"
            )
        case .redirects?: return ("the server redirects too often", "Open the address to which it leads")
        case .address?: return ("it is not the address of a web server", "Check the address")
        case .notHTTP?: return ("\(server) does not respond like a web server", "Check the address")
        case .status?: return ("the server says \(detail ?? "no")", nextStepAfterStatus)
        case .portal?:
            return (
                "a web page of \(detail ?? "the network") came in its place",
                "Sign in to the network with a browser, then try again"
            )

        // Passwords
        case .password?:
            return (
                "\(server) asks for a user and password",
                "Give password-cmd for it in config.toml, or run: stacks sources refresh"
            )
        case .otherServer?:
            return (
                "it leads to \(detail ?? "another server"), which asks for a user and password",
                "Open the address to which it leads"
            )
        case .netrc?:
            return (
                "\(server) asks for a user and password; ~/.netrc has them, but other users can read it",
                "Run chmod 600 on it"
            )
        case .signIn?:
            let way = detail.map { " by \($0)" } ?? " in an unknown way"
            return (
                "\(subject ?? "the server") allows signing in only\(way)",
                "Download the catalog with a browser, and open the file"
            )

        // Servers of books
        case .noLibrary?:
            return ("the server has no library \(detail ?? "of this name")", "Name another after ?library_id=")
        case .noSearch?: return ("it has no search of its own", "Open it without #search=")
        case .noIndex?:
            return ("the server has no index \(detail ?? "of this name")", "Name another at the end of the address")
        case .needsQuery?: return ("its server lists books only for a search", "Press / to search")
        case .cannotSort?:
            return ("its server does not sort by \(detail ?? "this field")", "Sort by another field")
        case .tooManyToSort?:
            return (
                "its server does not sort more than \(detail.flatMap { Int($0) }?.grouped ?? "some") books",
                "Narrow the search first"
            )
        case .incomplete?: return ("the server sent fewer books than it had counted", nil)
        case .noBook?: return ("the server cannot find book \(detail ?? "")", "Search for it")
        case .protocolMismatch?:
            return (
                "\(subject ?? "the server") does not answer by \(detail ?? "this protocol")", "Check the address"
            )
        case .diagnostic?: return ("the server says \(detail ?? "no")", "Change the search, or try again later")
        case .recordFormat?:
            return (
                "the server sends records in an unknown format (\(detail ?? "unknown"))",
                "Give another after ?recordSchema="
            )

        // Publishing
        case .changed?: return ("it was changed meanwhile", nil)
        case .noVersion?:
            return ("its server does not tell its version, so that changes of others could be lost", nil)
        case .noEnding?: return ("its name does not tell a format", nil)
        case .notACatalog?: return ("the existing file is not JSON", nil)
        case .databaseAddress?: return ("it does not read clickhouse://HOST:PORT/DATABASE", "Check the address")
        case .noCatalog?:
            return ("it has no catalog that stacks published", "Publish one with: stacks publish CATALOG ADDRESS")
        case .noCluster?:
            return ("the server has no cluster \(detail ?? "of this name")", "Name another after ?cluster=")
        case .clusterHosts?:
            return (
                "the cluster \(subject ?? "") has \(detail ?? "other hosts")", "Name each host once in the address"
            )
        case .shard?: return ("the shard \(subject ?? "") does not answer", "Start it, then try again")
        case .otherIndex?:
            return ("the index \(detail ?? "there") was not published by stacks", "Name another index")
        case .booksMissing?:
            return ("only \(detail ?? "a part") of its books can be found", "Publish the catalog again")
        }
    }

    private static let checkProxy =
        "Check http_proxy and https_proxy in the environment, or exempt the server with no_proxy"

    /// What to do after an error status of the server, if that says when to try again.
    private var nextStepAfterStatus: String? {
        guard kind == .busy || kind == .server else { return nil }
        if let retryAfter, retryAfter > 0 { return "Try again in \(retryAfter.asDuration)" }
        return "Check the address, or try again later"
    }
}

extension ConnectorFailure.Kind {
    /// What happened, if the reason does not say it.
    fileprivate var cause: String {
        switch self {
        case .offline: "it cannot be reached"
        case .server: "its server failed"
        case .busy: "it is in use"
        case .auth: "it asks for a password"
        case .refused: "it asks for something that is not allowed"
        case .format: "its format is wrong"
        case .unsupported: "it is not supported"
        case .request, .helper: "stacks-connect failed"
        case .cancelled: "it was stopped"
        }
    }

    /// What the user can do, if the reason does not say it.
    fileprivate var nextStep: String {
        switch self {
        case .busy, .offline, .server: "Try again later"
        case .helper: "Try again"
        case .auth, .refused, .format, .unsupported, .request, .cancelled: "Check the file"
        }
    }
}

extension RefusedRow {
    /// The message that a server did not take a change of the book of this title, with the cause and the next step.
    public func sentence(of title: String) -> String {
        let advice =
            switch reason {
            case .changed, .gone: "Try again"
            case .noPlace: "Leave it out, or add a column in calibre"
            case .value: "Give another one"
            case .server: "Try again later"
            }
        return Message.publishRefused.text(title, cause, advice)
    }

    /// Why a server did not take a change of a book.
    private var cause: String {
        let name = (detail ?? "value").drop { $0 == "*" }
        return switch reason {
        case .changed: "its \(String(name).sanitized) was changed on the server meanwhile"
        case .gone: "it was deleted on the server meanwhile"
        case .noPlace: "the library lacks the field \(String(name).sanitized)"
        case .value: "calibre cannot hold this \(String(name).sanitized)"
        case .server: "the server says \(detail?.sanitized ?? "no")"
        }
    }
}
