import Glibc
import Testing

@testable import Storage

@Suite("Files: atomic writing") struct AtomicFileTests {
    private let directory = TemporaryDirectory()

    private func replace(_ name: String, by text: String) throws(FileError) {
        try AtomicFile(path: directory(name)).update { _ in Array(text.utf8) }
    }

    private func leaveLockAlone(_ names: [String]) -> [String] { names.filter { !$0.hasSuffix(".lock") } }

    @Test func aFileIsWrittenForOthersWithoutALock() throws {
        try AtomicFile(path: directory("picture")).write(Array("first".utf8))
        #expect(directory.names == ["picture"])
        var status = stat()
        stat(directory("picture"), &status)
        let mask = umask(0)
        umask(mask)
        #expect(status.st_mode & 0o777 == 0o666 & ~mask)
        chmod(directory("picture"), 0o640)
        try AtomicFile(path: directory("picture")).write(Array("second".utf8))
        stat(directory("picture"), &status)
        #expect(status.st_mode & 0o777 == 0o640)
        #expect(try AtomicFile(path: directory("picture")).read()?.text == "second")
    }

    /// Whoever made the temporary file beforehand could read and change what is written.
    @Test func aPlantedTemporaryFileIsNotUsed() throws {
        directory.put("planted", at: "picture.\(getpid()).tmp", mode: 0o666)
        try AtomicFile(path: directory("picture")).write(Array("written".utf8))
        #expect(directory.text(of: "picture.\(getpid()).tmp") == "planted")
        directory.put("planted", at: "file.tmp", mode: 0o666)
        let planted = try #require(directory.status(of: "file.tmp"))
        let keeper = open(directory("file.tmp"), O_RDONLY)
        defer { close(keeper) }
        try replace("file", by: "written")
        #expect(directory.text(of: "file") == "written")
        #expect(directory.status(of: "file")?.st_ino != planted.st_ino)
        #expect(leaveLockAlone(directory.names) == ["file", "picture", "picture.\(getpid()).tmp"])
    }

    @Test func aLinkInPlaceOfTheLockIsNotFollowed() throws {
        symlink(directory("elsewhere"), directory("file.lock"))
        let error = #expect(throws: FileError.self) { try replace("file", by: "written") }
        #expect(error?.code == ELOOP)
        #expect(directory.names == ["file.lock"])
    }

    @Test func aPrivateFileReplacesALinkAndIsOnlyForTheUser() throws {
        directory.put("other", at: "other", mode: 0o644)
        symlink(directory("other"), directory("file"))
        try AtomicFile(path: directory("file")).writePrivately(Array("first".utf8))
        #expect(directory.text(of: "other") == "other" && !directory.isLink("file"))
        #expect(directory.text(of: "file") == "first" && directory.mode(of: "file") == 0o600)
        chmod(directory("file"), 0o666)
        try AtomicFile(path: directory("file")).writePrivately(Array("second".utf8))
        #expect(directory.text(of: "file") == "second" && directory.mode(of: "file") == 0o600)
        #expect(directory.names == ["file", "other"])
    }

    @Test func aDeviceIsWrittenToAndNotReplaced() throws {
        try AtomicFile(path: "/dev/null").write(Array("text".utf8))
        let error = #expect(throws: FileError.self) { try AtomicFile(path: "/dev/full").write(Array("text".utf8)) }
        #expect(error == FileError(path: "/dev/full", operation: .write, code: ENOSPC))
        for path in ["/dev/null", "/dev/full"] {
            var status = stat()
            #expect(stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
        }
    }

    @Test func withoutTheDirectoryNothingIsWritten() throws {
        let file = AtomicFile(path: directory("missing/picture"))
        let error = #expect(throws: FileError.self) { try file.write([]) }
        #expect(error?.code == ENOENT)
        #expect(directory.names == [])
    }

    @Test func aMissingFileReadsAsNil() throws {
        #expect(try AtomicFile(path: directory("file")).read() == nil)
        #expect(directory.names == [])
    }

    @Test func aFileReadsAsItsContent() throws {
        directory.put("content\n", at: "file")
        #expect(try AtomicFile(path: directory("file")).read()?.text == "content\n")
    }

    @Test func anEmptyFileReadsAsEmpty() throws {
        directory.put("", at: "file")
        #expect(try AtomicFile(path: directory("file")).read() == [])
    }

    @Test func aFileBelowAFileReadsAsNil() throws {
        directory.put("", at: "file")
        #expect(try AtomicFile(path: directory("file/below")).read() == nil)
    }

    @Test func readingADirectoryFails() throws {
        let file = AtomicFile(path: directory.path)
        let error = #expect(throws: FileError.self) { try file.read() }
        #expect(error?.isDirectory == true)
    }

    @Test func anUpdateReceivesAndReplacesTheContent() throws {
        directory.put("old", at: "file")
        var given: [UInt8]?
        try AtomicFile(path: directory("file")).update { content in
            given = content
            return Array("new".utf8)
        }
        #expect(given?.text == "old")
        #expect(directory.text(of: "file") == "new")
    }

