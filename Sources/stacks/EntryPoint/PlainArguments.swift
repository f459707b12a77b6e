extension BrowseSession {
    /// Creates the session for no argument or a single catalog; fails for all other arguments, which the parser reads.
    ///
    /// Most starts are one of these two, and the parser takes 2 ms to process the declarations of all commands.
    init?(simpleArguments arguments: [String]) {
        guard arguments.count <= 1 else { return nil }
        if let argument = arguments.first, argument != "-" {
            if argument.hasPrefix("-") || Launcher.commands.contains(argument) { return nil }
        }
        self.init(catalog: CatalogRequest(name: arguments.first), resumes: true, follows: false)
    }
}
