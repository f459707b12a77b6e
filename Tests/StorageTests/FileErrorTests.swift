import Glibc
import Testing

@testable import Storage

@Suite("Files: errors") struct FileErrorTests {
    private func error(_ code: Int32) -> FileError { FileError(path: "file", operation: .open, code: code) }

    @Test(arguments: [
        (ENOENT, "no such file or directory"), (EACCES, "permission denied"), (ENOSPC, "no space left on device"),
        (EIO, "input/output error"), (EISDIR, "is a directory"), (ENOTSUP, "it is not a regular file"),
    ])
    func theCauseIsInTheSystemsWords(code: Int32, cause: String) {
        #expect(error(code).cause == cause)
    }

    @Test func anUnknownCodeHasACauseToo() {
        #expect(error(99_999).cause == "unknown error 99999")
    }

    @Test(arguments: [ENOENT, ENOTDIR, EACCES, EPERM, EROFS, EISDIR, EIO])
    func eachCauseIsOfOneKind(code: Int32) {
        #expect(error(code).isMissing == (code == ENOENT || code == ENOTDIR))
        #expect(error(code).isForbidden == (code == EACCES || code == EPERM || code == EROFS))
        #expect(error(code).isDirectory == (code == EISDIR))
    }
}
