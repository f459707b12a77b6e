/// The initial content of a config file: all settings in comments.
enum ConfigTemplate {
    /// The content of the file.
    static let text = """
        # How you want stacks to be. Take the # away before what you set; "stacks config" prints all that is in effect.

        # The colours: terminal (your terminal's own), light, dark or contrast.
        # theme = "dark"

        # Whether the mouse works in stacks; false leaves the terminal's own selection alone.
        # mouse = false

        # The columns of the list, from left to right: title, author, series, year, pages, rating, language, publisher,
        # subject, isbn, added.
        # columns = ["title", "author", "year"]

        [panes]
        # From how many columns of the window on the lists have a pane of their own; false is never.
        # lists = 140
        # The share of the list in the width, in per cent, beside the detail.
        # list = 60

        # The keys of commands, in place of those they have of themselves: one, several in a list, or none: [].
        # "stacks config" has the names of all commands.
        [keys]
        # favourite = ["t", "*"]
        # sort-by-title = "st"
        # quit = ["q", "^q", "^x ^s"]

        # Names for catalogs: "stacks home" opens this one.
        [catalogs]
        # home = "~/books/home.json"

        """
}
