internal import Library

extension Session {
    /// Calls `body` with the session that looks books up. Servers are asked if the config file names them, or if the person has
    /// agreed to a dialog with their names; the answer is kept.
    ///
    /// - Parameters:
    ///   - isAsked: Whether the person has asked for the lookup; otherwise there is no dialog, and no message.
    ///   - orElse: Called in place of `body`, after a message, if there is no source.
    func lookUp(
        isAsked: Bool, _ app: App, orElse: @escaping () -> Void = {}, _ body: @escaping (LookupSession) -> Void
    ) {
        func refuse(_ sentence: String) {
            if isAsked { status.say(sentence) }
            orElse()
        }
        guard let lookup = services.lookup else { return refuse(Message.lookupOff.text()) }
        if let failure = lookup.failure { return refuse(failure.sentence) }
        func start(askingServers asksServers: Bool) {
            if asksServers || lookup.sources.count > lookup.servers.count {
                body(lookup.session(askingServers: asksServers, notifying: wake))
            } else {
                refuse(Message.noLookupSourcesHere.text())
            }
        }
        let servers = lookup.servers
        if lookup.isConfigured || servers.isEmpty { return start(askingServers: true) }
        let addresses = Set(servers.map(\.path))
        if let choice = preferences.lookup, addresses.isSubset(of: choice.servers) {
            return start(askingServers: choice.isAllowed)
        }
        guard isAsked else { return start(askingServers: false) }
        app.push(
            LookupDialog(servers) { [preferences] isAllowed, _ in
                preferences.remember(.init(servers: addresses, isAllowed: isAllowed))
                start(askingServers: isAllowed)
            })
    }
}
