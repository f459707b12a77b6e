internal import Books
internal import Formats
internal import JSON
internal import Library
internal import Text

/// Reading exports of stacks in JSON and JSON Lines.
extension ImportedBooks {
    /// Reads an array of records, or records one after another; those with user data are imported.
    ///
    /// - Throws: `CommandError` if the file is damaged or has no user data.
    mutating func readRecords(_ file: ImportedFile) throws(CommandError) {
        var position = TextPosition(line: 1, column: 1, byteOffset: 0)
        func line(at offset: Int) -> Int {
            while position.byteOffset < offset { position.advance(over: file.bytes[position.byteOffset]) }
            return position.line
        }
        let syntaxError = JSONReader.reading(file.bytes) { reader -> JSONSyntaxError? in
            do throws(JSONSyntaxError) {
                while let byte = reader.peek() {
                    if byte == UInt8(ascii: "[") {
                        try reader.readArray(depth: 0) { reader throws(JSONSyntaxError) in
                            let start = line(at: reader.offset)
                            take(try reader.readValue(depth: 1), line: start, of: file)
                        }
                    } else {
                        let start = line(at: reader.offset)
                        take(try reader.readValue(), line: start, of: file)
                    }
                }
                return nil
            } catch {
                return error
            }
        }
        if let syntaxError {
            throw CommandError(
                sentence:
                    "\(file.shownPath), line \(line(at: syntaxError.offset)): \(syntaxError.reason.phrase). Export the file again",
                exitStatus: ExitStatus.badData)
        }
        try requireUserData(in: file)
    }

    /// - Throws: `CommandError` if an export of stacks has no user data.
    func requireUserData(in file: ImportedFile) throws(CommandError) {
        guard books.isEmpty && problems.isEmpty else { return }
        throw CommandError(
            sentence: CommandMessage.importHasNoUserData.text(file.shownPath),
            exitStatus: ExitStatus.badData)
    }

    private mutating func take(_ record: JSONValue, line: Int, of file: ImportedFile) {
        guard let member = record[PrintedUserData.memberName] else { return }
        var invalid: [String] = []
        let userData = PrintedUserData(json: member, invalid: &invalid)
        problems += invalid.map { "\(file.shownPath), line \(line): invalid value of \($0)" }
        var authors: [String] = []
        if case .array(let elements) = record["authors"] { authors = elements.compactMap(\.string) }
        var book = Book(title: record["title"]?.string ?? "", authors: authors)
        book.isbn = record["isbn"]?.string.map { ISBN($0) }
        var imported = ImportedBook(line: line, book: book)
        imported.identity = record["id"]?.string.flatMap { BookIdentity($0) }
        imported.isTitleMadeUp = book.title.isEmpty && authors.isEmpty
        imported.isFavourite = userData.isFavourite
        imported.shelves = userData.shelves.filter { !$0[...].trimmed.isEmpty }
        imported.status = userData.status
        imported.readingLog = userData.readingLog
        imported.rating = userData.rating
        imported.note = userData.note
        if imported.hasUserData { books.append(imported) }
    }
}
