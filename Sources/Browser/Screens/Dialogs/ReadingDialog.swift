internal import Books
internal import Graphemes
internal import Library
internal import Shelves
internal import TerminalUI

/// The dialog for an entry into the reading log: a day, or the progress. What is typed is shown back in full before it is
/// taken.
final class ReadingDialog: LineInput {
    /// What the text means.
    private enum Entry {
        case status(Book.ReadingStatus, DayInput)
        case progress(ProgressInput)
    }

    let context = CommandContext.prompt
    var editor = LineEditor()
    private let command: Command
    private let targets: ActionTarget
    private let pageCount: Int?
    private let today: CalendarDay
    /// The day on which the book was read or abandoned, which the day that is typed replaces; nil without one.
    private let replacedDay: String?

    /// Creates the dialog of a command that sets a status or the progress.
    ///
    /// - Parameters:
    ///   - targets: The books.
    ///   - bookData: The user data of the book, if it is one and has some.
    ///   - pageCount: The number of pages of the book, if it is one and it is known.
    init(
        _ command: Command, for targets: ActionTarget, bookData: UserBookData?, pageCount: Int?, today: CalendarDay
    ) {
        (self.command, self.targets, self.pageCount, self.today) = (command, targets, pageCount, today)
        if case .statusOn(let status) = command, status == bookData?.status, status == .read || status == .abandoned,
            bookData?.readingLog.current == nil
        {
            replacedDay = bookData?.statusDates[status]
        } else {
            replacedDay = nil
        }
    }

    /// The prompt names what is entered.
    var prompt: String {
        switch command {
        case .statusOn(.toRead): "To read since: "
        case .statusOn(.reading): "Reading since: "
        case .statusOn(.read): "Read on: "
        case .statusOn(.abandoned): "Abandoned on: "
        default: pageCount.map { "Page of \($0.grouped), or percentage: " } ?? "Page or percentage: "
        }
    }

    /// Reads the text.
    private func entry() -> Result<Entry, EntryProblem> {
        if case .statusOn(let status) = command {
            do throws(DayInput.Problem) {
                return .success(.status(status, try DayInput(editor.text, today: today)))
            } catch {
                return .failure(EntryProblem(phrase: error.phrase))
            }
        }
        do throws(ProgressInput.Problem) {
            return .success(.progress(try ProgressInput(editor.text, pageCount: pageCount, today: today)))
        } catch {
            return .failure(EntryProblem(phrase: error.phrase))
        }
    }

    /// What Enter would enter, in words; nil if it is not understood yet.
    private var preview: String? {
        switch entry() {
        case .success(.status(let status, let day)):
            let shown = day.shown(today: today)
            let isWhole = CalendarDay(day.text) != nil
            let preposition = status.precedesSince ? "since" : isWhole ? "on" : "in"
            let replaced = replacedDay.flatMap { $0 == day.text ? nil : ", instead of \(DayInput.inWords($0))" } ?? ""
            return "\(status.shown.lowercased()) \(preposition) \(shown)"
                .replacing("on today", with: "today").replacing("on yesterday", with: "yesterday") + replaced
        case .success(.progress(let input)):
            let part = input.place.part(of: pageCount).map { " (\(Int($0 * 100))\u{A0}%)" }
            let place = if case .page = input.place { input.place.shown + (part ?? "") } else { input.place.shown }
            return place + (input.day.map { ", " + $0.shown(today: today) } ?? "")
        case .failure: return nil
        }
    }

    func keyHints(_ app: App) -> [KeyHint]? {
        [preview.map { KeyHint(.enter, $0) }, KeyHint(.escape, "cancel")].compactMap(\.self)
    }

    func edited(_ app: App) { app.session.status.clear() }

    func accepted(_ app: App) -> Effect {
        let actions = BookActions(session: app.session)
        switch entry() {
        case .success(let entry):
            if let outside = progressOutside(entry, actions.userData(of: targets)) {
                let date = "on " + DayInput.inWords(outside.day)
                app.session.status.say(.progressOutside, outside.place.shown, date)
                return .none
            }
            app.close(self)
            guard let targets = actions.targets() else { return .none }
            guard targets.looksLike(self.targets) else {
                app.session.status.say(.selectionChanged)
                return .none
            }
            switch entry {
            case .status(let status, let day): actions.setStatus(status, on: day, today: today, of: targets)
            case .progress(let input): actions.setProgress(input, today: today, of: targets)
            }
        // What was typed stays, to be corrected.
        case .failure(let problem): app.session.status.say(problem.phrase)
        }
        return .none
    }

    /// Returns the progress that would be outside the reading of the book, if it is one: a mistyped day.
    private func progressOutside(_ entry: Entry, _ userData: [UserBookData?]) -> ReadingProgress? {
        guard userData.count == 1, let bookData = userData[0] else { return nil }
        let problem: ReadingEntry.Problem?
        switch entry {
        case .status(let status, let day): problem = bookData.problem(with: status, on: day.text)
        case .progress(let input):
            var made = ReadingEntry()
            made.progress = ReadingProgress(input.place, on: input.day?.text ?? today.text)
            problem = bookData.problem(with: made)
        }
        return if case .progressOutside(let progress)? = problem { progress } else { nil }
    }

    func spoken(_ app: App) -> Spoken {
        let meaning = preview.map { (editor.text.isEmpty ? "" : ": ") + $0 } ?? ""
        return Spoken(
            place: .prompt, typed: (prompt + editor.text + meaning).sanitized, content: app.main.spoken(app).content)
    }
}

extension UserBookData {
    /// Returns why a status as of a day does not fit the log; nil if it does.
    func problem(with status: Book.ReadingStatus, on day: String) -> ReadingEntry.Problem? {
        var entry = ReadingEntry()
        switch status {
        case .toRead: return nil
        case .reading: entry.start = day
        case .read: (entry.outcome, entry.end) = (.finished, day)
        case .abandoned: (entry.outcome, entry.end) = (.abandoned, day)
        }
        return problem(with: entry)
    }

    /// Returns why an entry does not fit the log; nil if it does.
    fileprivate func problem(with entry: ReadingEntry) -> ReadingEntry.Problem? {
        do throws(ReadingEntry.Problem) {
            _ = try entry.entered(in: readingLog, status: status)
            return nil
        } catch {
            return error
        }
    }
}

/// The reason why a text cannot be entered, in words.
private struct EntryProblem: Error {
    let phrase: String
}

extension Book.ReadingStatus {
    /// Whether the status lasts from a day on, rather than being reached on one.
    fileprivate var precedesSince: Bool { self == .toRead || self == .reading }
}
