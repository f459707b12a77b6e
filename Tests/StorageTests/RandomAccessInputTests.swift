import Foundation
import Glibc
import Testing

@testable import Storage

@Suite("Files: random access to files and pipes") struct RandomAccessInputTests {
    private let directory = TemporaryDirectory()

    private func read(_ file: RandomAccessInput, _ count: Int, at offset: Int) throws -> String {
        var bytes = [UInt8](repeating: 0, count: count)
        let read = try bytes.withUnsafeMutableBytes { buffer throws(FileError) in
            try file.read(into: buffer, at: offset)
        }
        return bytes.prefix(read).map(\.self).text
    }

    private func failure(_ path: String) -> FileError? {
        do throws(FileError) {
            _ = try RandomAccessInput(path)
            return nil
        } catch {
            return error
        }
    }

    @Test func aFileIsReadAtAnyOffset() throws {
        directory.put("0123456789", at: "file")
        let file = try RandomAccessInput(directory("file"))
        #expect(try read(file, 4, at: 0) == "0123")
        #expect(try read(file, 4, at: 8) == "89")
        #expect(try read(file, 4, at: 2) == "2345")
        #expect(try read(file, 4, at: 10) == "")
        #expect(try read(file, 4, at: 1000) == "")
        #expect(try read(file, 0, at: 0) == "")
        #expect(!file.isPipe)
        #expect(file.hasInput)
        #expect(!RandomAccessInput.isPipe(directory("file")))
    }

    @Test func aTruncatedOrGrownFileIsReadAtItsCurrentLength() throws {
        directory.put("0123456789", at: "file")
        let file = try RandomAccessInput(directory("file"))
        #expect(truncate(directory("file"), 5) == 0)
        #expect(try read(file, 10, at: 2) == "234")
        #expect(try read(file, 10, at: 7) == "")
        directory.add("abc", to: "file")
        #expect(try read(file, 10, at: 2) == "234abc")
    }

    @Test func aReplacedFileIsReadInItsOldState() throws {
        directory.put("old", at: "file")
        let file = try RandomAccessInput(directory("file"))
        directory.put("new", at: "other")
        #expect(rename(directory("other"), directory("file")) == 0)
        #expect(try read(file, 10, at: 0) == "old")
        unlink(directory("file"))
        #expect(try read(file, 10, at: 0) == "old")
    }

    @Test func otherKindsOfFilesAreRejected() {
        #expect(failure(directory("missing")) == FileError(path: directory("missing"), operation: .open, code: ENOENT))
        #expect(failure(directory.path) == FileError(path: directory.path, operation: .read, code: EISDIR))
        #expect(failure("/dev/null") == FileError(path: "/dev/null", operation: .read, code: ENOTSUP))
        directory.put("", at: "secret", mode: 0o000)
        if getuid() != 0 { #expect(failure(directory("secret"))?.isForbidden == true) }
    }

    // MARK: Fingerprints

    @Test func aFingerprintIsThatOfTheFileAsItIs() throws {
        directory.put("0123456789", at: "file")
        let file = try RandomAccessInput(directory("file"))
        let before = try #require(try file.fingerprint())
        #expect(before.size == 10)
        #expect(RandomAccessInput.Fingerprint(ofFileAt: directory("file")) == before)
        #expect(try file.fingerprint() == before)
        // Another file with the same length and time.
        directory.put("9876543210", at: "other")
        for name in ["file", "other"] {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: directory(name))
        }
        let dated = try #require(RandomAccessInput.Fingerprint(ofFileAt: directory("file")))
        #expect(dated != before)
        #expect(dated.modified == 1_000_000_000)
        #expect(RandomAccessInput.Fingerprint(ofFileAt: directory("other")) != dated)
        directory.put("x", at: "file")
        #expect(try file.fingerprint()?.size == 1)
        #expect(RandomAccessInput.Fingerprint(ofFileAt: directory("missing")) == nil)
    }

    // MARK: Pipes

    /// Returns a pipe into which another thread writes these pieces, each after a pause.
    private func pipe(_ pieces: [String], pause: useconds_t = 20_000) throws -> RandomAccessInput {
        let path = directory("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        let file = try RandomAccessInput(path)
        Thread.detachNewThread {
            usleep(pause)
            let writing = open(path, O_WRONLY)
            for piece in pieces {
                let bytes = Array(piece.utf8)
                _ = write(writing, bytes, bytes.count)
                usleep(pause)
            }
            close(writing)
        }
        return file
    }

    @Test func aPipeIsWaitedForUntilSomethingIsWritten() throws {
        let file = try pipe(["abc", "def"])
        #expect(file.isPipe)
        #expect(RandomAccessInput.isPipe(directory("pipe")))
        #expect(try file.fingerprint() == nil)
        // Reading waits only for available bytes.
        #expect(try read(file, 10, at: 0) == "abc")
        #expect(try read(file, 10, at: 3) == "def")
        #expect(try read(file, 10, at: 6) == "")
        #expect(try read(file, 10, at: 6) == "")
    }

    @Test func pipedBytesCanBeReadAgainAtAnyOffset() throws {
        let file = try pipe(["abc", "def"], pause: 1000)
        #expect(try read(file, 1, at: 5) == "f")
        #expect(try read(file, 3, at: 0) == "abc")
        #expect(try read(file, 10, at: 1) == "bcdef")
        #expect(try read(file, 10, at: 100) == "")
    }

    @Test func aPipeClosedWithoutInputIsEmpty() throws {
        #expect(try read(pipe([]), 10, at: 0) == "")
    }

    @Test func severalThreadsReadAPipeWithoutLosingAnything() throws {
        let text = (0..<20_000).map { String($0 % 10) }.joined()
        let file = try pipe([text], pause: 1000)
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for offset in stride(from: thread * 100, to: 20_000, by: 400) {
                let part = try? read(file, 100, at: offset)
                if part != String(repeating: "0123456789", count: 10) {
                    Issue.record("\(offset): \(part ?? "nothing")")
                }
            }
        }
    }
}
