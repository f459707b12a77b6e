internal import Books
public import Catalog
public import ConnectorProtocol
internal import Glibc
internal import Graphemes

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

    fileprivate var cause: String {
        let place = place.map { " at \($0.description)" } ?? ""
        switch reason {
        case .missing?: return "no such file"
        case .permission?: return "permission denied"
        case .empty?: return "it is empty"
        case .html?: return "it is a web page"
        case .unknownFormat?: return "its format is unknown"
        case .archive?: return "it is an archive"
        case .damaged?: return "it is damaged\(place)"
        case .cut?: return "it is cut off\(place), before its first record"
        case .entity?: return "it declares an entity\(place), which is not read"
        case .noTable?: return "it has no table \(detail?.sanitized ?? "of this name")"
        case .noColumn?: return "it has no column \(detail?.sanitized ?? "of this name")"
        case .noLink?: return "nothing in it links \(detail?.sanitized ?? "a table") with the records"
        case .noTables?: return "it has no tables"
        case .noDatabase?: return "it is encrypted or no database"
        case .tooLarge?: return "it is too large\(place)"
        case .copyLimit?: return "it is larger than \(detail?.sanitized ?? "some") MB, the limit for copies"
        case .noRoom?: return "its copy would take the last room on the disk"
        case .noProgram?: return "the program \(detail?.sanitized ?? "") is missing"
        case .noName?: return "the server \(detail?.sanitized ?? "") is not known"
        case .noConnection?: return "\(detail?.sanitized ?? "the server") does not accept a connection"
        case .timeOut? where kind == .offline: return "\(detail?.sanitized ?? "the server") does not answer"
        case .brokenOff?: return "the connection to \(detail?.sanitized ?? "the server") broke off"
        case .proxyName?: return "the proxy \(detail?.sanitized ?? "") is not known"
        case .proxyConnection?: return "the proxy \(detail?.sanitized ?? "") does not accept a connection"
        case .proxyPassword?: return "the proxy \(detail?.sanitized ?? "") requires a user and password"
        case .proxyRefused?:
            let status = detail.map { " (\($0.sanitized))" } ?? ""
            return "the proxy \(subject?.sanitized ?? "") refuses to connect to the server\(status)"
        case .encryption?: return "no encrypted connection to \(detail?.sanitized ?? "the server") can be made"
        case .certificate?: return "the certificate of \(detail?.sanitized ?? "the server") is not trusted"
        case .redirect?: return "the server redirects to an address that is not followed"
        case .redirects?: return "the server redirects too often"
        case .address?: return "it is not the address of a web server"
        case .notHTTP?: return "\(detail?.sanitized ?? "the server") does not respond like a web server"
        case .status?: return "the server says \(detail?.sanitized ?? "no")"
        case .password?: return "\(detail?.sanitized ?? "the server") asks for a user and password"
        case .otherServer?:
            return "it leads to \(detail?.sanitized ?? "another server"), which asks for a user and password"
        case .netrc?:
            return "\(detail?.sanitized ?? "the server") asks for a user and password; "
                + "~/.netrc has them, but other users can read it"
        case .signIn?:
            let way = detail.map { " by \($0.sanitized)" } ?? " in an unknown way"
            return "\(subject?.sanitized ?? "the server") allows signing in only\(way)"
        case .portal?: return "a web page of \(detail?.sanitized ?? "the network") came in its place"
        case .noSearch?: return "it has no search of its own"
        case .noIndex?: return "the server has no index \(detail?.sanitized ?? "of this name")"
        case .needsQuery?: return "its server lists books only for a search"
        case .cannotSort?: return "its server does not sort by \(detail?.sanitized ?? "this field")"
        case .tooManyToSort?:
            return "its server does not sort more than \(detail.flatMap { Int($0) }?.grouped ?? "some") books"
        case .incomplete?: return "the server sent fewer books than it had counted"
        case .noBook?: return "the server cannot find book \(detail?.sanitized ?? "")"
        case .protocolMismatch?:
            return "\(subject?.sanitized ?? "the server") does not answer by \(detail?.sanitized ?? "this protocol")"
        case .diagnostic?: return "the server says \(detail?.sanitized ?? "no")"
        case .recordFormat?: return "the server sends records in an unknown format (\(detail?.sanitized ?? "unknown"))"
        case .changed?: return "it was changed meanwhile"
        case .noVersion?: return "its server does not tell its version, so that changes of others could be lost"
        case .noEnding?: return "its name does not tell a format"
        case .notACatalog?: return "the existing file is not JSON"
        case .noLibrary?: return "the server has no library \(detail?.sanitized ?? "of this name")"
        case .timeOut?: return detail.map { "\($0.sanitized) took too long" } ?? "stacks-connect does not answer"
        case .programFailed?:
            return detail.map { "\(subject ?? "a program") failed: \($0.sanitized)" } ?? "stacks-connect ended"
        case .cannotStart?: return "stacks-connect cannot start"
        case .programKilled?:
            return "stacks-connect ended early; it may use \(ConnectorLimits.memory) GiB of memory at most"
        case .notAFile?: return "it is not a file"
        case .foreignFile?: return "it is not a database that stacks made"
        case .schemaVersion?: return "a later version of stacks made it"
        case .constraint?: return "a rule in it forbids the change (\(detail?.sanitized ?? "unknown"))"
        case .databaseAddress?: return "it does not read clickhouse://HOST:PORT/DATABASE"
        case .noCatalog?: return "it has no catalog that stacks published"
        case .noCluster?: return "the server has no cluster \(detail?.sanitized ?? "of this name")"
        case .clusterHosts?:
            return "the cluster \(subject?.sanitized ?? "") has \(detail?.sanitized ?? "other hosts")"
        case .shard?: return "the shard \(subject?.sanitized ?? "") does not answer"
        case .otherIndex?: return "the index \(detail?.sanitized ?? "there") was not published by stacks"
        case .booksMissing?: return "only \(detail?.sanitized ?? "a part") of its books can be found"
        case .cannotWrite?: return "cannot write the copy: \(detail?.sanitized ?? "unknown cause")"
        default: return detail?.sanitized ?? kind.cause
        }
    }

    private static let knownFormats =
        "JSON, CSV, TSV, SQLite, calibre libraries, BibTeX, RIS, EndNote, MARC, MARCXML, MODS and OPDS, also as .gz or .zst"

    fileprivate var nextStep: String {
        switch (kind, reason) {
        case (_, .missing?): "Check the name"
        case (_, .permission?): "Check its permissions"
        case (_, .noTable?): "Name another after ?table="
        case (_, .noLink?): "Give the table between them as \"through\" in the profile"
        case (_, .noProgram?): "Install it"
        case (_, .cannotStart?): "Install the libraries that it needs; Questions in the guide lists them"
        case (_, .entity?): "Remove the declaration"
        case (_, .html?):
            subject.map(SourceAddress.isAddress) ?? false
                ? "Give the address of the catalog itself" : "Download the catalog itself"
        case (_, .archive?): "Unpack it, and open the catalog in it"
        case (_, .unknownFormat?): "stacks reads \(Self.knownFormats)"
        case (_, .copyLimit?): "Raise limit under [copies] in config.toml"
        case (_, .cannotWrite?), (_, .noRoom?): "Free some space"
        case (_, .noName?), (_, .address?), (_, .notHTTP?): "Check the address"
        case (_, .noConnection?), (.offline, .timeOut?), (_, .brokenOff?):
            "Check the address and the network, then try again"
        case (_, .proxyName?), (_, .proxyConnection?):
            "Check http_proxy and https_proxy in the environment, or exempt the server with no_proxy"
        case (_, .proxyPassword?):
            "Add them to its address in the environment: https_proxy=http://USER:PASSWORD@HOST:PORT"
        case (_, .proxyRefused?): "Check the address, or exempt the server from the proxy with no_proxy"
        case (_, .certificate?):
            "If you trust the server, add its certificate to those of the system with update-ca-certificates"
        case (_, .password?): "Give password-cmd for it in config.toml, or run: stacks sources refresh"
        case (_, .otherServer?): "Open the address to which it leads"
        case (_, .netrc?): "Run chmod 600 on it"
        case (_, .signIn?): "Download the catalog with a browser, and open the file"
        case (_, .portal?): "Sign in to the network with a browser, then try again"
        case (_, .noSearch?): "Open it without #search="
        case (_, .noIndex?): "Name another at the end of the address"
        case (_, .needsQuery?): "Press / to search"
        case (_, .cannotSort?): "Sort by another field"
        case (_, .tooManyToSort?): "Narrow the search first"
        case (_, .noBook?): "Search for it"
        case (_, .protocolMismatch?): "Check the address"
        case (_, .diagnostic?): "Change the search, or try again later"
        case (_, .recordFormat?): "Give another after ?recordSchema="
        case (_, .noLibrary?): "Name another after ?library_id="
        case (_, .redirect?), (_, .redirects?): "Open the address to which it leads"
        case (_, .databaseAddress?): "Check the address"
        case (_, .noCatalog?): "Publish one with: stacks publish CATALOG ADDRESS"
        case (_, .noCluster?): "Name another after ?cluster="
        case (_, .clusterHosts?): "Name each host once in the address"
        case (_, .shard?): "Start it, then try again"
        case (_, .booksMissing?): "Publish the catalog again"
        case (_, .otherIndex?): "Name another index"
        case (.busy, .status?), (.server, .status?):
            retryAfter.flatMap { $0 > 0 ? "Try again in \($0.asDuration)" : nil }
                ?? "Check the address, or try again later"
        case (.busy, _), (.offline, _), (.server, _): "Try again later"
        case (.helper, _): "Try again"
        default: "Check the file"
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
        case .noPlace: "the library has no place for \(String(name).sanitized)"
        case .value: "calibre cannot hold this \(String(name).sanitized)"
        case .server: "the server says \(detail?.sanitized ?? "no")"
        }
    }
}

