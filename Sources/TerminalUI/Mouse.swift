/// What the mouse did, and where.
public struct Mouse: Hashable, Sendable {
    /// What it did.
    public enum Action: Hashable, Sendable {
        /// The main button was pressed.
        case press
        /// The mouse was moved while the main button was down.
        case drag
        /// The main button was let go.
        case release
        /// The wheel was turned by one step, down where positive.
        case wheel(Int)
    }

    /// What it did.
    public var action: Action
    /// Over which cell.
    public var position: Position
    /// When, in milliseconds from a beginning that stays the same: two presses that are near in time are a double click.
    public var time: Int

    /// An action of the mouse over the cell at `position`.
    public init(_ action: Action, at position: Position, time: Int = 0) {
        self.action = action
        self.position = position
        self.time = time
    }
}
