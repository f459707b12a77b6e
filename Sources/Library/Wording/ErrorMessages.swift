internal import Books
public import Catalog
public import JSON
public import Storage
internal import Text

/// The only place where errors of catalogs become messages: the file, the cause and the next step, without a full stop
/// because they may appear in the status line.
extension CatalogError {
    /// The error message with advice.
    public var sentence: String {
        switch self {
        case .unreadable(let error):
            if error.isMissing { return Message.noFile.text(error.path) }
            if error.isDirectory { return Message.isDirectory.text(error.path) }
            if error.isForbidden { return Message.forbidden.text(error.path, error.cause) }
            return Message.unreadable.text(error.path, error.cause)
        case .empty(let path):
            return Message.emptyFile.text(path)
        case .wrongFormat(let path, let format):
            return format.message.text(path)
        case .malformed(let path, let syntaxError):
            return Message.malformed.text(path, syntaxError.sentence)
        case .notACatalog(let path, .noRecords(let profile)):
            return
                Message.noBooksByProfile.text(path, profile, path.asArgument)
        case .notACatalog(let path, .scalar):
            return
                Message.noBooksInScalar.text(path)
        case .notACatalog(let path, .object), .notACatalog(let path, .jsonLines), .notACatalog(let path, .array):
            return Message.noBooks.text(path, path.asArgument)
        }
    }
}

extension String {
    /// The path as an argument of a command in a shell, quoted if necessary; a placeholder for standard input, which
    /// cannot be read twice. One that begins as an option does is a file of this directory.
    public var asArgument: String {
        if hasPrefix("-") { return "./\(self)".asArgument }
        if self == RandomAccessInput.shownPath("-") { return "FILE" }
        let isPlain = !isEmpty && allSatisfy { $0.isLetter || $0.isNumber || "_./~+-=:,@%".contains($0) }
        return isPlain ? self : "'" + replacing("'", with: "'\\''") + "'"
    }
}

extension CatalogError.FileFormat {
    fileprivate var message: Message {
        switch self {
        case .utf16: .isUTF16
        case .sqlite: .isDatabase
        case .html: .isWebPage
        case .xml: .isXML
        case .compressed, .otherCompressed: .isCompressed
        case .archive: .isArchive
        case .officeDocument: .isOfficeDocument
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
        if recordPaths.isEmpty { return "one record per line" }
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
                    ? Message.skippedItem.text(first.position.text + reason)
                    : Message.skippedItems.text(omissionCount.grouped, first.position.text + reason)
            )
        }
        if let syntaxError {
            parts.append(
                syntaxError.reason == .unexpectedEnd
                    ? Message.cutOff.text(syntaxError.position.text)
                    : Message.damagedFrom.text(syntaxError.position.text, syntaxError.reason.phrase))
        }
        if let failure {
            parts.append(
                Message.unreadableFrom.text(String(failure.byteOffset), failure.error.cause))
        }
        if parts.isEmpty { return nil }
        let advice = failure == nil ? Message.fixFile : .copyFile
        return parts.joined(separator: ". ") + ". " + advice.text()
    }
}

extension CatalogDefects.SyntaxError {
    fileprivate var sentence: String { "\(reason.phrase) at \(position.text)" }
}

extension JSONSyntaxError {
    /// The description of the error with its position in `text`.
    public func sentence(in text: [UInt8]) -> String {
        "\(reason.phrase) at \(TextPosition(of: offset, in: text).text)"
    }
}

extension TextPosition {
    fileprivate var text: String { "line \(line), column \(column) (byte \(byteOffset))" }
}

extension JSONSyntaxError.Reason {
    /// The description of the error without its position.
    public var phrase: String { SyntaxMessage(self).text() }
}

extension FileError {
    /// The reason why a file was not saved; the path comes last because it may not fit on the line.
    public var savingSentence: String { "\(cause) (\(abbreviatedPath(path)))" }
}
