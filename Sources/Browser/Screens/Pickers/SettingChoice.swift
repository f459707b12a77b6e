internal import Library
internal import TerminalUI

/// A value of a setting of the config file that can be chosen in the palette; it holds until stacks ends.
struct SettingChoice {
    /// What is chosen: "Theme dark", "Mouse off".
    let title: String
    /// What it does.
    let help: String
    /// The table of the config file that has the setting; nil if it is in none.
    var table: String?
    /// The line there that makes the choice for good: `theme = "dark"`.
    let line: String
    /// Further words under which the palette finds it.
    let synonyms: [String]
    /// The theme that it chooses, if it does.
    var theme: Theme?
    /// Makes the choice.
    let choose: (App) -> Effect

    /// The values that are not in use in `settings`.
    static func all(besides settings: Settings) -> [SettingChoice] {
        let themes = Theme.all.filter { $0 != settings.theme }.map { theme in
            SettingChoice(
                title: "Theme \(theme.name)", help: "Use other colours.", line: "theme = \"\(theme.name)\"",
                synonyms: ["colour", "colours", "color", "colors", "background", "setting"], theme: theme
            ) { app in
                app.session.settings.theme = theme
                return .adapt { $0.use(theme) }
            }
        }
        return themes + [
            toggle(
                "Mouse", "The mouse works in stacks; without it, the terminal selects text as usual.", "mouse",
                settings.usesMouse, synonyms: ["click", "select"]
            ) { isOn, app in
                app.session.settings.usesMouse = isOn
                return .adapt { $0.useMouse(isOn) }
            },
            toggle(
                "Original script", "Rows show the titles in original script that the catalog has.",
                "original-script", in: "display", settings.showsOriginalScript, synonyms: ["title", "display"]
            ) { isOn, app in
                app.session.settings.showsOriginalScript = isOn
                app.session.books.rows.look.showsOriginalScript = isOn
                app.session.note(.books)
                return .none
            },
            toggle(
                "Lists pane", "Wide windows have a pane with the lists.", "lists", in: "panes",
                settings.listsPaneWidth != .max, standard: Settings.standardListsPaneWidth,
                synonyms: ["sidebar", "display"]
            ) { isOn, app in
                app.session.settings.listsPaneWidth = isOn ? nil : .max
                app.main.followSettings()
                return .none
            },
            toggle(
                "Row of lists", "The lists stand below the title bar.", "tabs", in: "panes", settings.tabsWidth != .max,
                standard: Settings.standardTabsWidth, synonyms: ["tabs", "display"]
            ) { isOn, app in
                app.session.settings.tabsWidth = isOn ? nil : .max
                app.main.followSettings()
                return .none
            },
        ]
    }

    /// The message that the choice is made.
    var message: String {
        let file = table.map { "[\($0)] of config.toml" } ?? "config.toml"
        return Message.settingChosen.text(title, file, line)
    }

    /// Returns the choice of the value that a setting does not have.
    ///
    /// - Parameter standard: The number that the config file has for on; nil for `true`.
    private static func toggle(
        _ name: String, _ help: String, _ key: String, in table: String? = nil, _ isOn: Bool, standard: Int? = nil,
        synonyms: [String],
        choose: @escaping (Bool, App) -> Effect
    ) -> SettingChoice {
        let value = isOn ? "false" : standard.map { String($0) } ?? "true"
        return SettingChoice(
            title: "\(name) \(isOn ? "off" : "on")", help: help, table: table, line: "\(key) = \(value)",
            synonyms: synonyms + ["setting"]
        ) { choose(!isOn, $0) }
    }
}
