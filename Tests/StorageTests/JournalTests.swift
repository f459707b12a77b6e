import Glibc
import Testing

@testable import Storage

@Suite("Files: journal") struct JournalTests {
    private let directory = TemporaryDirectory()

    private func journal() -> Journal { Journal(path: directory("journal")) }

    private func append(_ lines: String..., to journal: Journal) throws(FileError) {
        try journal.append { _ in lines.map { Array($0.utf8) } }
    }

    private func newLines(of journal: Journal) throws(FileError) -> [String] {
        try journal.newLines().map(\.text)
    }

    @Test func aMissingJournalHasNoLines() throws {
        #expect(try newLines(of: journal()) == [])
        #expect(directory.names == [])
    }

    @Test func appendedLinesAreInTheFile() throws {
        let journal = journal()
        try append("one", "two", to: journal)
        try append("three", to: journal)
        #expect(directory.text(of: "journal") == "one\ntwo\nthree\n")
    }

    @Test func appendingNoLineWritesNothing() throws {
        let journal = journal()
        try append("one", to: journal)
        try append(to: journal)
        #expect(directory.text(of: "journal") == "one\n")
    }

    @Test func appendingNoLineAfterATornOneWritesNothing() throws {
        directory.put("one\ntorn", at: "journal")
        try append(to: journal())
        #expect(directory.text(of: "journal") == "one\ntorn")
    }

    @Test func aNewJournalIsPrivate() throws {
        try Journal(path: directory("a/b/journal")).append { _ in [[0x61]] }
        #expect(directory.mode(of: "a/b/journal") == 0o600)
        #expect(directory.mode(of: "a/b") == 0o700)
        #expect(directory.mode(of: "a") == 0o700)
    }

    @Test func aJournalKeepsItsMode() throws {
        directory.put("one\n", at: "journal", mode: 0o644)
        try append("two", to: journal())
        #expect(directory.mode(of: "journal") == 0o644)
    }

    @Test func existingLinesAreRead() throws {
        directory.put("one\ntwo\n", at: "journal")
        #expect(try newLines(of: journal()) == ["one", "two"])
    }

    @Test func linesAreReadOnce() throws {
        let journal = journal()
        directory.put("one\n", at: "journal")
        #expect(try newLines(of: journal) == ["one"])
        #expect(try newLines(of: journal) == [])
        directory.add("two\nthree\n", to: "journal")
        #expect(try newLines(of: journal) == ["two", "three"])
        #expect(try newLines(of: journal) == [])
    }

    @Test func appendedLinesAreNotReadAsNew() throws {
        let journal = journal()
        try append("one", to: journal)
        #expect(try newLines(of: journal) == [])
    }

    @Test func twoJournalsOnAFileSeeEachOthersLines() throws {
        let first = journal()
        let second = journal()
        try append("one", to: first)
        #expect(try newLines(of: second) == ["one"])
        try append("two", to: second)
        try append("three", to: second)
        #expect(try newLines(of: first) == ["two", "three"])
        #expect(try newLines(of: second) == [])
    }

    @Test func appendReceivesTheLinesOfOtherProcesses() throws {
        let first = journal()
        let second = journal()
        try append("one", "two", to: first)
        var given: [String] = []
        try second.append { others in
            given = others.map(\.text)
            return [Array("three".utf8)]
        }
        #expect(given == ["one", "two"])
        #expect(directory.text(of: "journal") == "one\ntwo\nthree\n")
        #expect(try newLines(of: second) == [])
        #expect(try newLines(of: first) == ["three"])
    }

    @Test func appendReceivesEachLineOnce() throws {
        directory.put("one\n", at: "journal")
        let journal = journal()
        #expect(try newLines(of: journal) == ["one"])
        var given: [String] = []
        try journal.append { others in
            given = others.map(\.text)
            return []
        }
        #expect(given == [])
    }

    @Test func anIncompleteLineIsNotRead() throws {
        let journal = journal()
        directory.put("one\ntw", at: "journal")
        #expect(try newLines(of: journal) == ["one"])
        #expect(try newLines(of: journal) == [])
        directory.add("o\n", to: "journal")
        #expect(try newLines(of: journal) == ["two"])
    }

    @Test func appendReceivesATornLineOnce() throws {
        directory.put("one\ntorn", at: "journal")
        let journal = journal()
        var given: [[String]] = []
        // The first append adds nothing, and must not treat the torn line as complete.
        for lines in [[], ["two"], ["three"]] {
            try journal.append { others in
                given.append(others.map(\.text))
                return lines.map { Array($0.utf8) }
            }
        }
        #expect(given == [["one", "torn"], [], []])
        #expect(directory.text(of: "journal") == "one\ntorn\ntwo\nthree\n")
    }

