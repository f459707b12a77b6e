internal import Glibc
internal import TerminalUI

/// How the terminal shows pictures, and those on its screen.
struct TerminalPictures {
    /// The pictures on the screen.
    var screen: PictureOutput
    /// The way in which pictures were shown when the program was last told of a change.
    private var reported: PictureSupport
    private var probe: PictureProbe
    private let isWanted: Bool
    private let colours: PictureSupport.Colours
    private let isInTmux: Bool
    private var tmux: TmuxQuestion?
    /// What the terminal or tmux said about the terminal, once it has answered.
    private(set) var result: ProbeResult?
    /// The size of a cell according to the system, if it knows one.
    private var systemCell: CellPixels?
    /// Whether the cells have another size by now than the terminal said.
    private var isResized = false

    /// Creates the state of a terminal without pictures on its screen.
    ///
    /// - Parameters:
    ///   - type: The terminal type.
    ///   - depth: The colours that are used.
    ///   - window: The size of the window according to the system.
    init(_ wish: PictureWish, terminal type: String, depth: Colour.Depth, window: winsize?) {
        // GNU screen in tmux keeps the variable.
        isInTmux = Self.hasVariable("TMUX") && !Self.hasVariable("STY")
        colours = depth == .direct || Self.isTrueColour ? .direct : .indexed
        if case .wanted(let known) = wish,
            depth == .indexed || depth == .direct, isInTmux || !Self.hasNone(type)
        {
            (isWanted, probe) = (true, PictureProbe(known: isInTmux ? nil : known))
        } else {
            (isWanted, probe) = (false, PictureProbe(known: nil))
        }
        screen = PictureOutput(isInTmux: isInTmux)
        result = probe.result
        systemCell = window.flatMap(Self.cell)
        reported = .none
        reported = support(at: OutputSpeed())
    }

    /// The Linux console has too few colours, and GNU screen passes nothing on.
    private static func hasNone(_ type: String) -> Bool {
        ["dumb", "linux", "screen"].contains(where: type.hasPrefix) || hasVariable("STY")
    }

    private static func hasVariable(_ name: String) -> Bool { getenv(name).map { $0.pointee != 0 } ?? false }

    private static var isTrueColour: Bool {
        getenv("COLORTERM").map { ["truecolor", "24bit"].contains(String(cString: $0)) } ?? false
    }

    private static func cell(of window: winsize) -> CellPixels? {
        guard window.ws_row > 0, window.ws_col > 0 else { return nil }
        return CellPixels(
            width: Int(window.ws_xpixel / window.ws_col), height: Int(window.ws_ypixel / window.ws_row))
    }

    /// Returns the way in which the terminal shows pictures if it takes output at this speed.
    func support(at speed: OutputSpeed) -> PictureSupport {
        if !isWanted { return .none }
        let cell = isResized ? systemCell ?? result?.cellPixels : result?.cellPixels ?? systemCell
        var form = result?.form ?? .cells
        // tmux changes colours, which are the numbers of pictures, for a terminal with fewer.
        if isInTmux, colours != .direct { form = .cells }
        // Sixels cannot be scaled to cells of an unknown size.
        if form == .sixel, cell == nil { form = .cells }
        return PictureSupport(form: speed.allowed(form), colours: colours, cellPixels: cell)
    }

    /// Returns whether the way in which the terminal shows pictures has changed since the last call.
    mutating func hasChanged(at speed: OutputSpeed) -> Bool {
        let support = support(at: speed)
        defer { reported = support }
        return support != reported
    }

    /// Returns the questions to the terminal, once; "" if there are none. In tmux, asks tmux; `notify` is called when it has
    /// answered.
    mutating func ask(notifying notify: @escaping @Sendable () -> Void) -> String {
        guard isWanted else { return "" }
        if !isInTmux { return probe.ask(at: MonotonicClock.now) }
        if tmux == nil { tmux = TmuxQuestion(notifying: notify) }
        return ""
    }

    /// Makes the next frame ask tmux again, which may run in another terminal by now.
    mutating func askTmuxAgain() { tmux = nil }

    /// The time in milliseconds in which answers may still come; nil if none are expected.
    var timeLeftForAnswers: Int? { probe.timeLeft(at: MonotonicClock.now) }

    /// Takes answers of the terminal, and ends the probe if it is late.
    mutating func take(_ answers: [ProbeAnswer], size: Size) {
        for answer in answers { probe.take(answer, size: size) }
        probe.endIfLate(at: MonotonicClock.now, size: size)
        result = probe.result ?? tmux?.result ?? result
    }

    /// Notes the size of the window according to the system.
    mutating func resize(_ window: winsize) {
        let cell = Self.cell(of: window)
        if cell != systemCell { isResized = true }
        systemCell = cell
    }
}
