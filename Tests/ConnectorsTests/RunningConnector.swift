import ConnectorProtocol
import Foundation
import Glibc
import TestSupport

/// The connector program in a separate process, as stacks starts it.
final class RunningConnector {
    private let process = Process()
    private let input: FileHandle
    private let output: FileHandle
    private var rest = Data()

    /// Starts the program with these environment variables in addition to those of the tests.
    init(environment: [String: String] = [:]) throws {
        let (inputs, outputs) = (try PipeEnds(), try PipeEnds())
        input = FileHandle(fileDescriptor: inputs.writing, closeOnDealloc: true)
        output = FileHandle(fileDescriptor: outputs.reading, closeOnDealloc: true)
        // The program is built with the tests, in the same directory.
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        process.executableURL = URL(filePath: tests).deletingLastPathComponent().appending(path: "stacks-connect")
        let childEnds = [inputs.reading, outputs.writing].map { FileHandle(fileDescriptor: $0, closeOnDealloc: true) }
        (process.standardInput, process.standardOutput) = (childEnds[0], childEnds[1])
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        try process.run()
        // The output has an end only if nobody else can write to it.
        for end in childEnds { try end.close() }
    }

    deinit { if process.isRunning { process.terminate() } }

    /// Writes text to the input of the program.
    func write(_ text: String) throws { try input.write(contentsOf: Data(text.utf8)) }

    /// Sends a request.
    func ask(_ id: Int, _ action: ConnectorRequest.Action) throws {
        try write(String(decoding: ConnectorRequest(id: id, action).line, as: UTF8.self) + "\n")
    }

    /// Returns the next line, or nil at the end of the output.
    func next() throws -> ConnectorReply? {
        while true {
            if let end = rest.firstIndex(of: 0x0A) {
                let line = rest[..<end]
                rest = rest[(end + 1)...]
                return try ConnectorReply(parsing: line)
            }
            let part = output.availableData
            if part.isEmpty { return nil }
            rest = rest + part
        }
    }

    /// Returns the last reply to the current request.
    func end() throws -> ConnectorReply? {
        while let reply = try next() {
            switch reply.content {
            case .ended, .failed: return reply
            default: break
            }
        }
        return nil
    }

    /// Ends the program at once.
    func kill() {
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Closes the input, and returns the exit status of the program.
    func close() throws -> Int32 {
        try input.close()
        process.waitUntilExit()
        return process.terminationStatus
    }
}

/// An unexpected reply of the connector.
struct WrongReply: Error {}
