internal import ArgumentParser
internal import Storage

/// The command `stacks config`.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Print all settings, and where each is from; or edit them.",
        discussion: """
            Your settings are in $XDG_CONFIG_HOME/stacks/config.toml (~/.config): theme, mouse, columns, the panes, the \
            keys of all commands, and names for catalogs. Printed is what is in effect, with the line that sets it; it \
            could be saved as config.toml. What is wrong in the file is said on standard error, and the rest applies.
            """)

    @Flag(help: "Open the file in $VISUAL or $EDITOR; one that is not there is made, with all settings in comments.")
    var edit = false

    func run() throws {
        let file = ConfigFile(in: Directories.ofEnvironment())
        if edit { return try exit(with: ConfigEditing(file: file).run()) }
        let config = file.read()
        let code = PlainList.write(ConfigListing(config: config).text)
        config.notices.forEach(printError)
        try exit(with: code)
    }
}
