internal import Books
public import Catalog
public import JSON
public import Storage

/// The only place where errors become messages: the file, the cause and the next step, without a full stop because they
/// may appear in the status line.
extension CatalogError {
    /// The error message with advice.
    public var sentence: String {
        switch self {
        case .unreadable(let error):
            if error.isMissing { return "there is no file \(error.path): check the path" }
            if error.isDirectory { return "\(error.path) is a directory: name a catalog file in it" }
            if error.isForbidden { return "\(error.path) cannot be read, \(error.cause): check its permissions" }
            return "\(error.path) cannot be read, \(error.cause): name a JSON file"
        case .empty(let path):
            return "\(path) is empty: name a JSON file with an array of books"
        case .wrongFormat(let path, let format):
            return "\(path) \(format.advice)"
        case .malformed(let path, let fault):
            return "\(path) is not valid JSON: \(fault.sentence); mend it there, or export the catalog again"
        case .notACatalog(let path, .noRecords(let profile)):
            return
                "\(path): no books found with profile \(profile). Choose another with --profile, or make one with: "
                + "stacks profiles new \(path.asArgument)"
        case .notACatalog(let path, .scalar):
            return
                "\(path): no books found. A catalog is an array of books: [{\"title\": \"...\", \"authors\": [\"...\"]}]"
        case .notACatalog(let path, .object), .notACatalog(let path, .jsonLines), .notACatalog(let path, .array):
            return "\(path): no books found. Map its fields with: stacks profiles new \(path.asArgument)"
        }
    }
}

extension String {
    /// The path as an argument of a command in a shell, quoted if necessary; a placeholder for standard input, which
    /// cannot be read twice.
    fileprivate var asArgument: String {
        if self == RandomAccessInput.shownPath("-") { return "FILE" }
        let isPlain = !isEmpty && allSatisfy { $0.isLetter || $0.isNumber || "_./~+-=:,@%".contains($0) }
        return isPlain ? self : "'" + replacing("'", with: "'\\''") + "'"
    }
}

extension CatalogError.FileFormat {
    fileprivate var advice: String {
        switch self {
        case .utf16: "is text in UTF-16: convert it to UTF-8 first, with iconv -f UTF-16 -t UTF-8"
        case .sqlite: "is an SQLite database: export its books to JSON first"
        case .html: "is an HTML page, not JSON: download the catalog itself"
        case .xml: "is XML, not JSON: export the catalog as JSON"
        case .compressed: "is compressed: unpack it first"
        }
    }
}

extension CatalogFormat {
    /// The description of the format: "Read as OPDS 2.0 (profile opds), records at publications[*]".
    public var sentence: String {
        let how = isDetected ? "" : ", chosen"
        return "Read as \(profile.label) (profile \(profile.name)\(how)), \(place)"
    }

    /// The location of the records.
    public var place: String {
        if recordPaths.isEmpty { return "one record a line" }
        if recordPaths == [FieldPath.wholeText] { return "one record" }
        return "records at " + recordPaths.map(\.description).joined(separator: ", ")
    }
}

extension CatalogDefects {
    /// The description of the problems, if any.
    public var sentence: String? {
        var parts: [String] = []
        if let first = omissions.first {
            let reason = first.reason.map { ", \($0.phrase)" } ?? ""
            parts.append(
                omissionCount == 1
                    ? "1 item is no book and was left out, at \(first.position.text)\(reason)"
                    : "\(omissionCount.grouped) items are no books and were left out, the first at \(first.position.text)\(reason)"
            )
        }
        if let fault { parts.append("reading ended early: \(fault.sentence)") }
        if !parts.isEmpty { parts.append("mend the file there") }
        if let failure {
            parts.append(
                "the file cannot be read beyond byte \(failure.byteOffset), \(failure.error.cause): copy it anew")
        }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}

extension CatalogDefects.Fault {
    fileprivate var sentence: String { "\(reason.phrase) at \(position.text)" }
}

extension TextPosition {
    fileprivate var text: String { "line \(line), column \(column) (byte \(byteOffset))" }
}

extension JSONSyntaxError.Reason {
    /// The description of the error without its position.
    public var phrase: String {
        switch self {
        case .unexpectedEnd: "the text ends in the middle"
        case .unexpectedCharacter: "an unexpected character"
        case .malformedNumber: "a malformed number"
        case .controlCharacterInString: "a control character inside a string"
        case .malformedEscape: "a backslash that begins no escape"
        case .tooDeep: "values nested more than 512 deep"
        case .trailingContent: "something follows the end of the JSON text"
        }
    }
}

extension FileError {
    /// The reason why a file was not saved, followed by its path, which may not fit on the line.
    public var savingSentence: String { "\(cause) (\(abbreviatedPath(path)))" }
}