    @Test func allLinesOfAReplacementAreNew() throws {
        let journal = journal()
        try append("one", "two", to: journal)
        #expect(journal.replacement == nil)
        directory.put("six\nseven\neight\n", at: "journal")
        #expect(try newLines(of: journal) == ["six", "seven", "eight"])
        #expect(journal.replacement == .foreign)
        #expect(try newLines(of: journal) == [])
        #expect(journal.replacement == nil)
        let line = String(repeating: "x", count: 70)
        try append(line, "nine", to: journal)
        directory.put("six\nseven\neight\n\(line)\n", at: "journal")
        #expect(try newLines(of: journal) == ["six", "seven", "eight", line])
        #expect(journal.replacement == .damaged)
    }

    @Test func readingContinuesAtASavedPosition() throws {
        let journal = journal()
        try append("one", to: journal)
        let position = journal.position
        try append(String(repeating: "y", count: 1000), "three", to: journal)
        let next = Journal(path: directory("journal"), from: position)
        #expect(try newLines(of: next) == [String(repeating: "y", count: 1000), "three"])
        #expect(next.position == journal.position)
        directory.put("owe\ntwo\nthree\n", at: "journal")
        let other = Journal(path: directory("journal"), from: position)
        #expect(try newLines(of: other) == ["owe", "two", "three"])
        #expect(other.replacement == .foreign)
    }

    @Test func theLastLinesAreComplete() throws {
        let journal = journal()
        let lines = (0..<100).map { "line \($0)" }
        try journal.append { _ in lines.map { Array($0.utf8) } }
        directory.add("of others\n", to: "journal")
        let all = try journal.lastLines(inBytes: 10_000)
        #expect(all.areAll && all.lines.map(\.text) == lines)
        let some = try journal.lastLines(inBytes: 300)
        #expect(!some.areAll)
        // Lines of 8 bytes each, and half of another one.
        #expect(some.lines.map(\.text) == Array(lines.suffix(37)))
        directory.put("another\n", at: "journal")
        #expect(try journal.lastLines(inBytes: 300).lines.isEmpty)
    }

    @Test func aChecksumDependsOnEveryByteAndItsPosition() {
        var sums: Set<UInt64> = []
        for count in 0...40 { sums.insert(checksum(of: [UInt8](repeating: 0, count: count))) }
        for index in 0..<40 {
            for bit in 0..<8 {
                var bytes = [UInt8](repeating: 0, count: 40)
                bytes[index] = 1 << UInt8(bit)
                sums.insert(checksum(of: bytes))
            }
        }
        #expect(sums.count == 41 + 320)
    }

    @Test func aTornLineIsOnALineOfItsOwn() throws {
        directory.put("one\ntorn", at: "journal")
        try append("two", to: journal())
        #expect(directory.text(of: "journal") == "one\ntorn\ntwo\n")
        #expect(try newLines(of: journal()) == ["one", "torn", "two"])
    }

    @Test func afterATornLineOnlyNewLinesAreNew() throws {
        directory.put("torn", at: "journal")
        let first = journal()
        try append("one", to: first)
        #expect(try newLines(of: first) == [])
        try append("two", to: journal())
        #expect(try newLines(of: first) == ["two"])
    }

    @Test func emptyLinesAreSkipped() throws {
        directory.put("\n\none\n\n", at: "journal")
        #expect(try newLines(of: journal()) == ["one"])
    }

    @Test func linesBeyondTheLengthOfABufferAreRead() throws {
        let journal = journal()
        let long = String(repeating: "x", count: 200_000)
        try append("a", long, "b", to: journal)
        #expect(try newLines(of: self.journal()) == ["a", long, "b"])
    }

    @Test func aTruncatedJournalIsHarmless() throws {
        directory.put("one\ntwo\n", at: "journal")
        let journal = journal()
        #expect(try newLines(of: journal) == ["one", "two"])
        directory.put("", at: "journal")
        #expect(try newLines(of: journal) == [])
        try append("three", to: journal)
        #expect(directory.text(of: "journal") == "three\n")
    }

    @Test func aJournalBelowAFileIsMissing() throws {
        directory.put("", at: "file")
        #expect(try newLines(of: Journal(path: directory("file/journal"))) == [])
    }

