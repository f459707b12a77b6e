internal import CMarkdown

/// Reads the blocks of a page with cmark-gfm: CommonMark, and the tables of GitHub. Linear in the text.
///
/// HTML and rules are left out; quotations are paragraphs.
struct MarkdownReader {
    /// The blocks, in their order.
    private(set) var blocks: [MarkdownPage.Block] = []
    /// The lists around the current node.
    private var lists: [List] = []
    /// The sign of the item that begins; "" after its first paragraph.
    private var sign = ""
    /// The text of the paragraph, heading or cell that is being read.
    private var text = MarkdownText()
    /// Where the open links begin in the text, in UTF-8 bytes.
    private var linkStarts: [Int] = []
    /// The rows of the table that is being read.
    private var rows: [[MarkdownText]] = []

    /// A list, and the number of its next item; nil if the items have no numbers.
    private struct List {
        var number: Int?
        var delimiter: String
    }

    /// Reads `source`.
    init(_ source: String) {
        cmark_gfm_core_extensions_ensure_registered()
        guard let parser = cmark_parser_new(CMARK_OPT_DEFAULT) else { return }
        defer { cmark_parser_free(parser) }
        if let tables = cmark_find_syntax_extension("table") { cmark_parser_attach_syntax_extension(parser, tables) }
        source.withCString { cmark_parser_feed(parser, $0, source.utf8.count) }
        guard let document = cmark_parser_finish(parser) else { return }
        defer { cmark_node_free(document) }
        guard let iterator = cmark_iter_new(document) else { return }
        defer { cmark_iter_free(iterator) }
        while true {
            switch cmark_iter_next(iterator) {
            case CMARK_EVENT_ENTER: if let node = cmark_iter_get_node(iterator) { enter(node) }
            case CMARK_EVENT_EXIT: if let node = cmark_iter_get_node(iterator) { leave(node) }
            default: return
            }
        }
    }

    private mutating func enter(_ node: OpaquePointer) {
        switch cmark_node_get_type(node) {
        case CMARK_NODE_LIST:
            let isNumbered = cmark_node_get_list_type(node) == CMARK_ORDERED_LIST
            let delimiter = cmark_node_get_list_delim(node) == CMARK_PAREN_DELIM ? ")" : "."
            lists.append(List(number: isNumbered ? Int(cmark_node_get_list_start(node)) : nil, delimiter: delimiter))
        case CMARK_NODE_ITEM: beginItem()
        case CMARK_NODE_PARAGRAPH, CMARK_NODE_HEADING: text = MarkdownText()
        case CMARK_NODE_CODE_BLOCK:
            blocks.append(
                .code(
                    Self.literal(of: node).split(separator: "\n", omittingEmptySubsequences: false)
                        .dropLast().map(String.init)))
        case CMARK_NODE_TEXT, CMARK_NODE_CODE: text.append(Self.literal(of: node))
        case CMARK_NODE_SOFTBREAK, CMARK_NODE_LINEBREAK: text.append(" ")
        case CMARK_NODE_LINK: linkStarts.append(text.text.utf8.count)
        default:
            switch String(cString: cmark_node_get_type_string(node)) {
            case "table": rows = []
            case "table_header", "table_row": rows.append([])
            case "table_cell": text = MarkdownText()
            default: break
            }
        }
    }

    private mutating func leave(_ node: OpaquePointer) {
        switch cmark_node_get_type(node) {
        case CMARK_NODE_LIST: lists.removeLast()
        case CMARK_NODE_PARAGRAPH:
            let depth = min(lists.count - 1, MarkdownPage.maximumDepth)
            blocks.append(lists.isEmpty ? .paragraph(text) : .item(sign: sign, depth: depth, text))
            sign = ""
        case CMARK_NODE_HEADING:
            blocks.append(.heading(level: Int(cmark_node_get_heading_level(node)), text))
        case CMARK_NODE_LINK:
            let target = cmark_node_get_url(node).map { String(cString: $0) } ?? ""
            text.addLink(to: target, from: linkStarts.removeLast())
        default:
            switch String(cString: cmark_node_get_type_string(node)) {
            case "table_cell": rows[rows.count - 1].append(text)
            case "table": blocks.append(.table(rows))
            default: break
            }
        }
    }

    private mutating func beginItem() {
        guard let list = lists.last else { return }
        sign = list.number.map { "\($0)\(list.delimiter)" } ?? GuideText.bullet
        lists[lists.count - 1].number = list.number.map { $0 + 1 }
    }

    private static func literal(of node: OpaquePointer) -> String {
        cmark_node_get_literal(node).map { String(cString: $0) } ?? ""
    }
}
