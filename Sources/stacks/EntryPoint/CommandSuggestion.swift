internal import Glibc
internal import Library
internal import Storage
internal import Text

/// A suggestion for a misspelled command, whose name would be used as that of a catalog.
enum CommandSuggestion {
    /// Returns the error for arguments that begin with a misspelled command; nil for others.
    ///
    /// - Parameters:
    ///   - exists: Returns whether there is a file at a path.
    ///   - catalogNames: Returns the names of catalogs in the config, and of library servers; called only if there is no
    ///     such file.
    static func error(
        for arguments: [String], exists: (String) -> Bool = { access($0, F_OK) == 0 },
        catalogNames: () -> [String] = {
            ConfigFile(in: Directories.ofEnvironment()).read().catalogs.keys + LibraryTargets().targets.map(\.name)
        }
    ) -> CommandError? {
        guard let name = arguments.first, isLikeCommand(name), !Launcher.commands.contains(name), !exists(name),
            !catalogNames().contains(name)
        else { return nil }
        let nearest = Launcher.commands.nearest(to: name)
        guard let command = nearest.first, nearest.count < Launcher.commands.count else { return nil }
        // A short word is similar to many others: "work" is more likely a catalog than "sort".
        if name.utf8.count <= 4 && command.utf8.first != name.utf8.first { return nil }
        return CommandError(
            sentence: CommandMessage.unknownCommand.text(name, command), exitStatus: ExitStatus.usage)
    }

    /// Returns whether `name` consists of letters only, as the names of commands do.
    private static func isLikeCommand(_ name: String) -> Bool {
        name.utf8.count >= 3 && name.utf8.allSatisfy { (0x61...0x7A).contains($0 | 0x20) }
    }
}
