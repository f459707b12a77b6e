internal import TerminalUI

/// What a terminal answers to one of the questions of the probe.
enum ProbeAnswer: Hashable {
    /// Whether kitty's graphics protocol works.
    case graphics(Bool)
    /// The name and version of the terminal (XTVERSION), as it writes them.
    case version(String)
    /// The attributes of the terminal (DA1).
    case attributes([Int])
    /// The size of a cell in pixels (CSI 16 t).
    case cell(CellPixels)
    /// The height and width of the text area in pixels (CSI 14 t).
    case window(height: Int, width: Int)
}

/// The questions to the terminal for its abilities to show pictures, and the answers.
struct PictureProbe {
    /// The result, once the terminal has answered or has taken too long.
    private(set) var result: ProbeResult?
    private var deadline: Int?
    private var hasGraphics = false
    private var version = ""
    private var cell: CellPixels?
    private var window: (height: Int, width: Int)?

    /// The time after which answers are ignored, in milliseconds: longer than the way to a distant computer and back.
    static let timeLimit = 1000
    /// The number of the picture in the question; the answer repeats it.
    private static let number = 31

    /// All questions: a picture of one pixel (kitty's graphics protocol, `a=q`), XTVERSION, the sizes of a cell and of the
    /// window in pixels (xterm, window operations 16 and 14). DA1 comes last: all terminals answer it, and in order.
    static let questions =
        "\u{1B}_Gi=\(number),s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[>0q\u{1B}[16t\u{1B}[14t\u{1B}[c"

    /// Creates a probe that need not ask if its result is known.
    init(known: ProbeResult?) { result = known }

    /// Returns the questions, once; "" if the answers are known.
    mutating func ask(at time: Int) -> String {
        guard result == nil, deadline == nil else { return "" }
        deadline = time + Self.timeLimit
        return Self.questions
    }

    /// The time that is left for answers in milliseconds; nil if none are expected.
    func timeLeft(at time: Int) -> Int? {
        guard let deadline, result == nil else { return nil }
        return max(0, deadline - time)
    }

    /// Ends the probe if the time for answers is over.
    mutating func endIfLate(at time: Int, size: Size) {
        if timeLeft(at: time) == 0 { decide(attributes: [], size: size) }
    }

    /// Takes an answer; does nothing with those that were not asked for or come too late.
    mutating func take(_ answer: ProbeAnswer, size: Size) {
        guard deadline != nil, result == nil else { return }
        switch answer {
        case .graphics(let isOn): hasGraphics = isOn
        case .version(let text): version = text
        case .cell(let size): cell = size
        case .window(let height, let width): window = (height, width)
        case .attributes(let numbers): decide(attributes: numbers, size: size)
        }
    }

    private mutating func decide(attributes: [Int], size: Size) {
        let terminal = TerminalVersion(version)
        if cell == nil, let window, size.rows > 0, size.columns > 0 {
            cell = CellPixels(width: window.width / size.columns, height: window.height / size.rows)
        }
        let form: PictureSupport.Form =
            if hasGraphics {
                terminal.hasPlaceholders ? .placeholders : .kitty
            } else {
                // The first number is the class of the terminal, and the fourth extension is sixels.
                attributes.dropFirst().contains(4) ? .sixel : .cells
            }
        result = ProbeResult(name: terminal.name, version: terminal.number, form: form, cellPixels: cell)
    }

    /// Returns the answer to the question for kitty's graphics: the text after "ESC _".
    static func graphicsAnswer(_ text: String) -> ProbeAnswer? {
        let parts = text.dropFirst().split(separator: ";", maxSplits: 1)
        guard text.hasPrefix("G"), parts.count == 2, parts[0].split(separator: ",").contains("i=\(number)") else {
            return nil
        }
        return .graphics(parts[1] == "OK")
    }
}
