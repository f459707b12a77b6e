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
            case "--query":
                // A query may begin with what is excluded, but the parser takes some of two hyphens for its own.
                guard let text = rest.popFirst(), !text.hasPrefix("--") else { return nil }
                query = text
            case "--sort":
                guard let keys = rest.popFirst(), !keys.hasPrefix("--") else { return nil }
                sort = keys
            case "--list":
                guard let name = rest.popFirst(), !name.hasPrefix("-") else { return nil }
                list = name
            case "--profile":
                guard let name = rest.popFirst(), !name.hasPrefix("-") else { return nil }
                profile = name
            default: return nil
            }
        }
    }
}