    @Test func anUpdateOfAMissingFileReceivesNil() throws {
        var wasGivenNothing = false
        try AtomicFile(path: directory("file")).update { content in
            wasGivenNothing = content == nil
            return Array("new".utf8)
        }
        #expect(wasGivenNothing)
        #expect(directory.text(of: "file") == "new")
    }

    @Test func anUpdateToNilLeavesTheFileUnchanged() throws {
        directory.put("old", at: "file")
        let before = try #require(directory.status(of: "file"))
        try AtomicFile(path: directory("file")).update { _ in nil }
        #expect(directory.text(of: "file") == "old")
        #expect(directory.status(of: "file")?.st_ino == before.st_ino)
    }

    @Test func anUpdateLeavesNoTemporaryFile() throws {
        try replace("file", by: "new")
        #expect(leaveLockAlone(directory.names) == ["file"])
    }

    @Test func anUpdateReplacesTheFileAndDoesNotWriteIntoIt() throws {
        directory.put("old", at: "file")
        // A process that has the old file open can still read all of it.
        let reader = try #require(fopen(directory("file"), "r"))
        defer { fclose(reader) }
        try replace("file", by: "NEW")
        #expect(fgetc(reader) == Int32(UInt8(ascii: "o")))
    }

    @Test func aNewFileIsPrivate() throws {
        try replace("file", by: "new")
        #expect(directory.mode(of: "file") == 0o600)
    }

    @Test(arguments: [0o600, 0o644, 0o640, 0o666, 0o400] as [mode_t])
    func aFileKeepsItsMode(mode: mode_t) throws {
        directory.put("old", at: "file", mode: mode)
        try replace("file", by: "new")
        #expect(directory.mode(of: "file") == mode)
        #expect(directory.text(of: "file") == "new")
    }

    @Test func newDirectoriesArePrivate() throws {
        try replace("a/b/file", by: "new")
        #expect(directory.text(of: "a/b/file") == "new")
        #expect(directory.mode(of: "a") == 0o700)
        #expect(directory.mode(of: "a/b") == 0o700)
    }

    @Test func anExistingDirectoryKeepsItsMode() throws {
        mkdir(directory("a"), 0o700)
        chmod(directory("a"), 0o755)
        try replace("a/file", by: "new")
        #expect(directory.mode(of: "a") == 0o755)
    }

    @Test func aLinkStaysOneAndItsTargetIsReplaced() throws {
        mkdir(directory("real"), 0o700)
        directory.put("old", at: "real/file", mode: 0o640)
        symlink("real/file", directory("link"))
        try replace("link", by: "new")
        #expect(directory.isLink("link"))
        #expect(!directory.isLink("real/file"))
        #expect(directory.text(of: "real/file") == "new")
        #expect(directory.mode(of: "real/file") == 0o640)
    }

    @Test(arguments: [true, false])
    func aDanglingLinkCreatesItsTarget(isRelative: Bool) throws {
        mkdir(directory("real"), 0o700)
        symlink(isRelative ? "real/file" : directory("real/file"), directory("link"))
        #expect(try AtomicFile(path: directory("link")).read() == nil)
        try replace("link", by: "new")
        #expect(directory.isLink("link"))
        #expect(!directory.isLink("real/file"))
        #expect(directory.text(of: "real/file") == "new")
    }

    @Test func aLinkToADanglingLinkStaysOne() throws {
        mkdir(directory("real"), 0o700)
        symlink("file", directory("real/second"))
        symlink("real/second", directory("first"))
        try replace("first", by: "new")
        #expect(directory.isLink("first"))
        #expect(directory.isLink("real/second"))
        #expect(directory.text(of: "real/file") == "new")
    }

    @Test func aLinkToItselfFails() throws {
        symlink("link", directory("link"))
        let error = #expect(throws: FileError.self) { try replace("link", by: "new") }
        #expect(error?.code == ELOOP)
        #expect(directory.isLink("link"))
    }

    @Test func aLeftoverTemporaryFileIsRemovedOnReading() throws {
        directory.put("whole", at: "file")
        directory.put("to", at: "file.tmp")
        #expect(try AtomicFile(path: directory("file")).read()?.text == "whole")
        #expect(leaveLockAlone(directory.names) == ["file"])
    }

    @Test func aLeftoverTemporaryFileOfALinksTargetIsRemoved() throws {
        mkdir(directory("real"), 0o700)
        symlink("real/file", directory("link"))
        directory.put("to", at: "real/file.tmp")
        #expect(try AtomicFile(path: directory("link")).read() == nil)
        #expect(directory.status(of: "real/file.tmp") == nil)
    }

    @Test func theTemporaryFileOfARunningUpdateIsNotRemoved() throws {
        directory.put("whole", at: "file")
        directory.put("to", at: "file.tmp")
        let lock = open(directory("file.lock"), O_RDWR | O_CREAT, 0o600)
        defer { close(lock) }
        try #require(flock(lock, LOCK_EX) == 0)
        #expect(try AtomicFile(path: directory("file")).read()?.text == "whole")
        #expect(directory.text(of: "file.tmp") == "to")
    }

