import Glibc
import Storage

@testable import Books
@testable import Catalog
@testable import Indexing
@testable import JSON

/// Edits as they are journalled, and a catalog with the journal of which these are the bytes.
func readAsEdits(_ bytes: [UInt8]) {
    for line in Storage.lines(of: bytes[...]).prefix(16) {
        guard let members = JSONValue(parsing: line)?.members else { continue }
        for value in members.flatMap({ $0.value.elements ?? [] }) {
            guard let edit = CatalogEdit(json: value) else { continue }
            precondition(CatalogEdit(json: edit.json) == edit, "\(edit) is not read as it was written")
            precondition(edit.reversed.reversed == edit, "\(edit) is another one when it is reversed twice")
        }
    }
    // Only what may be a journal, as this is slower by far than all the rest where that is tried together.
    guard bytes.first == UInt8(ascii: "{"), let directory = editingDirectory else { return }
    for (name, text) in editedCatalogs { edit(name, text, in: directory, journal: bytes) }
}

/// Small catalogs in several forms.
private let editedCatalogs = [
    (
        "pretty.json",
        """
        [
          {"title": "Emma", "authors": ["Jane Austen"], "year": 1815, "isbn": "9780141439587"},
          {"title": "Emma", "authors": ["Jane Austen"], "year": 1.815e3},
          {"title": "Kidnapped", "x": [ 1,2 ]}
        ]

        """
    ),
    ("lines.jsonl", "{\"title\":\"Emma\"}\r\n{\"title\":\"Dr\\u00e1cula\"}\r\n{\"title\":\"Emma\"}\r\n"),
    ("minified.json", #"{"n":1,"books":[{"title":"Emma"},null,{"title":"Ulysses"}]}"#),
]

/// A directory in memory.
private let editingDirectory: String? = {
    var template = Array("/dev/shm/stacks-fuzzing-XXXXXX".utf8CString)
    return mkdtemp(&template).map { String(cString: $0) }
}()

private func write(_ bytes: [UInt8], to path: String) {
    let file = fopen(path, "w")
    precondition(file != nil && fwrite(bytes, 1, bytes.count, file) == bytes.count && fclose(file) == 0)
}

private func opened(_ path: String, journal: String?) -> EditedCatalog {
    let catalog = EditedCatalog(JSONFileCatalog(path: path), journalPath: journal)
    do throws(CatalogError) {
        try catalog.open()
    } catch {
        fatalError("\(path) is no catalog: \(error)")
    }
    catalog.base.readRest()
    _ = catalog.receive()
    return catalog
}

/// A catalog must open with any journal and stay as it is; what is saved then must be the books that were shown.
private func edit(_ name: String, _ text: String, in directory: String, journal bytes: [UInt8]) {
    let path = directory + "/" + name
    let journal = path + ".journal"
    write(Array(text.utf8), to: path)
    write(bytes, to: journal)
    let catalog = opened(path, journal: journal)
    precondition(content(path) == Array(text.utf8), "opening the catalog has written it")
    // Whose side is taken is up to the input.
    if !catalog.clashes.isEmpty {
        let side: JSONMerge.Side = bytes.count.isMultiple(of: 2) ? .mine : .theirs
        do throws(CatalogEditError) {
            try catalog.resolveClashes { _, _ in side }
        } catch {
            return
        }
        precondition(catalog.clashes.isEmpty, "clashes that were decided are there")
    }
    let records = values(of: catalog)
    do throws(CatalogEditError) {
        var progress = try catalog.save {}
        while case .running = progress { progress = try catalog.receiveSave(waiting: 1000) {} ?? .nothing }
        if case .clashing = progress { fatalError("nobody changed \(path), and there are clashes") }
    } catch {
        // A record that has a line break cannot stand in lines, for example. Nothing was written then.
        precondition(content(path) == Array(text.utf8), "\(error), and it was written")
        return
    }
    precondition(values(of: catalog) == records, "the books are others after saving")
    precondition(catalog.unsavedCount == 0, "\(catalog.unsavedCount) are not saved after saving")
    let again = opened(path, journal: nil)
    precondition(values(of: again) == records, "the file has other books than were shown")
    // The next start must not make the edits again.
    let next = opened(path, journal: journal)
    precondition(next.unsavedCount == 0, "\(next.unsavedCount) are not saved at the next start")
}

/// The records as JSONValue reads them; each must be the book that is shown.
private func values(of catalog: EditedCatalog) -> [JSONValue] {
    (0..<catalog.index.count).map { number in
        guard let bytes = catalog.bytes(of: BookID(number)), let value = JSONValue(parsing: bytes),
            let book = catalog.book(BookID(number)).value
        else { fatalError("there is no record \(number) of \(catalog.index.count)") }
        precondition(catalog.format?.mapping.book(from: value) == book, "\(book) is not \(value.json)")
        precondition(catalog.index.keys(of: BookID(number)) == MatchKeys(of: book), "\(book) has other keys")
        return value
    }
}

private func content(_ path: String) -> [UInt8] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
    return bytes
}
