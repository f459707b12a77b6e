/// A mouse action and its position.
public struct Mouse: Hashable, Sendable {
    /// The kind of a mouse action.
    public enum Action: Hashable, Sendable {
        /// The main button was pressed.
        case press
        /// The mouse was moved with the main button down.
        case drag
        /// The main button was released.
        case release
        /// The wheel was turned by one step, 1 for down and -1 for up.
        case wheel(Int)
    }

    /// The kind of action.
    public var action: Action
    /// The cell under the pointer.
    public var position: Position
    /// The time in milliseconds since a fixed instant; two presses in quick succession are a double click.
    public var time: Int

    /// Creates an action at `position`.
    public init(_ action: Action, at position: Position, time: Int = 0) {
        self.action = action
        self.position = position
        self.time = time
    }
}
