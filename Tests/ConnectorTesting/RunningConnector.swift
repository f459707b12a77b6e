public import ConnectorProtocol
public import Foundation
private import Glibc
private import TestSupport

/// The connector program in a separate process, as stacks starts it.
public final class RunningConnector {
    private let process = Process()
    private let input: FileHandle
    private let output: FileHandle
    private var rest = Data()

    /// Starts the program with these environment variables in addition to those of the tests.
    public init(environment: [String: String] = [:]) throws {
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

    /// The peak of the memory of the program, in bytes.
    public var peakMemory: Int {
        get throws {
            let status = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
            return (line?.split(separator: " ").dropFirst().first).flatMap { Int($0) }.map { $0 << 10 } ?? .max
        }
    }

    /// The maximum of the address space of the program in bytes, as /proc shows it.
    public var memoryLimit: String? {
        let limits = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/limits", encoding: .utf8)
        let line = limits?.split(separator: "\n").first { $0.hasPrefix("Max address space") }
        return line.map { String($0.dropFirst("Max address space".count).split(separator: " ")[0]) }
    }

    /// The arguments and environment variables of the program, which other users of the machine may see. It starts none
    /// to which it gives some.
    public var argumentsAndEnvironment: [Data] {
        let folder = "/proc/\(process.processIdentifier)"
        return ["cmdline", "environ"].compactMap { FileManager.default.contents(atPath: "\(folder)/\($0)") }
    }

    deinit { if process.isRunning { process.terminate() } }

    /// Writes text to the input of the program.
    public func write(_ text: String) throws { try input.write(contentsOf: Data(text.utf8)) }

    /// Sends a request.
    public func ask(_ id: Int, _ action: ConnectorRequest.Action) throws {
        try write(String(decoding: ConnectorRequest(id: id, action).line, as: UTF8.self) + "\n")
    }

    /// Starts the conversation, in which the program may read `sources`, and returns the greeting.
    public func greet(cache: String, sources: [String] = [], limit: Int? = nil) throws -> Greeting {
        try ask(1, .hello(version: ConnectorRequest.version, cache: cache, limit: limit, sources: sources))
        guard case .ended(.greeted(let greeting))? = try end()?.content else { throw WrongReply() }
        return greeting
    }

    /// Whether there is output within `milliseconds`, or its end.
    func hasOutput(within milliseconds: Int32) -> Bool {
        var descriptor = pollfd(fd: output.fileDescriptor, events: Int16(POLLIN), revents: 0)
        return rest.contains(0x0A) || poll(&descriptor, 1, milliseconds) > 0
    }

    /// Returns the next line, or nil at the end of the output.
    public func next() throws -> ConnectorReply? {
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
    public func end() throws -> ConnectorReply? {
        while let reply = try next() {
            switch reply.content {
            case .ended, .failed: return reply
            default: break
            }
        }
        return nil
    }

    /// Returns the last reply to the current request; nil if there is none after the program has reported `count` times
    /// that it is working, which it does each second.
    public func end(waiting count: Int) throws -> ConnectorReply? {
        var rest = count
        while rest > 0, let reply = try next() {
            switch reply.content {
            case .ended, .failed: return reply
            case .waiting: rest -= 1
            default: break
            }
        }
        return nil
    }

    /// Ends the program at once.
    public func kill() {
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Closes the input, and returns the exit status of the program.
    public func close() throws -> Int32 {
        try input.close()
        process.waitUntilExit()
        return process.terminationStatus
    }
}

/// Whether the tests run with a sanitizer.
public let isSanitized = ProcessInfo.processInfo.environment["TSAN_OPTIONS"] != nil

/// An unexpected reply of the connector.
public struct WrongReply: Error {
    /// Creates the error.
    public init() {}
}
