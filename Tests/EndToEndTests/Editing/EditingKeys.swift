import Foundation

/// The keys for editing books.
extension Tmux {
    /// Adds a book after the current one.
    func addBook(title: String, authors: String) throws {
        try type("A")
        try wait(for: "─ Add a book ")
        // The ISBN is the first field.
        try press("Down")
        try type(title)
        try press("Down")
        try type(authors)
        try press("Enter")
        try wait(for: "Added \(title)")
    }

    /// Changes a field of the current book in the form.
    ///
    /// - Parameters:
    ///   - field: The number of the field: title, authors, published, series, position in series, publisher, ISBN,
    ///     pages, languages, subjects.
    ///   - sentence: The message that follows.
    func edit(field: Int, to value: String, saying sentence: String = "Changed ") throws {
        try type("E")
        try wait(for: "─ Edit ")
        // The fields in use come first, and those that are not are folded.
        for _ in 0..<30 {
            let shown = try screen
            if shown.rows.contains(where: { $0.contains("▌") && $0.contains(" \(Self.fields[field]) ") }) { break }
            try press("Down")
            try wait(for: "the next field") { $0 != shown }
        }
        try press("C-u")
        try type(value)
        try press("Enter")
        try wait(for: "the form to be closed, and “\(sentence)”") { !$0.shows("─ Edit ") && $0.shows(sentence) }
    }

    private static let fields = [
        "Title", "Authors", "Published", "Series", "Number in series", "Publisher", "ISBN", "Pages", "Languages",
        "Subjects",
    ]

    /// Waits until the status line shows `count` unsaved edits.
    func wait(forUnsaved count: Int) throws {
        try wait(for: "\(count) unsaved") { screen in
            count == 0 ? !screen.title.contains("unsaved") : screen.title.contains("· \(count) unsaved")
        }
    }

    /// Saves the catalog.
    func saveCatalog() throws {
        try press("C-s")
        try wait(for: "Saved ")
        try wait(forUnsaved: 0)
    }
}

extension Sandbox {
    /// Returns the numbers of lines added and deleted in a file since `git add`: "1 2".
    func changedLines(of file: String) throws -> String {
        let name = URL(filePath: file).lastPathComponent
        let result = try run(["/usr/bin/env", "git", "-C", path, "diff", "--numstat", "--", name])
        guard result.ending == .exit(0) else { throw Failure("git diff: \(result.error)") }
        return result.output.split(whereSeparator: \.isWhitespace).prefix(2).joined(separator: " ")
    }

    /// Adds a file to a Git repository.
    func addToGit(_ file: String) throws {
        for arguments in [["init", "-q"], ["add", file]] {
            let result = try run(["/usr/bin/env", "git", "-C", path, "-c", "core.autocrlf=false"] + arguments)
            guard result.ending == .exit(0) else { throw Failure("git \(arguments): \(result.error)") }
        }
    }
}