extension ConnectorFailure.Kind {
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
}

extension MirrorNews {
    /// The message for the status line about the source called `name`.
    ///
    /// - Parameter reload: The key that reloads.
    public func sentence(of name: String, reload: String = "R") -> String {
        switch self {
        case .empty(let state): state.sentenceOfEmptiness(of: name)
        case .complete(let state):
            [
                state.defects.isEmpty ? nil : Message.sourceDefects.text(name, state.defects.description),
                state.otherTables.isEmpty ? nil : state.sentenceOfTables(of: name),
            ].compactMap(\.self).joined(separator: ". ")
        case .incomplete(let defects, let remainder):
            Message.sourceIncomplete.text(
                name, defects.ending, remainder.words, SourceAddress.isAddress(name) ? "Try again" : "Check the file")
        case .copying: Message.firstCopy.text(name)
        case .copyingAgain: Message.copyAgain.text(name)
        case .stopped(let remainder):
            Message.sourceIncomplete.text(name, "reading was stopped", remainder.words, "Reload to read all")
        case .old(let state, let isGone):
            Message.oldCopy.text(
                name, isGone ? "is gone" : SourceAddress.isAddress(state.source) ? "may have changed" : "has changed",
                state.fetched.asDate)
        case .smaller(let source): Message.sourceSmaller.text(name, source.rows.of("row"), source.before.grouped)
        case .failed(let failure): failure.sentence(of: name)
        case .unreadable(let error): error.sentence
        case .passwordNeeded(let question, let copied):
            (question.isRepeated ? Message.passwordWrong : .passwordNeeded).text(
                question.place, copied.map { "; its copy of \($0.asDate) is shown" } ?? "", reload)
        case .connecting(let host): Message.connecting.text(host.sanitized)
        case .unreachable(let failure, let copied):
            Message.sourceUnreachable.text(name, failure.cause, copied.asDate, failure.nextStep)
        case .unchanged: Message.sourceUnchanged.text(name)
        }
    }

