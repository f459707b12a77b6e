/// A catalog on which every command has an effect: books with years, series, subjects, ratings and links.
enum Novels {
    /// The catalog as JSON.
    static let catalog = #"""
        [
        {"title": "Second Foundation", "authors": ["Isaac Asimov"], "isbn": "978-0553293364", "pageCount": 210,
         "fiction": true, "published": 1953, "series": "Foundation", "seriesPosition": 3,
         "subjects": ["Science fiction"], "rating": 4, "dateAdded": "2020-01-05", "status": "read"},
        {"title": "Emma", "authors": ["Jane Austen"], "isbn": "978-0141439587", "pageCount": 474, "fiction": true,
         "published": 1815, "subjects": ["Romance"], "rating": 5, "dateAdded": "2021-02-02"},
        {"title": "Foundation", "authors": ["Isaac Asimov"], "isbn": "978-0553293357", "pageCount": 255,
         "fiction": true, "published": 1951, "series": "Foundation", "seriesPosition": 1,
         "subjects": ["Science fiction"], "rating": 4, "dateAdded": "2019-01-05", "status": "read"},
        {"title": "The Hobbit", "authors": ["J. R. R. Tolkien"], "isbn": "978-0547928227", "pageCount": 310,
         "fiction": true, "published": 1937, "series": "Middle-earth", "seriesPosition": 1, "subjects": ["Fantasy"],
         "rating": 5, "dateAdded": "2018-05-05", "status": "to-read"},
        {"title": "Cosmos", "authors": ["Carl Sagan"], "isbn": "978-0345331359", "pageCount": 365, "fiction": false,
         "published": 1980, "subjects": ["Astronomy"], "rating": 4, "dateAdded": "2022-06-06", "status": "reading",
         "page": "https://example.org/cosmos", "review": "https://example.org/review"},
        {"title": "The Two Towers", "authors": ["J. R. R. Tolkien"], "isbn": "978-0547928203", "pageCount": 352,
         "fiction": true, "published": 1954, "series": "Middle-earth", "seriesPosition": 3, "subjects": ["Fantasy"],
         "rating": 5, "dateAdded": "2018-05-05"},
        {"title": "Persuasion", "authors": ["Jane Austen"], "isbn": "978-0141439686", "pageCount": 249,
         "fiction": true, "published": 1817, "subjects": ["Romance"], "rating": 4, "dateAdded": "2021-02-03"}
        ]
        """#

    /// The titles in catalog order. None is a prefix of another.
    static let titles = [
        "Second Foundation", "Emma", "Foundation", "The Hobbit", "Cosmos", "The Two Towers", "Persuasion",
    ]
}
