internal import Glibc
internal import Library
internal import Storage

/// The reader's web browser: the first program of $BROWSER, or else xdg-open.
enum WebBrowser {
    /// Opens `link` in it: one argument, no shell.
    ///
    /// - Returns: Why it could not be started, for people; nil where it was.
    static func open(_ link: WebLink) -> String? {
        // A list of programs with colons between, the first of which is meant (as xdg-open reads it); one with arguments
        // of its own would need a shell.
        let named = environmentValue("BROWSER")?.split(separator: ":").first.map(String.init)
        let program = named ?? "xdg-open"
        guard let code = startApart(program, with: link.text) else { return nil }
        let advice = named == nil ? "set BROWSER to the program that opens links" : "set BROWSER to another program"
        return "\(program) cannot be started, \(String(cString: strerror(code))): \(advice)"
    }
}