    /// The label in the title bar while the source is shown in part.
    public var label: String {
        switch self {
        case .stopped: "reading stopped"
        case .unreadable, .passwordNeeded: "not read"
        case .incomplete(let defects, _) where defects.contains { $0.kind == SourceDefect.Kind.cut.rawValue }:
            "file cut off"
        case .complete, .empty, .connecting, .copying, .copyingAgain, .incomplete, .old, .smaller, .failed,
            .unreachable, .unchanged:
            "incomplete"
        }
    }
}

extension CredentialQuestion {
    /// The server that asks, and what it calls its catalog.
    public var place: String {
        let host = origin.place.sanitized
        return (instructions?.title ?? realm).map { "\(host) (\($0.sanitized))" } ?? host
    }

    /// What the server calls the name of a user.
    public var userLabel: String { instructions?.userLabel?.sanitized ?? "User" }

    /// What the server calls the password.
    public var secretLabel: String { instructions?.secretLabel?.sanitized ?? "Password" }
}

extension MirrorNews.Remainder {
    fileprivate var words: String {
        switch self {
        case .rows(let count): "showing \(count.of("row"))"
        case .copy(let date): "showing its copy of \(date.asDate)"
        case .nothing: "nothing was copied"
        }
    }
}

extension MirrorState {
    /// The message that there are more tables with books; names a few.
    fileprivate func sentenceOfTables(of name: String) -> String {
        let names = otherTables.prefix(3).map(\.sanitized)
        let more = otherTables.count > names.count ? " and \((otherTables.count - names.count).grouped) more" : ""
        if kind == "calibre-server" {
            return Message.moreLibraries.text(
                name, table?.sanitized ?? "", names.joined(separator: ", ") + more, names[0])
        }
        return Message.moreTables.text(name, table?.sanitized ?? "", names.joined(separator: ", ") + more, names[0])
    }

