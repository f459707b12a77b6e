internal import ArgumentParser
internal import Library
internal import NcursesTerminal
internal import Remote
internal import Storage
internal import TerminalUI
internal import Text

/// The command `stacks config`.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Print the settings in effect, and where each comes from; or edit them.",
        discussion: """
            Your settings are in $XDG_CONFIG_HOME/stacks/config.toml (~/.config): theme, mouse, columns, the panes, the \
            keys of all commands, and names for catalogs. The settings in effect are printed with the lines that set them, \
            as a valid config.toml; the last lines tell how the kernel confines stacks-connect, and how the terminal shows \
            pictures, once it has shown a catalog. Errors in the file are reported on standard error, and the rest applies.

            Exit status: 0 on success; 78 if the file has errors; 74 if standard output cannot be written.
            """)

    @Flag(help: "Open the file in $VISUAL or $EDITOR; a missing one is created, with all settings as comments.")
    var edit = false

    func run() throws {
        let directories = Directories.ofEnvironment()
        let file = ConfigFile(in: directories)
        if edit { return try exit(with: ConfigEditor(file: file).run()) }
        let config = file.read()
        let listing = ConfigListing(
            config: config, connector: ConnectorProgram.stateSentence, pictures: Self.pictures(in: directories))
        let code = PlainList.write(listing.text)
        config.notices.forEach(printError)
        try exit(with: code == 0 && !config.warnings.isEmpty ? ExitStatus.configuration : code)
    }

    /// The sentence about pictures in this type of terminal, which is asked only while it shows a catalog.
    private static func pictures(in directories: Directories) -> String? {
        guard let type = environmentValue("TERM"),
            let answer = PreferencesFile.pictures(in: type, keptIn: directories.state).flatMap(ProbeResult.init)
        else { return nil }
        let form =
            switch answer.form {
            case .none, .cells: "half blocks"
            case .placeholders: "kitty's placeholders"
            case .kitty: "kitty's graphics protocol"
            case .sixel: "sixel"
            }
        let name = [answer.name, answer.version].filter { !$0.isEmpty }.joined(separator: " ")
        return CommandMessage.picturesAsAnswered.text(type, form, name.isEmpty ? "a terminal without a name" : name)
    }
}
