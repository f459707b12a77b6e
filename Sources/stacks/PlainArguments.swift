extension BrowseSession {
    /// What `stacks [CATALOG]` is asked for by arguments that need no parser, as most do not: a catalog, and options spelled
    /// out, each once. Nil for all others.
    ///
    /// The parser first reads what all commands declare, which takes as long as the whole rest of the start.
    init?(plainly arguments: [String]) {
        self.init(catalog: nil, resumes: true, follows: false)
        var known: [String] = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-"), argument != "-" else {
                if catalog != nil || Launcher.commands.contains(argument) { return nil }
                catalog = argument
                continue
            }
            if known.contains(argument) { return nil }
            known.append(argument)
            switch argument {
            case "--no-resume": resumes = false
            case "--follow": follows = true
            case "--no-mouse": usesMouse = false
            case "--linear": isLinear = true
            case "--query", "--sort", "--list", "--profile":
                // A query and a key may begin with a hyphen, but the parser takes some of two for its own.
                let forbidden = argument == "--query" || argument == "--sort" ? "--" : "-"
                guard let value = rest.popFirst(), !value.hasPrefix(forbidden) else { return nil }
                switch argument {
                case "--query": query = value
                case "--sort": sort = value
                case "--list": list = value
                default: profile = value
                }
            default: return nil
            }
        }
    }
}
