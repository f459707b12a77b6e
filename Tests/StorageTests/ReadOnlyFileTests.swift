import Glibc
import Testing

@testable import Storage

@Suite("Files: reading whole files") struct ReadOnlyFileTests {
    private let directory = TemporaryDirectory()

    @Test func aFileReadsAsItsBytes() throws {
        directory.put("a\u{0}é\n", at: "file")
        #expect(try ReadOnlyFile.bytes(at: directory("file")) == [0x61, 0x00, 0xC3, 0xA9, 0x0A])
    }

    @Test func aFileAboveTheLimitIsNotRead() throws {
        directory.put("12345", at: "file")
        #expect(try ReadOnlyFile.bytes(at: directory("file"), upTo: 5).text == "12345")
        #expect(throws: FileError(path: directory("file"), operation: .read, code: EFBIG)) {
            try ReadOnlyFile.bytes(at: directory("file"), upTo: 4)
        }
    }

    @Test func anEmptyFileHasNoBytes() throws {
        directory.put("", at: "file")
        #expect(try ReadOnlyFile.bytes(at: directory("file")) == [])
    }

    @Test func aLongFileIsReadToItsEnd() throws {
        let text = String(repeating: "0123456789", count: 50_000)
        directory.put(text, at: "file")
        #expect(try ReadOnlyFile.bytes(at: directory("file")).text == text)
    }

    @Test func aFileOfUnknownSizeIsReadCompletely() throws {
        // Files in /proc have no size.
        let bytes = try ReadOnlyFile.bytes(at: "/proc/self/status")
        #expect(bytes.text.hasPrefix("Name:"))
        #expect(bytes.last == 0x0A)
    }

    @Test func aLinkReadsAsItsTarget() throws {
        directory.put("content", at: "file")
        symlink("file", directory("link"))
        #expect(try ReadOnlyFile.bytes(at: directory("link")).text == "content")
    }

    @Test func aFileThatIsReadKeepsItsModeAndItsTime() throws {
        directory.put("content", at: "file", mode: 0o444)
        let before = try #require(directory.status(of: "file"))
        _ = try ReadOnlyFile.bytes(at: directory("file"))
        let after = try #require(directory.status(of: "file"))
        #expect(after.st_mode == before.st_mode)
        #expect(after.st_mtim.tv_sec == before.st_mtim.tv_sec)
        #expect(after.st_mtim.tv_nsec == before.st_mtim.tv_nsec)
        #expect(directory.names == ["file"])
    }

    @Test func aMissingFileSaysSo() {
        let error = failure(reading: directory("file"))
        #expect(error == FileError(path: directory("file"), operation: .open, code: ENOENT))
        #expect(error?.isMissing == true)
    }

    @Test func aFileBelowAFileIsMissing() {
        directory.put("", at: "file")
        let error = failure(reading: directory("file/below"))
        #expect(error == FileError(path: directory("file/below"), operation: .open, code: ENOTDIR))
        #expect(error?.isMissing == true)
    }

    @Test func aDirectorySaysSo() {
        let error = failure(reading: directory.path)
        #expect(error == FileError(path: directory.path, operation: .read, code: EISDIR))
        #expect(error?.isDirectory == true)
    }

    @Test(.timeLimit(.minutes(1)))
    func aPipeWithoutAWriterDoesNotBlock() throws {
        try #require(mkfifo(directory("pipe"), 0o600) == 0)
        #expect(
            failure(reading: directory("pipe"))
                == FileError(path: directory("pipe"), operation: .read, code: ENOTSUP))
    }

    @Test func aDeviceIsNotARegularFile() {
        #expect(
            failure(reading: "/dev/zero") == FileError(path: "/dev/zero", operation: .read, code: ENOTSUP))
    }

    @Test func aSocketIsNotARegularFile() throws {
        let path = directory("socket")
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        try #require(number >= 0)
        defer { close(number) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(result == 0)
        #expect(failure(reading: path) == FileError(path: path, operation: .read, code: ENOTSUP))
    }

    private func failure(reading path: String) -> FileError? {
        #expect(throws: FileError.self) { try ReadOnlyFile.bytes(at: path) }
    }
}
