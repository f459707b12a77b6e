internal import ArgumentParser
internal import Remote
internal import Storage

/// The command `stacks config`.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Print the settings in effect, and where each comes from; or edit them.",
        discussion: """
            Your settings are in $XDG_CONFIG_HOME/stacks/config.toml (~/.config): theme, mouse, columns, the panes, the \
            keys of all commands, and names for catalogs. The settings in effect are printed with the lines that set them, \
            as a valid config.toml; the last line tells how the kernel confines stacks-connect. Errors in the file are \
            reported on standard error, and the rest applies.

            Exit status: 0 on success; 78 if the file has errors; 74 if standard output cannot be written.
            """)

    @Flag(help: "Open the file in $VISUAL or $EDITOR; a missing one is created, with all settings as comments.")
    var edit = false

    func run() throws {
        let file = ConfigFile(in: Directories.ofEnvironment())
        if edit { return try exit(with: ConfigEditor(file: file).run()) }
        let config = file.read()
        let code = PlainList.write(ConfigListing(config: config, connector: ConnectorProgram.stateSentence).text)
        config.notices.forEach(printError)
        try exit(with: code == 0 && !config.warnings.isEmpty ? ExitStatus.configuration : code)
    }
}
