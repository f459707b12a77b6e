import ConnectorProtocol
import Glibc

@testable import Connectors
@testable import JSON

/// The input of the connector program, and a source of any kind: each line gets a reply, each source gives a copy or a
/// failure, and all written rows are JSON.
func readAsConnection(_ bytes: [UInt8]) {
    readAsLines(bytes)
    readAsSource(bytes)
    readAsChange(bytes)
}

/// A change of a book on a server: each is decided, a change to what is there is none, and what is left out is not sent.
private func readAsChange(_ bytes: [UInt8]) {
    guard let row = JSONValue(parsing: bytes) else { return }
    let columns = CalibreColumns(row["columns"] ?? row)
    for row in [row, .object([.init(key: "new", value: row)]), .object([.init(key: "old", value: row)])] {
        guard let change = CalibreChange(row) else { continue }
        let present = change.id.map { _ in row["old"] ?? .null }
        for omits in [false, true] { _ = change.step(over: present, in: columns, omittingUnsupported: omits) }
        let step = change.step(over: row["new"].flatMap { _ in row["new"] }, in: columns, omittingUnsupported: false)
        if change.id != nil, row["new"] != nil { precondition(step == .nothing, "\(step)") }
    }
}

private func readAsLines(_ bytes: [UInt8]) {
    var lines = MessageLines()
    let parts = lines.add(bytes.prefix(bytes.count / 2)) + lines.add(bytes.dropFirst(bytes.count / 2)) + lines.end()
    for line in parts {
        guard case .message(let text) = line else { continue }
        if let reply = try? ConnectorReply(parsing: text) {
            precondition((try? ConnectorReply(parsing: reply.line)) == reply, "a reply is not read as it is written")
        }
        do throws(MalformedRequest) {
            let request = try ConnectorRequest(parsing: text)
            precondition(
                (try? ConnectorRequest(parsing: request.line)) == request, "a request is not read as it is written")
            switch request.action {
            // These would read and write files that the input names.
            case .open, .mirror, .export, .convert, .publish: break
            default:
                var replies: [ConnectorReply] = []
                ConnectorSession(confines: false) { replies.append($0) }.answer(request)
                precondition(replies.count == 1 && replies[0].request == request.id, "\(replies)")
            }
        } catch {
            precondition(error.id >= 0 && error.failure.kind == .request, "\(error)")
        }
    }
}

/// The files of this process, in memory.
private let files = (source: "/dev/shm/stacks-fuzz-\(getpid())", copy: "/dev/shm/stacks-fuzz-\(getpid()).jsonl")

/// The encodings that a source is read in, of which the last byte chooses one; nil is the detected one.
private let encodings: [String?] = [nil, nil, "Windows-1251", "GB18030", "CP932", "UTF-16LE", "UTF-16BE"]

private func readAsSource(_ bytes: [UInt8]) {
    let encoding = encodings[Int(bytes.last ?? 0) % encodings.count]
    for name in [files.source, files.source + ".csv"] {
        write(bytes, to: name)
        defer { unlink(name) }
        convert(name, from: encoding)
        var last: ConnectorReply?
        let session = ConnectorSession(confines: false) { last = $0 }
        session.answer(ConnectorRequest(id: 1, .open(source: name, known: nil, encoding: encoding)))
        guard case .ended(.opened(let source))? = last?.content else { continue }
        session.answer(ConnectorRequest(id: 2, .mirror(path: files.copy, locating: [0, 1])))
        defer { unlink(files.copy) }
        guard case .ended(.mirrored(let copy))? = last?.content, source.kind != "json" else { continue }
        let text = contents(of: files.copy)
        precondition(text.count == copy.bytes, "\(copy) of \(text.count) bytes")
        precondition(copy.places.keys.allSatisfy { $0 < copy.rows }, "\(copy)")
        let rows = text.split(separator: UInt8(ascii: "\n"))
        precondition(rows.count == copy.rows, "\(copy) of \(rows.count) lines")
        for row in rows { precondition(JSONValue(parsing: row)?.members != nil, String(decoding: row, as: UTF8.self)) }
    }
}

/// A text in any encoding is valid UTF-8 when it is converted.
private func convert(_ path: String, from encoding: String?) {
    var last: ConnectorReply?
    let session = ConnectorSession(confines: false) { last = $0 }
    session.answer(ConnectorRequest(id: 1, .convert(from: path, to: files.copy, encoding: encoding)))
    defer { unlink(files.copy) }
    guard case .ended(.converted)? = last?.content else { return }
    precondition(String(validating: contents(of: files.copy), as: UTF8.self) != nil, "not UTF-8")
}

private func write(_ bytes: [UInt8], to path: String) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
    precondition(count == bytes.count, "\(path): \(errno)")
    close(file)
}

private func contents(of path: String) -> [UInt8] {
    let file = open(path, O_RDONLY)
    defer { close(file) }
    let size = Int(lseek(file, 0, SEEK_END))
    var bytes = [UInt8](repeating: 0, count: max(0, size))
    let count = bytes.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) }
    precondition(count == size)
    return bytes
}
