import Foundation

/// A second opinion about what a terminal shows: that of libvterm.
enum SecondEmulator {
    /// The type that programs are told it has.
    static let type = "xterm-256color"

    /// The screens of a terminal after so many of `bytes` each, row by row and cell by cell: the second half of a wide
    /// character is an empty cell.
    static func screens(of bytes: [UInt8], after offsets: [Int], columns: Int, rows: Int, in sandbox: Sandbox) throws
        -> [[[String]]]
    {
        let file = sandbox.path + "/terminal-output"
        try Data(bytes).write(to: URL(filePath: file))
        let script = Programs.packageRoot + "/Tests/EndToEndTests/Support/emulator.py"
        let arguments = [columns, rows] + offsets
        // The Python that runs the checks of the promises too, whatever else is first on the path.
        let result = try sandbox.run([
            "/bin/sh", "-c",
            "exec /usr/bin/python3 '\(script)' \(arguments.map(String.init).joined(separator: " ")) <'\(file)'",
        ])
        guard result.ending == .exit(0) else { throw Failure("libvterm: \(result.error)") }
        return try JSONDecoder().decode([[[String]]].self, from: Data(result.output.utf8))
    }
}
