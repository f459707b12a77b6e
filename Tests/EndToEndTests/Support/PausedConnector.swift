import Foundation

extension Sandbox {
    /// Writes a table of books that takes a while to copy: "Book 1" by "Author 1" and so on.
    func writeTable(books count: Int) throws -> String {
        let rows = (1...count).map { "Book \($0),Author \($0 % 100),\(1800 + $0 % 200)\n" }
        return try write("Title,Author,Year\n" + rows.joined(), to: "many.csv")
    }

    /// Stops the connector program of a terminal while it copies a table, as soon as the first books are shown.
    ///
    /// - Returns: The process of the connector program.
    func pauseConnector(of terminal: Tmux) throws -> pid_t {
        let stacks = try terminal.processID
        let connector: pid_t = try eventually(or: "the connector program does not run") {
            let found = try run(["/usr/bin/pgrep", "-P", "\(stacks)", "-x", "stacks-connect"])
            return pid_t(found.output.trimmingCharacters(in: .whitespacesAndNewlines))
        }
        // Step by step, until the first books are shown.
        _ = try eventually(or: "no books are shown") {
            kill(connector, SIGCONT)
            usleep(2000)
            kill(connector, SIGSTOP)
            return try terminal.screen.shows("Author 1 ") ? true : nil
        }
        return connector
    }
}
