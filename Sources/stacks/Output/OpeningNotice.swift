internal import Catalog
internal import Glibc
internal import Library
internal import Remote
internal import Storage
internal import Text
internal import Threading

/// A line on standard error while a catalog is opened, if that is a terminal; shown after a third of a second.
///
/// The thread that opens the catalog may wait for a disk or a server for a long time.
final class OpeningNotice: Sendable {
    private enum State {
        case waiting, shown, ended
    }

    private let state = Locked(State.waiting)

    /// The time after which the line is shown, in milliseconds.
    private static let delay = 300

    /// Shows that the file at `path` is opened, until `end()` is called; an address tells by itself that it takes long.
    init(_ path: String?, cachedIn directories: Directories) {
        guard let path, SourceAddress(path) == nil, isatty(STDERR_FILENO) == 1,
            !RandomAccessInput.isBeginningAtHand(path) || directories.isCacheRemote
        else { return }
        let text = CommandMessage.opening.text(abbreviatedPath(path))
        BackgroundThread.start { [state] in
            if state.wait(milliseconds: Self.delay, until: { $0 == .ended }) { return }
            state.change { state in
                if state == .ended { return }
                ProgressLine.put(text)
                state = .shown
            }
        }
    }

    /// Erases the line.
    func end() {
        state.change { state in
            if state == .shown { ProgressLine.put("\r\u{1B}[K") }
            state = .ended
        }
    }
}