    @Test func aLeftoverTemporaryFileDoesNotAffectAnUpdate() throws {
        directory.put("a far longer text that a crash left behind", at: "file.tmp", mode: 0o644)
        try replace("file", by: "new")
        #expect(directory.text(of: "file") == "new")
        #expect(directory.mode(of: "file") == 0o600)
    }

    @Test func theTemporaryFileIsNeverWrittenThroughALink() throws {
        directory.put("precious", at: "other")
        symlink("other", directory("file.tmp"))
        _ = try? replace("file", by: "new")
        #expect(directory.text(of: "other") == "precious")
    }

    @Test func anUpdateThatFailsKeepsTheOldContent() throws {
        directory.put("old", at: "file")
        // A file cannot be written over a directory.
        mkdir(directory("file.tmp"), 0o700)
        let error = #expect(throws: FileError.self) { try replace("file", by: "new") }
        #expect(error == FileError(path: directory("file.tmp"), operation: .open, code: EISDIR))
        #expect(directory.text(of: "file") == "old")
    }

    @Test func anUpdateOnAFullDiskKeepsTheOldContentAndSaysSo() async throws {
        // A file size limit simulates a full disk; it applies to a whole process, hence a separate one.
        await #expect(processExitsWith: .success) {
            let directory = TemporaryDirectory()
            directory.put("old", at: "file")
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 1000, rlim_max: 1000)
            try #require(setrlimit(__rlimit_resource_t(1), &limit) == 0)
            let error = #expect(throws: FileError.self) {
                try AtomicFile(path: directory("file")).update { _ in [UInt8](repeating: 0x61, count: 2000) }
            }
            #expect(error == FileError(path: directory("file.tmp"), operation: .write, code: EFBIG))
            #expect(directory.text(of: "file") == "old")
            #expect(directory.status(of: "file.tmp") == nil)
        }
    }

    @Test func anUpdateBelowAFileFails() throws {
        directory.put("old", at: "file")
        let error = #expect(throws: FileError.self) { try replace("file/a/b", by: "new") }
        #expect(error == FileError(path: directory("file/a"), operation: .makeDirectory, code: ENOTDIR))
        #expect(directory.text(of: "file") == "old")
    }

    @Test func movingAsideNumbersFromOne() throws {
        directory.put("first", at: "file")
        let file = AtomicFile(path: directory("file"))
        #expect(try file.moveAside() == directory("file.bad-1"))
        #expect(directory.text(of: "file.bad-1") == "first")
        #expect(directory.status(of: "file") == nil)
        directory.put("second", at: "file")
        #expect(try file.moveAside() == directory("file.bad-2"))
        #expect(directory.text(of: "file.bad-1") == "first")
        #expect(directory.text(of: "file.bad-2") == "second")
    }

    @Test func movingAsideUsesTheFirstFreeNumber() throws {
        for name in ["file", "file.bad-1", "file.bad-3"] { directory.put(name, at: name) }
        #expect(try AtomicFile(path: directory("file")).moveAside() == directory("file.bad-2"))
        #expect(directory.names == ["file.bad-1", "file.bad-2", "file.bad-3"])
        #expect(directory.text(of: "file.bad-3") == "file.bad-3")
    }

    @Test func movingAMissingFileAsideFails() throws {
        let file = AtomicFile(path: directory("file"))
        let error = #expect(throws: FileError.self) { _ = try file.moveAside() }
        #expect(error == FileError(path: directory("file"), operation: .rename, code: ENOENT))
    }

    @Test func updatesFromSeveralThreadsLoseNothing() async throws {
        let path = directory("file")
        await onThreads(4) { _ in
            for _ in 0..<50 { addOne(to: path) }
        }
        #expect(directory.text(of: "file") == "200")
    }

    @Test func updatesFromSeveralProcessesLoseNothing() async throws {
        let path = directory("file")
        async let first: Void = addFiftyInAProcess(to: path)
        async let second: Void = addFiftyInAProcess(to: path)
        for _ in 0..<50 { addOne(to: path) }
        _ = await (first, second)
        #expect(directory.text(of: "file") == "150")
    }

    private func addFiftyInAProcess(to path: String) async {
        await #expect(processExitsWith: .success) { [path] in
            for _ in 0..<50 { addOne(to: path) }
        }
    }

    @Test func aReaderNeverSeesHalfAnUpdate() async throws {
        let path = directory("file")
        let texts = ["a", "b"].map { [UInt8](String(repeating: $0, count: 100_000).utf8) }
        try AtomicFile(path: path).update { _ in texts[0] }
        let isWhole = Flag()
        await onThreads(2) { number in
            for count in 0..<40 {
                if number == 0 {
                    try? AtomicFile(path: path).update { _ in texts[count % 2] }
                } else if let bytes = try? AtomicFile(path: path).read(), !texts.contains(bytes) {
                    isWhole.lower()
                }
            }
        }
        #expect(isWhole.isUp)
    }
}

/// Increments the number in a file.
private func addOne(to path: String) {
    try? AtomicFile(path: path).update { content in
        Array(String((content.flatMap { Int($0.text) } ?? 0) + 1).utf8)
    }
}
