import Testing

@testable import stacks

@Suite("Editing notes") struct NoteEditingTests {
    private let header = NoteEditing.header(title: "Emma")

    @Test func theHeaderNamesTheBookInACommentOfMarkdown() {
        #expect(header == "<!-- Note on Emma (this line is not saved) -->")
        #expect(NoteEditing.header(title: "A --> B").hasPrefix("<!-- Note on A —> B ("))
    }

    @Test func onlyTheHeaderIsRemoved() {
        #expect(NoteEditing.text(in: header + "\nLent\n", without: header) == "Lent\n")
        #expect(NoteEditing.text(in: header + "\r\nLent", without: header) == "Lent")
        #expect(NoteEditing.text(in: header, without: header) == "")
        #expect(NoteEditing.text(in: header + "\n", without: header) == "")
    }

    @Test(arguments: ["<!-- my own -->\nLent", "# Lent", "", "<!-- Note on Emma (this line is not saved) --> Lent"])
    func linesOfANoteAreKept(note: String) {
        #expect(NoteEditing.text(in: note, without: header) == note)
        #expect(NoteEditing.text(in: header + "\n" + note, without: header) == note)
    }
}
