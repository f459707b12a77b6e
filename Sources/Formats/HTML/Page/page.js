"use strict";
// Without this script the page shows all books in the order of the export.
const controls = document.getElementById("controls");
const list = document.getElementById("books");
const count = document.getElementById("count");
const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
const books = Array.from(list.children, (element, place) => ({
  element, place, text: fold(element.textContent),
  title: element.dataset.title, author: element.dataset.author,
  year: Number(element.dataset.year ?? NaN), rating: Number(element.dataset.rating ?? NaN),
}));
const collator = new Intl.Collator(undefined, { sensitivity: "base", numeric: true });
// Books without a value come last, whatever the direction.
const byText = (key) => (a, b) => (a[key] ? 0 : 1) - (b[key] ? 0 : 1) || collator.compare(a[key] ?? "", b[key] ?? "");
const byNumber = (key) => (a, b) => isNaN(a[key]) - isNaN(b[key]) || (isNaN(a[key]) ? 0 : b[key] - a[key]);
const orders = { "": () => 0, title: byText("title"), author: byText("author"), year: byNumber("year"),
  rating: byNumber("rating") };

function search() {
  const words = fold(controls.elements.query.value).split(/\s+/).filter(Boolean);
  let found = 0;
  for (const book of books) {
    const matches = words.every((word) => book.text.includes(word));
    book.element.hidden = !matches;
    if (matches) found += 1;
  }
  count.textContent = found === books.length
    ? `${books.length.toLocaleString()} ${books.length === 1 ? "book" : "books"}`
    : `${found.toLocaleString()} of ${books.length.toLocaleString()}`;
}

function sort() {
  const order = orders[controls.elements.order.value];
  books.sort((a, b) => order(a, b) || a.place - b.place);
  list.append(...books.map((book) => book.element));
}

controls.addEventListener("submit", (event) => event.preventDefault());
controls.elements.query.addEventListener("input", search);
controls.elements.order.addEventListener("change", sort);
controls.hidden = false;
// A browser that goes back fills in what was typed before.
sort();
search();
