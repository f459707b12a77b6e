import CSystem
import Glibc
import Storage

@testable import Books
@testable import Browser
@testable import Catalog
@testable import Indexing
@testable import JSON
@testable import Library
@testable import Remote
@testable import Search
@testable import Text

/// The function that libFuzzer calls with each input. It traps if two ways to the same result differ; Swift's checks
/// and AddressSanitizer find all other errors.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ input: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: input, count: count))
    for reading in chosenReadings { reading(bytes) }
    return 0
}

/// The names of all parsers, as in $FUZZ_TARGET.
public let fuzzTargets = readings.map(\.name)

/// Gives the bytes to the parser with this name, which traps if it finds an error; returns whether there is that parser.
public func fuzz(_ bytes: [UInt8], target name: String) -> Bool {
    guard let reading = readings.first(where: { $0.name == name }) else { return false }
    reading.read(bytes)
    return true
}

/// All parsers of untrusted bytes, by their name in $FUZZ_TARGET: a fast one alone is a hundred times faster than all
/// together.
private let readings: [(name: String, read: @Sendable ([UInt8]) -> Void)] = [
    ("values", readAsValue), ("catalog", readAsCatalog), ("preferences", { _ = Preferences.content(of: $0) }),
    ("text", readAsText), ("field", readAsFields), ("path", readAsPath), ("profile", readAsProfile),
    ("record", readAsRecord), ("query", readAsQuery), ("pattern", readAsPattern), ("snapshot", readAsSnapshot),
    ("journal", readAsJournal), ("config", readAsConfig), ("import", readAsImport), ("keys", readAsTerminal),
    ("index", readAsIndex), ("edits", readAsEdits), ("connect", readAsConnection),
    ("replies", readAsReplies), ("schema", readAsSchema), ("picture", readAsPicture),
]

/// The requested parser, or all.
private let chosenReadings: [@Sendable ([UInt8]) -> Void] = {
    guard let name = getenv("FUZZ_TARGET").map({ String(cString: $0) }), !name.isEmpty else {
        return readings.map(\.read)
    }
    let chosen = readings.filter { $0.name == name }.map(\.read)
    precondition(!chosen.isEmpty, "there is no target \(name): there are \(readings.map(\.name))")
    return chosen
}()

private func readAsFields(_ bytes: [UInt8]) {
    readAsField(.string(String(decoding: bytes, as: UTF8.self)))
    if let value = JSONValue(parsing: bytes) { readAsField(value) }
}

/// Skipping and decoding a value must find the same fault or the same end.
private func readAsValue(_ bytes: [UInt8]) {
    func syntaxError(_ read: (inout JSONReader) throws(JSONSyntaxError) -> Void) -> (JSONSyntaxError?, offset: Int) {
        JSONReader.reading(bytes) { reader in
            do throws(JSONSyntaxError) {
                try read(&reader)
                return (nil, reader.offset)
            } catch {
                return (error, error.offset)
            }
        }
    }
    let passed = syntaxError { reader throws(JSONSyntaxError) in try reader.skipValue() }
    let decoded = syntaxError { reader throws(JSONSyntaxError) in _ = try reader.readValue() }
    precondition(passed == decoded, "\(passed) is not \(decoded)")
    precondition(passed.offset <= bytes.count, "a fault behind the text: \(passed)")
}

/// The value of any field must be valid for that field.
private func readAsField(_ value: JSONValue) {
    func isOneLine(_ text: String) -> Bool { !text.isEmpty && text.onOneLine == text }
    let texts =
        value.texts + value.languages + value.names + value.names(splitAt: " & ") + value.contributors.map(\.name)
    precondition(texts.allSatisfy(isOneLine), "\(texts)")
    precondition(value.identifiers.allSatisfy { isOneLine($0.scheme) && isOneLine($0.value) }, "\(value.identifiers)")
    precondition(value.link.map(isOneLine) != false && (value.pages ?? 1) > 0 && value.double?.isFinite != false)
    _ = (value.fiction, value.isbn?.formatted)
    if let date = value.partialDate {
        precondition(JSONValue.string(date.description).partialDate == date, "\(date) is not read as what it is")
        precondition(!date.shown.isEmpty)
    }
    for language in value.languages {
        guard let tag = LanguageTag(language) else { continue }
        precondition(LanguageTag(tag.text) == tag && !tag.englishName.isEmpty, "\(tag)")
    }
    if let paragraphs = value.paragraphs {
        let isClean = paragraphs.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" }
        precondition(isClean && !paragraphs.isEmpty, paragraphs.debugDescription)
    }
}

