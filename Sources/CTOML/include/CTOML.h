// A C interface to toml++: the values of a TOML text, each with its line and column.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The kind of a node. Floating-point numbers, dates and times have no value here.
enum ctoml_kind {
    CTOML_TABLE,
    CTOML_ARRAY,
    CTOML_STRING,
    CTOML_INTEGER,
    CTOML_FLOAT,
    CTOML_BOOLEAN,
    CTOML_DATE,
};

// A position in the text. Lines and columns are counted from 1, columns in code points.
struct ctoml_position {
    uint32_t line, column;
};

// A UTF-8 text owned by the document, without a terminating NUL.
struct ctoml_text {
    const char *bytes;
    size_t length;
};

// A value, with its key if it is a direct member of a table.
struct ctoml_node {
    enum ctoml_kind kind;
    struct ctoml_position position;
    struct ctoml_text key;
    struct ctoml_position key_position;
    // The number of direct children of a table or an array.
    size_t count;
    struct ctoml_text string;
    // The value of an integer, or 1 or 0 for a Boolean.
    int64_t integer;
};

// The nodes of a text, or the reason why it is not TOML.
struct ctoml_document;

// Parses UTF-8 text. The result is never NULL; the caller frees it.
struct ctoml_document *ctoml_parse(const char *bytes, size_t length);

// Frees a document with all its nodes and texts.
void ctoml_free(struct ctoml_document *document);

// Returns all nodes in pre-order, or NULL if the text is not TOML. The first one is the root table.
const struct ctoml_node *ctoml_nodes(const struct ctoml_document *document);

// Returns the reason why the text is not TOML.
struct ctoml_text ctoml_error(const struct ctoml_document *document);

// Returns the position of the syntax error.
struct ctoml_position ctoml_error_position(const struct ctoml_document *document);

#ifdef __cplusplus
}
#endif
