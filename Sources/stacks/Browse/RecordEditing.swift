internal import Browser
internal import JSON
internal import Library
internal import Storage

/// Edits the record of a book as JSON in the user's editor.
enum RecordEditing {
    /// Edits `record`; see `NoteEditor`. A text that is no JSON object is not taken back, but kept in its file.
    static func edit(_ record: String, title: String) -> NoteEditor.Outcome {
        do throws(CommandError) {
            let editor = try TextEditor.chosen()
            let file = try EditedFile(record, named: "record", suffix: ".json")
            try TextEditor.edit(file.path, with: editor)
            let text = try file.text()
            if let fault = fault(in: Array(text.utf8)) {
                return .problem(Message.recordUnsound.text(fault, abbreviatedPath(file.path)))
            }
            file.delete()
            return .text(text)
        } catch {
            return .problem(Message.recordUnchanged.text(error.sentence))
        }
    }

    /// Returns why a text is no JSON object; nil if it is one.
    private static func fault(in text: [UInt8]) -> String? {
        let value = JSONReader.reading(text) { reader in
            Result { () throws(JSONSyntaxError) -> JSONValue in
                var reader = reader
                let value = try reader.readValue()
                try reader.readEnd()
                return value
            }
        }
        switch value {
        case .success(let value): return value.members == nil ? Message.recordIsNoObject.text() : nil
        case .failure(let error): return error.sentence(in: text)
        }
    }
}
