import Glibc
import Storage

@testable import Catalog
@testable import Indexing

/// A cached index in which some bytes are replaced, from the offset in the first two bytes of the input.
func readAsIndex(_ bytes: [UInt8]) {
    // Only inputs with this prefix, because this is much slower than everything else if all are fuzzed together.
    guard bytes.count > 4, bytes.starts(with: "IX".utf8), let index = keptIndex else { return }
    let place = (Int(bytes[2]) << 8 | Int(bytes[3])) % max(1, index.content.count)
    var content = index.content
    for (offset, byte) in bytes.dropFirst(4).enumerated() where place + offset < content.count {
        content[place + offset] = byte
    }
    let file = fopen(index.path, "w")
    precondition(file != nil && fwrite(content, 1, content.count, file) == content.count && fclose(file) == 0)
    guard let read = index.cache.index(of: index.file) else { return }
    precondition(read.segments.count <= 64)
}

private struct KeptIndex {
    var cache: IndexCache
    var file: RandomAccessInput
    var path: String
    /// The bytes of the cached index.
    var content: [UInt8]
}

/// Two large books, so that their index is small.
private let keptIndex: KeptIndex? = {
    let directory = "/tmp/stacks-fuzz-\(getpid())"
    mkdir(directory, 0o700)
    let catalog = directory + "/books.json"
    let text = String(repeating: "word ", count: 120_000)
    let books = #"[{"title": "One", "description": "\#(text)"}, {"title": "Two", "description": "\#(text)"}]"#
    guard let output = fopen(catalog, "w") else { return nil }
    fputs(books, output)
    fclose(output)
    let cache = IndexCache(directory: directory + "/index")
    guard let records = try? JSONFileLoader(path: catalog).load() else { return nil }
    while records.state.isLoading { records.loadMore() }
    guard let format = records.format?.key, let fingerprint = try? records.file.fingerprint() else { return nil }
    cache.keep(
        IndexCache.Content(
            format: format, segments: records.index.segments, problems: records.problems,
            positions: ProblemPositions(of: records.problems, in: records.file)),
        of: records.file, fingerprint: fingerprint)
    guard let listing = opendir(directory + "/index") else { return nil }
    defer { closedir(listing) }
    while let entry = readdir(listing) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        if name.hasSuffix(".index"), let content = try? ReadOnlyFile.bytes(at: directory + "/index/" + name) {
            return KeptIndex(
                cache: cache, file: records.file, path: directory + "/index/" + name, content: content)
        }
    }
    return nil
}()