    @Test func linesAddedAfterReadingToTheEndAreNoticed() throws {
        let (journal, other) = (journal(), journal())
        try append("one", to: other)
        #expect(try newLines(of: journal) == ["one"])
        for line in ["two", "three"] {
            #expect(try newLines(of: journal) == [] && journal.newLines().isEmpty)
            try append(line, to: other)
            #expect(try newLines(of: journal) == [line])
        }
        #expect(unlink(directory("journal")) == 0)
        #expect(try newLines(of: journal) == [])
        directory.put("other\n", at: "journal")
        #expect(try newLines(of: journal) == ["other"])
    }

    @Test func appendingBelowAFileFailsBeforeRequestingLines() throws {
        directory.put("", at: "file")
        let journal = Journal(path: directory("file/a/journal"))
        var isAsked = false
        let error = #expect(throws: FileError.self) {
            try journal.append { _ in
                isAsked = true
                return []
            }
        }
        #expect(error == FileError(path: directory("file/a"), operation: .makeDirectory, code: ENOTDIR))
        #expect(!isAsked)
    }

    @Test func appendingToADirectoryFails() throws {
        mkdir(directory("journal"), 0o700)
        let error = #expect(throws: FileError.self) { try append("one", to: journal()) }
        #expect(error == FileError(path: directory("journal"), operation: .open, code: EISDIR))
    }

    @Test func aFailedAppendLeavesNoLinesAndCanBeRepeated() async {
        // A file size limit simulates a full disk; it applies to a whole process, hence a separate one.
        await #expect(processExitsWith: .success) {
            let directory = TemporaryDirectory()
            directory.put("one\n", at: "journal")
            let journal = Journal(path: directory("journal"))
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 1000, rlim_max: 1_000_000)
            try #require(setrlimit(__rlimit_resource_t(1), &limit) == 0)
            let lines = ["two", String(repeating: "x", count: 2000)].map { Array($0.utf8) }
            let error = #expect(throws: FileError.self) { try journal.append { _ in lines } }
            #expect(error == FileError(path: directory("journal"), operation: .write, code: EFBIG))
            #expect(directory.text(of: "journal") == "one\n")
            limit.rlim_cur = 1_000_000
            try #require(setrlimit(__rlimit_resource_t(1), &limit) == 0)
            try journal.append { _ in [lines[0]] }
            #expect(directory.text(of: "journal") == "one\ntwo\n")
        }
    }

    @Test func noLineOfSeveralThreadsIsLostOrTorn() async throws {
        let path = directory("journal")
        await onThreads(4) { thread in
            let journal = Journal(path: path)
            for number in 0..<50 {
                try? journal.append { _ in [Array("\(thread)-\(number)".utf8), Array("\(thread)-\(number)'".utf8)] }
            }
        }
        let lines = try newLines(of: journal())
        let expected = (0..<4).flatMap { thread in
            (0..<50).flatMap { number in ["\(thread)-\(number)", "\(thread)-\(number)'"] }
        }
        #expect(lines.sorted() == expected.sorted())
        // The two lines of an append are adjacent.
        #expect(stride(from: 0, to: lines.count - 1, by: 2).allSatisfy { lines[$0] + "'" == lines[$0 + 1] })
    }

    @Test func everyWriterReceivesTheLinesOfTheOthers() async throws {
        // Each journal is used by one thread at a time.
        nonisolated(unsafe) let journals = (0..<4).map { _ in journal() }
        let given = (0..<4).map { _ in Collected() }
        await onThreads(4) { thread in
            for number in 0..<50 {
                try? journals[thread].append { others in
                    for line in others { given[thread].add(line.text) }
                    return [Array("\(thread)-\(number)".utf8)]
                }
            }
        }
        for thread in 0..<4 {
            let others = (0..<4).filter { $0 != thread }.flatMap { other in (0..<50).map { "\(other)-\($0)" } }
            let later = try newLines(of: journals[thread])
            #expect((given[thread].items + later).sorted() == others.sorted())
        }
    }

    @Test func aReaderSeesEachLineOnceWhileOthersAppend() async throws {
        let path = directory("journal")
        let reader = Journal(path: path)
        nonisolated(unsafe) let unsafeReader = reader
        let seen = Collected()
        await onThreads(3) { thread in
            if thread == 0 {
                for _ in 0..<200 {
                    for line in (try? unsafeReader.newLines()) ?? [] { seen.add(line.text) }
                }
            } else {
                let journal = Journal(path: path)
                for number in 0..<50 { try? journal.append { _ in [Array("\(thread)-\(number)".utf8)] } }
            }
        }
        for line in try newLines(of: reader) { seen.add(line) }
        let expected = (1...2).flatMap { thread in (0..<50).map { "\(thread)-\($0)" } }
        #expect(seen.items.sorted() == expected.sorted())
    }
}
