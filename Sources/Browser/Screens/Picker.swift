internal import TerminalUI

/// A line to type in, and below it what was found for what is typed.
protocol Picker: AnyObject {
    /// What it is called.
    var title: String { get }
    /// What stands before the line.
    var prompt: String { get }
    /// How much of the screen it takes, where there is room.
    var size: Size { get }
    /// What is typed.
    var editor: LineEditor { get set }
    /// What was found.
    var table: TableView { get }
    /// Finds what there is for what is typed.
    func find()
}
