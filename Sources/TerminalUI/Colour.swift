/// One of the terminal's own eight colours, or what the terminal uses when nothing is said.
public enum Colour: UInt8, Hashable, Sendable {
    case standard, black, red, green, yellow, blue, magenta, cyan, white
}
