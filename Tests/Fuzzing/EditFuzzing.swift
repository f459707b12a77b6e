import Glibc
import Storage

@testable import Books
@testable import Catalog
@testable import Editing
@testable import Indexing
@testable import JSON

/// Parses edits as in the journal, and opens a catalog with these bytes as its journal.
func readAsEdits(_ bytes: [UInt8]) {
    for line in Storage.lines(of: bytes[...]).prefix(16) {
        guard let members = JSONValue(parsing: line)?.members else { continue }
        for value in members.flatMap({ $0.value.elements ?? [] }) {
            guard let edit = CatalogEdit(json: value) else { continue }
            let read = JSONValue(parsing: edit.written).flatMap(CatalogEdit.init(json:))
            precondition(read == edit, "\(edit) is not read as it was written")
            precondition(edit.reversed.reversed == edit, "\(edit) is another one when it is reversed twice")
        }
    }
    // Only inputs with this prefix, because this is much slower than everything else if all are fuzzed together.
    guard let directory = editingDirectory else { return }
    if bytes.first == UInt8(ascii: "{") {
        for (name, text) in editedCatalogs { edit(name, text, in: directory, journal: bytes) }
    } else if bytes.starts(with: "ED".utf8) {
        var script = EditScript(bytes: bytes.dropFirst(2))
        let (name, text) = editedCatalogs[script.next(below: editedCatalogs.count)]
        edit(name, text, in: directory, journal: script.journal())
    }
}

extension CatalogEdit {
    /// The edit as it is journalled.
    fileprivate var written: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }
}

/// A journal whose lines are all sound, with any edits at any positions, as bytes choose them.
private struct EditScript {
    private var bytes: ArraySlice<UInt8>
    /// Records that may or may not be in the catalogs.
    private static let records =
        editedCatalogs.flatMap { _, text in
            text.split(separator: "{").compactMap { part in
                part.lastIndex(of: "}").map { "{" + part[...$0] }
            }
        }.filter { JSONValue(parsing: $0.utf8) != nil } + [
            #"{"title":"New"}"#, #"{"title": "Emma", "year": 1}"#, "{}", "7",
        ]

    init(bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    mutating func next(below limit: Int) -> Int { Int(bytes.popFirst() ?? 0) % limit }

    private mutating func record() -> [UInt8] { Array(Self.records[next(below: Self.records.count)].utf8) }

    private mutating func placed() -> [CatalogEdit.PlacedRecord] {
        (0...next(below: 3)).map { _ in
            let (position, bytes) = (next(below: 6), record())
            return .init(position: position, bytes: bytes, neighbour: next(below: 2) == 0 ? nil : record())
        }
    }

    private mutating func edit() -> CatalogEdit {
        switch next(below: 4) {
        case 0:
            .replace((0...next(below: 3)).map { _ in .init(position: next(below: 6), old: record(), new: record()) })
        case 1: .insert(placed())
        case 2: .remove(placed())
        default: .move(.init(bytes: record(), from: next(below: 6), to: next(below: 6)))
        }
    }

    mutating func journal() -> [UInt8] {
        var text = ""
        var number = 0
        while !bytes.isEmpty {
            let written = (0...next(below: 2)).map { _ in String(decoding: edit().written, as: UTF8.self) }
            let edits = "[" + written.joined(separator: ",") + "]"
            let mark = #"":"\#(next(below: 3)):1:2:3"}"#
            switch next(below: 8) {
            case 0: text += #"{"saving"# + mark
            case 1: text += #"{"saved"# + mark
            case 2: text += #"{"rebased":\#(edits)}"#
            case 3: text += #"{"undo":\#(1 + next(below: 4)),"changes":\#(edits)}"#
            case 4: text += #"{"redo":\#(1 + next(below: 4)),"changes":\#(edits)}"#
            case 5: text += #"{"saving":"0:1:2:3","over":"1:1:2:3"}"#
            default:
                number += 1
                text += #"{"edit":\#(number),"changes":\#(edits)}"#
            }
            text += "\n"
        }
        return Array(text.utf8)
    }
}

/// Small catalogs in several formats.
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

/// A catalog must open with any journal and stay unchanged; saving it must write the displayed books.
private func edit(_ name: String, _ text: String, in directory: String, journal bytes: [UInt8]) {
    let path = directory + "/" + name
    let journal = path + ".journal"
    write(Array(text.utf8), to: path)
    write(bytes, to: journal)
    let catalog = opened(path, journal: journal)
    precondition(content(path) == Array(text.utf8), "opening the catalog has written it")
    // The input chooses the side.
    for _ in 0..<64 where !catalog.clashes.isEmpty {
        let side: JSONMerge.Side = bytes.count.isMultiple(of: 2) ? .mine : .theirs
        do throws(CatalogEditError) {
            try catalog.resolveClashes { _, _ in side }
        } catch {
            return
        }
    }
    precondition(catalog.clashes.isEmpty, "clashes are not decided after 64 times")
    let records = values(of: catalog)
    do throws(CatalogEditError) {
        var progress = try catalog.save {}
        while case .running = progress { progress = try catalog.receiveSave(waiting: 1000) {} ?? .nothing }
        if case .clashing = progress { fatalError("nobody changed \(path), and there are clashes") }
    } catch {
        // A record with a line break cannot be saved in JSON Lines, for example. Nothing was written then.
        precondition(content(path) == Array(text.utf8), "\(error), and it was written")
        return
    }
    precondition(values(of: catalog) == records, "the books are others after saving")
    precondition(catalog.unsavedCount == 0, "\(catalog.unsavedCount) are not saved after saving")
    let again = opened(path, journal: nil)
    precondition(values(of: again) == records, "the file has other books than were shown")
    // The next start must not apply the edits again.
    let next = opened(path, journal: journal)
    precondition(next.unsavedCount == 0, "\(next.unsavedCount) are not saved at the next start")
}

/// The records as JSONValue parses them; each must be the displayed book.
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
