internal import Browser
internal import JSON
internal import Library
internal import Storage
internal import Text

/// Edits the record of a book as JSON in the user's editor.
enum RecordFile {
    /// Edits `record`; see `RecordEditor`. A text that is not accepted stays in its file.
    static func edit(_ record: String, title: String, accept: (String) -> String?) -> String? {
        do throws(CommandError) {
            let editor = try TextEditor.preferred()
            let file = try EditedFile(record, named: "record", suffix: ".json")
            try TextEditor.edit(file.path, with: editor)
            var bytes = try file.bytes()
            // Some editors begin every file with a byte-order mark.
            if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
            let text = String(decoding: bytes, as: UTF8.self)
            if let syntaxError = encodingError(in: bytes, readAs: text) ?? syntaxError(in: bytes) {
                return CommandMessage.recordUnsound.text(syntaxError, abbreviatedPath(file.path))
            }
            if let problem = accept(text) {
                return CommandMessage.recordKept.text(problem, abbreviatedPath(file.path))
            }
            file.delete()
            return nil
        } catch {
            return CommandMessage.recordUnchanged.text(error.sentence)
        }
    }

    /// Returns the position of the first invalid UTF-8; nil if the text is valid.
    static func encodingError(in bytes: [UInt8], readAs text: String) -> String? {
        // Invalid bytes were replaced in `text`, so the first difference is the first invalid byte.
        guard !text.utf8.elementsEqual(bytes) else { return nil }
        let offset = zip(text.utf8, bytes).prefix { $0 == $1 }.count
        let position = TextPosition(of: offset, in: bytes)
        return CommandMessage.recordNotUTF8.text("line \(position.line), column \(position.column)")
    }

    /// Returns the reason why a text is not a JSON object; nil if it is one.
    private static func syntaxError(in text: [UInt8]) -> String? {
        let value = JSONReader.reading(text) { reader in
            Result { () throws(JSONSyntaxError) -> JSONValue in
                var reader = reader
                let value = try reader.readValue()
                try reader.readEnd()
                return value
            }
        }
        switch value {
        case .success(let value): return value.members == nil ? CommandMessage.recordIsNoObject.text() : nil
        case .failure(let error): return error.sentence(in: text)
        }
    }
}
