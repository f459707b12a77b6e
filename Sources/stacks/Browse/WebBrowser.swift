internal import Browser
internal import Glibc
internal import Library
internal import Storage
internal import Text
internal import Threading

/// The user's program for links: the first program in $BROWSER, otherwise xdg-open.
enum WebBrowser {
    /// The time in milliseconds after which a running program counts as a browser that shows the page: a newly started
    /// browser exits only when the user closes it.
    private static let runningTimeLimit = 5000

    /// Starts to open `link` in the browser, as a single argument without a shell; see `LinkOpener`.
    static func open(_ link: BookLink, notifying notify: @escaping @Sendable () -> Void) -> BackgroundTask<
        OpeningOutcome
    > {
        // $BROWSER is a colon-separated list of programs, as for xdg-open; only the first is used, because programs
        // with arguments would need a shell.
        let named = environmentValue("BROWSER")?.split(separator: ":").first.map(String.init)
        let program = named ?? "xdg-open"
        let advice = (named == nil ? CommandMessage.setBrowser : .setOtherBrowser).text()
        return BackgroundTask(notifying: notify) { _ in
            let url: String
            switch link {
            case .web(let link): url = link.text
            case .file(let link):
                do throws(FileLink.Refusal) {
                    url = try link.url()
                } catch {
                    return .failed(error.sentence(of: link))
                }
            }
            let reason: String
            switch runApart(program, with: url, waiting: runningTimeLimit) {
            case .running, .exited(0): return .opened
            case .notStarted(let code):
                return .failed(CommandMessage.browserNotStarted.text(program, String(cString: strerror(code)), advice))
            case .exited(let status): reason = "exit status \(status)"
            case .killed(let signal): reason = "signal \(signal)"
            }
            return .failed(CommandMessage.browserFailed.text(program, link.text, reason, advice))
        }
    }
}

extension FileLink.Refusal {
    /// Why the file of a link is not opened, and what to do.
    fileprivate func sentence(of link: FileLink) -> String {
        switch self {
        case .missing(let code): CommandMessage.fileMissing.text(link.text, String(cString: strerror(code)))
        case .outside: CommandMessage.fileOutsideLibrary.text(link.text)
        case .notBook: CommandMessage.fileNotBook.text(link.text)
        case .executable: CommandMessage.fileExecutable.text(link.text)
        }
    }
}
