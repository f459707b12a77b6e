/// The table of commands. Dispatch, the hint bar, help, the palette, the guide's table, the man page and the names in
/// the config file all come from it.
extension CommandInfo {
    /// All commands, in the order of the palette and the guide.
    public static let all: [CommandInfo] =
        [
            moving, panes, rowSelection, userData, editing, copying, searching, travelling, counting, sorting, grouping,
            sectionMoving, program,
        ].flatMap(\.self)
}