private func readAsCatalog(_ bytes: [UInt8]) {
    // Only half of a catalog may be available when it is opened.
    _ = JSONReader.reading(bytes.prefix(bytes.count / 2)) { FormatDetector(of: $0, isWhole: false) }
    let opening = JSONReader.reading(bytes) { FormatDetector(of: $0, isWhole: true) }
    guard let file = memoryFile(of: bytes) else { fatalError("there is no memory file: \(errno)") }
    if case .records(let found) = opening { scan(file, bytes, found, by: found.profile) }
    // JSON Lines, with one profile after another.
    let lines = FormatDetector.Found(
        shape: .lines, offset: 0, records: RecordPaths([]), recordPaths: [], profile: "native")
    let names = Profile.builtInNames
    scan(file, bytes, lines, by: names[bytes.count % names.count])
}

private let decoders = Dictionary(
    uniqueKeysWithValues: Profile.builtInNames.compactMap { name in
        Profile.builtIn(named: name).map { (name, RecordDecoder($0.mapping)) }
    })

/// Every chunk size must give the same books and faults, and each book must equal its decoded record.
private func scan(_ file: RandomAccessInput, _ bytes: [UInt8], _ found: FormatDetector.Found, by profile: String) {
    guard let decoder = decoders[profile] else { fatalError("there is no profile \(profile)") }
    let layout = CatalogLayout(shape: found.shape, offset: found.offset, records: found.records, decoder: decoder)
    let whole = Scan(of: file, layout, windowSize: ChunkScheduler.standardChunkSize)
    for windowSize in [1, 1 + bytes.count % 61, 64] {
        let parts = Scan(of: file, layout, windowSize: windowSize)
        precondition(parts == whole, "windows of \(windowSize) bytes give \(parts), not \(whole)")
    }
    JSONReader.reading(bytes) { reader in
        for (index, offset) in whole.offsets.enumerated() {
            guard let book = try? decoder.decode(at: offset, with: reader) else {
                fatalError("what was scanned at \(offset) cannot be decoded")
            }
            var builder = SegmentWriter()
            builder.add(book, offset: offset)
            let alone = builder.take()[0]
            precondition(MatchKeys(of: book) == whole.keys[index], "\(book) has other keys in the index")
            precondition(Array(alone.text(at: 0)) == whole.texts[index], "\(book) has another text in the index")
            precondition(described(alone.facts(at: 0)) == whole.facts[index], "\(book) has other facts in the index")
        }
    }
}

/// The numeric fields, except those for which the index only stores that a value exists.
private func described(_ facts: NumericFields) -> String {
    var facts = facts
    facts.traits.subtract([.described, .covered])
    return "\(facts)"
}

/// The result of scanning a file.
private struct Scan: Equatable {
    var offsets: [Int] = []
    var keys: [MatchKeys] = []
    var texts: [[UInt8]] = []
    var facts: [String] = []
    var problems = RecordProblems()

    init(of file: RandomAccessInput, _ layout: CatalogLayout, windowSize: Int) {
        let scanner = ChunkScheduler(file, layout)
        var worker = ChunkScheduler.Worker(for: scanner)
        while let content = scanner.scanNext(with: &worker, size: windowSize) {
            for segment in content.segments {
                for index in 0..<segment.count {
                    offsets.append(segment.offset(at: index))
                    keys.append(segment.keys(at: index))
                    texts.append(Array(segment.text(at: index)))
                    facts.append(described(segment.facts(at: index)))
                }
            }
            problems.append(content.problems)
        }
    }
}

private func readAsText(_ bytes: [UInt8]) {
    var folded = ByteBuffer()
    let isUTF8 = bytes.withUnsafeBufferPointer { folded.append(folding: $0) }
    precondition(isUTF8 == (String(validating: bytes, as: UTF8.self) != nil), "what is UTF-8 is not what Swift says")
    let text = String(decoding: bytes, as: UTF8.self)
    let isbn = ISBN(text)
    if let number = isbn.number { precondition(ISBN(String(number)).number == number, "\(isbn) is not its own number") }
    if let identity = BookIdentity(text) { precondition(identity.description == text, "\(identity) is not \(text)") }
}

/// Writing a path and parsing it again must give the same path.
private func readAsPath(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    do throws(FieldPathSyntaxError) {
        let path = try FieldPath(text)
        precondition((try? FieldPath(path.description)) == path, "\(path) is not \(text)")
    } catch {
        precondition(error.offset <= text.unicodeScalars.count, "a fault behind the path: \(error)")
    }
}

/// A profile, and on the following line a record that it reads.
private func readAsProfile(_ bytes: [UInt8]) {
    let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1)
    do throws(ProfileSyntaxError) {
        let profile = try Profile(parsing: parts.first ?? [])
        if let record = JSONValue(parsing: parts.dropFirst().first ?? []) { write(profile.mapping, record) }
    } catch {
        precondition(error.position.byteOffset <= bytes.count, "a fault behind the profile: \(error)")
        _ = error.message(in: "profile")
    }
}

