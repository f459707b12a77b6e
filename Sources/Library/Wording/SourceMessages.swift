internal import Books
internal import Catalog
public import ConnectorProtocol
internal import Graphemes
public import Remote

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
        case .readAs(let encoding): Message.sourceReadAs.text(name, encoding)
        case .incomplete(let defects, let remainder):
            Message.sourceIncomplete.text(
                name, defects.ending, remainder.words, SourceAddress.isAddress(name) ? "Try again" : "Check the file")
        case .copied(let count): Message.sourceRead.text(name, count.of("book"))
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
        case .complete, .empty, .readAs, .copied, .connecting, .copying, .copyingAgain, .incomplete, .old, .smaller,
            .failed,
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
            let place = defect.place.map { ", first at \($0)" } ?? ""
            return
                "\(defect.count.of("row")) \(defect.isSkipped ? "skipped" : "kept") (\(defect.phrase)\(place))"
        }.joined(separator: "; ")
    }
}

extension MirrorState.SourceDefectCount {
    /// Whether rows with this defect are missing from the copy.
    public var isSkipped: Bool { SourceDefect.Kind(rawValue: kind).map { SourceDefect($0).isSkipped } ?? false }

    /// What is wrong, in words.
    public var phrase: String { SourceDefect.Kind(rawValue: kind)?.phrase ?? kind }

    /// The line of the first row, if it is known.
    public var line: Int? { place.flatMap { $0.hasPrefix("line ") ? Int($0.dropFirst(5)) : nil } }
}

extension SourceDefect.Kind {
    fileprivate var phrase: String {
        switch self {
        case .cut: "cut off"
        case .quote: "quotation mark not closed"
        case .strayQuote: "text after a quotation mark"
        case .columns: "wrong number of cells"
        case .rounded: "ISBN rounded by a spreadsheet"
        case .encoding: "wrong encoding"
        case .tooLarge: "too large"
        case .fieldTooLarge: "without a field that is too large"
        case .malformed: "malformed"
        case .entity: "entity refused"
        case .tooDeep: "nested too deeply"
        case .unclosed: "brace not closed"
        case .foreign: "not part of a record"
        case .notABook: "not a book"
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
