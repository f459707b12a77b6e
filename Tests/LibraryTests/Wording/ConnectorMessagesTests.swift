import ConnectorProtocol
import Testing

@testable import Catalog
@testable import Library

/// What is said of sources that are not JSON files.
@Suite("Messages: sources that are not JSON") struct ConnectorMessagesTests {
    private func sentence(_ kind: String, rows: Int = 0, _ defects: SourceDefect...) -> String {
        let copy = MirroredCopy(
            rows: rows, bytes: 0, isComplete: true, version: SourceVersion(etag: nil), defects: defects)
        let state = MirrorState(OpenedSource(kind: kind), copy, of: "/books", fingerprint: nil)
        return MirrorNews.empty(state).sentence(of: "books")
    }

    @Test func aSourceWithoutBooksSaysWhyAndWhatToDo() {
        #expect(sentence("csv") == "books has no books. Check the file")
        #expect(sentence("sqlite") == "books has no books. Name another table after ?table=")
        let link = SourceDefect(.foreign, count: 6, first: .record(1))
        #expect(sentence("opds", link) == "books has no books, but links to other feeds. Open one of those")
        #expect(
            sentence("marc", SourceDefect(.malformed, count: 2, first: .record(1)))
                == "books has no books: 2 rows skipped (malformed, first at record 1). Check the file")
    }

    @Test func defectsAreCountedWithTheirPlace() {
        let defects = [
            MirrorState.SourceDefectCount(kind: "tooLarge", count: 1, place: "line 7"),
            .init(kind: "encoding", count: 1200, place: nil),
        ]
        #expect(
            MirrorNews.defects(defects).sentence(of: "b.csv")
                == "b.csv: 1 row skipped (too large, first at line 7); 1,200 rows kept (wrong encoding). "
                + "Its other rows are shown")
    }
}