/// A record in any of the known formats.
private func readAsRecord(_ bytes: [UInt8]) {
    guard let value = JSONValue(parsing: bytes) else { return }
    precondition(JSONValue(parsing: value.json.utf8) == value, "\(value.json) is not what was read")
    for mapping in builtInMappings { write(mapping, value) }
}

private let builtInMappings = Profile.builtInNames.compactMap { Profile.builtIn(named: $0)?.mapping }

/// An unchanged book must leave its record unchanged, and writing a book twice must give the same record.
private func write(_ mapping: FieldMapping, _ record: JSONValue) {
    let book = mapping.book(from: record)
    precondition(mapping.record(of: book, in: record) == record, "\(record.json) is changed by writing it back")
    let written = mapping.record(of: book)
    precondition(JSONValue(parsing: written.json.utf8) == written, "\(written.json) is no JSON")
    let read = mapping.book(from: written)
    let again = mapping.book(from: mapping.record(of: read, in: written))
    precondition(again == read, "\(again) is not \(read)")
}

/// A query, and on further lines the following input of the user. All reported ranges must be within the query.
private func readAsQuery(_ bytes: [UInt8]) {
    var earlier: Query?
    for line in bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 8) {
        let query = Query(String(decoding: line, as: UTF8.self))
        let whole = 0..<query.text.utf8.count + 1
        precondition(query.refines(query), "\(query.text) does not refine itself")
        if let earlier { _ = query.refines(earlier) }
        earlier = query
        let ranges = ranges(in: query.expression) + (query.syntaxError.map { [$0.range] } ?? [])
        precondition(ranges.allSatisfy { !$0.isEmpty && whole.contains($0.upperBound) }, "\(query.text): \(ranges)")
        if case .malformedPattern(_, let offset) = query.syntaxError?.reason { precondition(whole.contains(offset)) }
        precondition(query.syntaxError?.sentence.isEmpty != true)
        let completions = Query.completions(of: query.text, at: line.count / 2)
        precondition(whole.contains(completions.range.upperBound))
        for pattern in query.patterns(in: .title) { writeBack(pattern) }
    }
}

private func ranges(in expression: Query.Expression) -> [Range<Int>] {
    switch expression {
    case .everything: []
    case .term(let term): [term.range]
    case .not(let part): ranges(in: part)
    case .all(let parts), .any(let parts): parts.flatMap(ranges(in:))
    }
}

/// A value written as a query must parse to a search for that value.
private func writeBack(_ pattern: Query.TextPattern) {
    let text = Query.text(of: .title, whole: String(decoding: pattern.folded, as: UTF8.self))
    let expected = Query.TextPattern(folded: pattern.folded, field: .title, isWhole: true)
    precondition(Query(text).patterns(in: .title) == [expected], "\(text) is not \(pattern)")
}

/// A pattern, and on the following line the subject: UTF-8, like all normalized text. Machine code and the interpreter
/// must give the same result, unless one exceeds its limits.
private func readAsPattern(_ bytes: [UInt8]) {
    let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1)
    let pattern = String(decoding: parts.first ?? [], as: UTF8.self)
    do throws(RegularExpression.SyntaxError) {
        let text = Array(String(decoding: parts.dropFirst().first ?? [], as: UTF8.self).utf8)
        let compiled = RegularExpression.Matcher(try RegularExpression(pattern))
        let interpreted = RegularExpression.Matcher(try RegularExpression(pattern, isCompiled: false))
        let results = (result(of: compiled, on: text), result(of: interpreted, on: text))
        let isSame = results.0 == results.1 || results.0.outcome == .gaveUp || results.1.outcome == .gaveUp
        precondition(isSame, "\(pattern): \(results.0) is not \(results.1)")
    } catch {
        precondition((0...pattern.utf8.count).contains(error.offset), "a fault behind the pattern: \(error)")
    }
}

/// The result of matching a text, with the range of the first match.
private struct MatchResult: Equatable {
    var outcome: RegularExpression.Outcome
    var range: Range<Int>?
}

private func result(of matcher: consuming RegularExpression.Matcher, on bytes: [UInt8]) -> MatchResult {
    bytes.withUnsafeBufferPointer { text in
        let outcome = matcher.matches(text)
        let range = matcher.firstMatch(in: text)
        precondition(range.map { $0.upperBound <= text.count } ?? true, "a match behind the text: \(range as Any)")
        return MatchResult(outcome: outcome, range: outcome == .match ? range : nil)
    }
}

/// The memory file for all inputs; creating one for each input would dominate the time.
private let memoryDescriptor = cs_memory_file("fuzzing")

private func memoryFile(of bytes: [UInt8]) -> RandomAccessInput? {
    guard ftruncate(memoryDescriptor, 0) == 0, pwrite(memoryDescriptor, bytes, bytes.count, 0) == bytes.count else {
        return nil
    }
    return try? RandomAccessInput("/proc/self/fd/\(memoryDescriptor)")
}
