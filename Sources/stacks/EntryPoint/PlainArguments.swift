extension BrowseSession {
    /// The session that no argument, or a catalog alone, asks for; nil for all other arguments, which the parser reads.
    ///
    /// Most starts are one of the two, and the parser takes 2 ms to read what all commands declare.
    init?(plainly arguments: [String]) {
        guard arguments.count <= 1 else { return nil }
        if let argument = arguments.first, argument != "-" {
            if argument.hasPrefix("-") || Launcher.commands.contains(argument) { return nil }
        }
        self.init(catalog: arguments.first, resumes: true, follows: false)
    }
}
