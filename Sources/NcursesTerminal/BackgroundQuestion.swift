internal import Glibc
internal import TerminalUI

/// The question to the terminal for the colour of its background, and the answer.
struct BackgroundQuestion {
    /// The background; nil if it is unknown.
    var answer: Theme.Background?
    private var isAsked = false
    private var time = 0

    /// How long a terminal may take to reply when it is left, in milliseconds.
    static let patience = 50
    /// The time after which no reply is expected, in milliseconds.
    private static let timeLimit = 500

    /// Looks for the answer in the type of the terminal, and in the variable COLORFGBG, in which rxvt, Konsole and others
    /// give the number of the background's colour after the last semicolon.
    init(terminal type: String) {
        if type.hasPrefix("linux") {
            answer = .dark
        } else if let colours = getenv("COLORFGBG").map({ String(cString: $0) }),
            let number = colours.split(separator: ";").last.flatMap({ Int($0) })
        {
            answer = number == 7 || number > 8 ? .light : .dark
        }
    }

    /// Returns the sequence that asks for the colour (xterm, operating system command 11), once; "" if the answer is known.
    mutating func ask() -> String {
        if answer != nil || isAsked { return "" }
        (isAsked, time) = (true, MonotonicClock.now)
        return "\u{1B}]11;?\u{1B}\\"
    }

    /// Whether a reply may still come.
    func isPending(after reply: Theme.Background?) -> Bool {
        isAsked && answer == nil && reply == nil && MonotonicClock.now < time + Self.timeLimit
    }
}