    /// The message that the source called `name` was read and has no books, with the cause and the next step.
    fileprivate func sentenceOfEmptiness(of name: String) -> String {
        if hasSearch { return Message.feedHasSearchOnly.text(name, name) }
        if defects.isEmpty {
            let isTable = kind == "sqlite"
            return Message.sourceHasNoBooks.text(name, isTable ? "Name another table after ?table=" : "Check the file")
        }
        let hasLinksOnly = kind == "opds" && defects.allSatisfy { $0.kind == SourceDefect.Kind.foreign.rawValue }
        if hasLinksOnly { return Message.feedHasNoBooks.text(name) }
        return Message.sourceHasOnlyDefects.text(name, defects.description)
    }
}

extension [MirrorState.SourceDefectCount] {
    /// The reason why a source ended early, followed by the defects of earlier rows.
    fileprivate var ending: String {
        guard let cut = first(where: { $0.kind == SourceDefect.Kind.cut.rawValue }) else {
            return isEmpty ? "it is cut off" : description
        }
        let others = filter { $0.kind != cut.kind }
        let start = "it is cut off" + (cut.place.map { " at \($0)" } ?? "")
        return others.isEmpty ? start : "\(start); \(others.description)"
    }

    /// The defects in words: "12 rows skipped (malformed, first at line 40)".
    fileprivate var description: String {
        map { defect in
            let kind = SourceDefect.Kind(rawValue: defect.kind)
            let place = defect.place.map { ", first at \($0)" } ?? ""
            let isSkipped = kind.map { SourceDefect($0).isSkipped } ?? false
            return
                "\(defect.count.of("row")) \(isSkipped ? "skipped" : "kept") (\(kind?.phrase ?? defect.kind)\(place))"
        }.joined(separator: "; ")
    }
}

extension SourceDefect.Kind {
    fileprivate var phrase: String {
        switch self {
        case .cut: "cut off"
        case .quote: "quotation mark not closed"
        case .strayQuote: "text after a quotation mark"
        case .columns: "wrong number of cells"
        case .encoding: "wrong encoding"
        case .tooLarge: "too large"
        case .malformed: "malformed"
        case .entity: "entity refused"
        case .tooDeep: "nested too deeply"
        case .unclosed: "brace not closed"
        case .foreign: "not part of a record"
        }
    }
}

extension TransferRate {
    /// The rate and the time left in words: "1.2 MB/s, 40 s left".
    public var words: String {
        let rate =
            bytesPerSecond < 1_000_000
            ? "\(max(1, bytesPerSecond / 1000)) kB/s"
            : "\(bytesPerSecond / 1_000_000).\(bytesPerSecond % 1_000_000 / 100_000) MB/s"
        return secondsLeft.map { "\(rate), \($0.asDuration) left" } ?? rate
    }
}

extension Int {
    /// The local date and time of these seconds since 1970, such as "2026-11-21 09:30".
    public var asDate: String {
        var time = time_t(self)
        var parts = tm()
        localtime_r(&time, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let day = "\(Int(parts.tm_year) + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
        return "\(day) \(two(parts.tm_hour)):\(two(parts.tm_min))"
    }

    /// These seconds as a time to wait, such as "7 s" or "5 min".
    fileprivate var asDuration: String { self < 120 ? "\(self) s" : "\((self - 1) / 60 + 1) min" }

    /// These seconds in the largest unit that fits: "3 h", "12 days".
    public var asAge: String {
        switch self {
        case ..<3600: "\(Swift.max(1, self / 60)) min"
        case ..<(48 * 3600): "\(self / 3600) h"
        default: "\(self / 86400) days"
        }
    }
}
