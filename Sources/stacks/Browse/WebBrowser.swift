internal import Glibc
internal import Library
internal import Storage

/// The user's web browser: the first program in $BROWSER, otherwise xdg-open.
enum WebBrowser {
    /// Opens `link` in the browser, as a single argument without a shell.
    ///
    /// - Returns: An error message if the browser could not be started, otherwise nil.
    static func open(_ link: WebLink) -> String? {
        // $BROWSER is a colon-separated list of programs, as xdg-open reads it; only the first counts, since programs
        // with arguments would need a shell.
        let named = environmentValue("BROWSER")?.split(separator: ":").first.map(String.init)
        let program = named ?? "xdg-open"
        guard let code = startApart(program, with: link.text) else { return nil }
        let advice = named == nil ? "set BROWSER to the program that opens links" : "set BROWSER to another program"
        return "\(program) cannot be started, \(String(cString: strerror(code))): \(advice)"
    }
}
