/// The name and version of a terminal, as its answer to XTVERSION has them.
struct TerminalVersion: Hashable {
    /// The name, such as "kitty"; "" if there is none.
    let name: String
    /// The version, such as "0.35.2"; "" if there is none.
    let number: String

    /// Parses "kitty(0.35.2)", "ghostty 1.1.0" or "WezTerm 20240203-110809-5046fc22".
    init(_ text: String) {
        let words = text.split(maxSplits: 1, omittingEmptySubsequences: true) { "( ".contains($0) }
        name = words.first.map(String.init) ?? ""
        number = words.count > 1 ? String(words[1].prefix { $0 != ")" }) : ""
    }

    /// Whether the terminal shows placeholders of kitty's graphics protocol: kitty does since version 0.28.
    var hasPlaceholders: Bool {
        let numbers = number.split(separator: ".").map { Int($0) ?? 0 } + [0, 0]
        let name = name.lowercased()
        return name == "ghostty" || name == "kitty" && (numbers[0], numbers[1]) >= (0, 28)
    }
}
