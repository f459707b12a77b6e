import Foundation

/// A second terminal emulator, libvterm, to verify the screen of the first.
enum SecondEmulator {
    /// The terminal type for programs.
    static let type = "xterm-256color"

    /// Returns the screen after each number of bytes in `offsets`, by row and cell; the second half of a wide character
    /// is an empty cell.
    static func screens(of bytes: [UInt8], after offsets: [Int], columns: Int, rows: Int, in sandbox: Sandbox) throws
        -> [[[String]]]
    {
        let file = sandbox.path + "/terminal-output"
        try Data(bytes).write(to: URL(filePath: file))
        let script = Programs.packageRoot + "/Tests/EndToEndTests/Support/emulator.py"
        let arguments = [columns, rows] + offsets
        // The system's Python, which also runs the reliability checks, whatever comes first in PATH.
        let result = try sandbox.run([
            "/bin/sh", "-c",
            "exec /usr/bin/python3 '\(script)' \(arguments.map(String.init).joined(separator: " ")) <'\(file)'",
        ])
        guard result.ending == .exit(0) else { throw Failure("libvterm: \(result.error)") }
        return try JSONDecoder().decode([[[String]]].self, from: Data(result.output.utf8))
    }
}
