import Testing

@testable import stacks

@Suite("Editing notes") struct NoteFileTests {
    private let header = NoteFile.header(title: "Emma")

    @Test func theHeaderNamesTheBookInACommentOfMarkdown() {
        #expect(header == "<!-- Note on Emma (this line is not saved) -->")
        #expect(NoteFile.header(title: "A --> B").hasPrefix("<!-- Note on A —> B ("))
    }

    @Test func onlyTheHeaderIsRemoved() {
        #expect(NoteFile.text(in: header + "\nLent\n", without: header) == "Lent\n")
        #expect(NoteFile.text(in: header + "\r\nLent", without: header) == "Lent")
        #expect(NoteFile.text(in: header, without: header) == "")
        #expect(NoteFile.text(in: header + "\n", without: header) == "")
    }

    @Test(arguments: ["<!-- my own -->\nLent", "# Lent", "", "<!-- Note on Emma (this line is not saved) --> Lent"])
    func linesOfANoteAreKept(note: String) {
        #expect(NoteFile.text(in: note, without: header) == note)
        #expect(NoteFile.text(in: header + "\n" + note, without: header) == note)
    }
}
