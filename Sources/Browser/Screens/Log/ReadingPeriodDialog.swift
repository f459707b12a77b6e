internal import Books
internal import Graphemes
internal import Library
internal import Storage
internal import TerminalUI

/// The line for the days of a reading and how it ended. What is typed is shown back in full before it is taken.
final class ReadingPeriodDialog: LineInput {
    let context = CommandContext.prompt
    let prompt = "Read from … to …: "
    var editor: LineEditor
    private let reading: LoggedReading
    private let below: any Screen
    private let session: Session

    /// Creates the line with the days of `reading`, above the screen of the log.
    init(_ reading: LoggedReading, above screen: any Screen, in session: Session) {
        (self.reading, below, self.session) = (reading, screen, session)
        editor = LineEditor(ReadingPeriodInput.text(of: reading.reading))
    }

    /// The reading with what was typed; the reason in words if that is not understood.
    private var typed: Result<Reading, Problem> {
        do throws(DayInput.Problem) {
            let input = try ReadingPeriodInput(editor.text, of: reading.reading, today: session.today)
            return .success(input.applied(to: reading.reading))
        } catch {
            return .failure(Problem(phrase: error.phrase))
        }
    }

    private struct Problem: Error { let phrase: String }

    func screenBelow(_ app: App) -> any Screen { below }

    func keyHints(_ app: App) -> [KeyHint]? {
        let meaning = (try? typed.get()).map { KeyHint(.enter, ReadingSentence($0).sentence) }
        return [meaning, KeyHint(.escape, "cancel")].compactMap(\.self)
    }

    func edited(_ app: App) { session.status.clear() }

    func accepted(_ app: App) -> Effect {
        switch typed {
        // What was typed stays, to be corrected.
        case .failure(let problem): session.status.say(problem.phrase)
        case .success(let new): take(new, app)
        }
        return .none
    }

    private func take(_ new: Reading, _ app: App) {
        guard let book = session.library.current(reading) else {
            app.close(self)
            session.status.say(.readingGone)
            return
        }
        do throws(ReadingEntry.Problem) {
            let (status, log) = try book.log.correctingReading(at: reading.index, to: new, status: book.status)
            app.close(self)
            let text = Message.readingChanged.text(book.title, ReadingSentence(new).sentence)
            session.change(saying: text) { () throws(FileError) in
                try session.library.setLog(log, status: status, at: book.place)
            }
        } catch {
            session.status.say(error.phrase(of: book.title))
        }
    }

    func spoken(_ app: App) -> Spoken {
        let meaning = (try? typed.get()).map { ": " + ReadingSentence($0).sentence } ?? ""
        return Spoken(
            place: .prompt, typed: (prompt + editor.text + meaning).sanitized,
            content: screenBelow(app).spoken(app).content)
    }
}

extension ReadingEntry.Problem {
    /// Why days do not fit the log of a book with this title, without a full stop.
    func phrase(of title: String) -> String {
        switch self {
        case .endsBeforeStart(let end, let start):
            Message.readingEndsFirst.text(ReadingSentence.on(end), ReadingSentence.on(start))
        case .progressOutside(let progress):
            Message.progressOutside.text(progress.place.shown, ReadingSentence.on(progress.day))
        case .hasEnded, .isBeingRead: Message.readingNeedsEnd.text(title)
        }
    }
}
