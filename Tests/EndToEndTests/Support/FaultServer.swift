import TestSupport
import Testing

/// The server of Tests/Servers/faults.py.
struct FaultServer {
    private let process: ServerProcess

    init() throws { process = try ServerProcess(script: "faults.py") }

    /// The port.
    var port: String { process.words[0] }

    /// The host with its port.
    var host: String { "127.0.0.1:\(port)" }

    /// Returns the address of a path, with a user such as "ann@".
    func address(_ path: String, user: String = "") -> String { "http://\(user)\(host)/\(path)" }
}

extension Sandbox {
    /// Requests an address, as another client than stacks.
    ///
    /// - Returns: The response as Python prints it.
    @discardableResult
    func visit(_ address: String) throws -> String {
        let code = "import urllib.request as u; print(u.urlopen('\(address)').read())"
        let result = try run(["/usr/bin/python3", "-c", code])
        #expect(result.ending == .exit(0))
        return result.output
    }

    /// Returns the files written by stacks that contain a text, one per line.
    func filesContaining(_ text: String) throws -> String {
        let folders = ["cache", "state", "data", "config"].map { "\(path)/\($0)" }
        return try run(["/usr/bin/grep", "-rlsF", text] + folders).output
    }
}
