/// The initial contents of a config file: all settings in comments.
enum ConfigTemplate {
    /// The contents of the file.
    static let text = """
        # Settings of stacks. Remove the # before a line to use it; "stacks config" prints the settings in effect.

        # The colours: terminal (your terminal's own), light, dark or contrast.
        # theme = "dark"

        # Whether stacks uses the mouse; with false, the terminal selects text as usual.
        # mouse = false

        # The columns of the list, from left to right: title, author, series, year, pages, rating, language, publisher,
        # subject, isbn, added, status, mine (your rating), favourite (★).
        # columns = ["title", "author", "year"]

        # Whether the list shows cards of two or three lines for each book instead of columns.
        # cards = true

        [display]
        # Whether rows show the title of a book in original script, where the catalog has one.
        # original-script = true

        [panes]
        # Show the lists in a pane of their own from this window width on, in columns; false is never.
        # lists = 140
        # Show the lists in a row under the title bar from this window width on, in columns; false is never.
        # tabs = 100
        # The width of the list beside the detail, as a percentage.
        # list = 60

        [lists]
        # Whether the searches for missing and wrong values stand behind the lists.
        # tidy-up = false

        [reading]
        # Your goal: the number of books to read in a year. Statistics show how far ahead or behind you are.
        # goal = 30

        [covers]
        # Whether covers are shown, in terminals that can.
        # show = false
        # Whether covers are fetched from servers as you come to a book; otherwise gc fetches one.
        # remote = true
        # The servers that covers may come from, besides those of catalogs.
        # servers = ["covers.openlibrary.org"]

        [copies]
        # The largest size of the copy of a catalog that is not JSON, in megabytes.
        # limit = 8192

        [lookup]
        # The catalogs and library servers in which books are looked up; [] looks nothing up.
        # sources = ["home", "loc", "dnb"]

        # The keys of commands, replacing the defaults: one key, a list of keys, or none: [].
        # "stacks config" lists the names of all commands.
        [keys]
        # favourite = ["t", "*"]
        # sort-by-title = "st"
        # quit = ["q", "^q", "^x ^s"]

        # Names for catalogs: "stacks home" opens this one.
        [catalogs]
        # home = "~/books/home.json"
        # old = {source = "~/books/old.csv", encoding = "windows-1251"}
        # club = {source = "https://books.example/opds", user = "ann", password-cmd = ["pass", "show", "books"]}

        """
}
