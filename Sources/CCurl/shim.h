// What Swift needs to call libcurl, whose functions for options take any number of arguments, which Swift cannot call.
#pragma once

#include <curl/curl.h>

typedef size_t (*cc_receiver)(char *bytes, size_t size, size_t count, void *user);

static inline CURLcode cc_set_number(CURL *handle, CURLoption option, long value)
{
    return curl_easy_setopt(handle, option, value);
}

// Copies the text.
static inline CURLcode cc_set_text(CURL *handle, CURLoption option, const char *text)
{
    return curl_easy_setopt(handle, option, text);
}

// Does not copy what the pointer leads to.
static inline CURLcode cc_set_pointer(CURL *handle, CURLoption option, void *pointer)
{
    return curl_easy_setopt(handle, option, pointer);
}

static inline CURLcode cc_set_list(CURL *handle, CURLoption option, struct curl_slist *list)
{
    return curl_easy_setopt(handle, option, list);
}

static inline CURLcode cc_set_receiver(CURL *handle, CURLoption option, cc_receiver receiver)
{
    return curl_easy_setopt(handle, option, receiver);
}

// The body is copied.
static inline CURLcode cc_set_body(CURL *handle, const void *bytes, long count)
{
    CURLcode code = curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE, count);
    return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, bytes);
}

// The file is put at the address; libcurl reads it, and goes back to its beginning if it must send it again.
static inline CURLcode cc_set_upload(CURL *handle, FILE *file, curl_off_t size)
{
    CURLcode code = curl_easy_setopt(handle, CURLOPT_READDATA, file);
    return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_INFILESIZE_LARGE, size);
}

// The number of bytes of the body that were sent.
static inline curl_off_t cc_sent(CURL *handle)
{
    curl_off_t count = 0;
    curl_easy_getinfo(handle, CURLINFO_SIZE_UPLOAD_T, &count);
    return count;
}

static inline long cc_number(CURL *handle, CURLINFO info)
{
    long value = 0;
    curl_easy_getinfo(handle, info, &value);
    return value;
}

static inline const char *cc_text(CURL *handle, CURLINFO info)
{
    char *value = NULL;
    curl_easy_getinfo(handle, info, &value);
    return value;
}

// Each transfer gets a connection of its own: on a shared one (HTTP/2), a transfer that waits for its reader can hold up
// the others.
static inline CURLMcode cc_separate(CURLM *multi)
{
    return curl_multi_setopt(multi, CURLMOPT_PIPELINING, (long)CURLPIPE_NOTHING);
}

// Returns the handle of a transfer that has ended, and stores how; NULL if there is none.
static inline CURL *cc_ended(CURLM *multi, CURLcode *code)
{
    int rest;
    for (CURLMsg *message; (message = curl_multi_info_read(multi, &rest));) {
        if (message->msg != CURLMSG_DONE) continue;
        *code = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}

// Returns the address that `reference` stands for within the document at `base` (RFC 3986, section 5), which must be freed
// with curl_free(); NULL if it is none.
static inline char *cc_resolved(const char *base, const char *reference)
{
    char *result = NULL;
    CURLU *url = curl_url();
    if (url && curl_url_set(url, CURLUPART_URL, base, 0) == CURLUE_OK
        && curl_url_set(url, CURLUPART_URL, reference, CURLU_URLENCODE) == CURLUE_OK)
        curl_url_get(url, CURLUPART_URL, &result, 0);
    curl_url_cleanup(url);
    return result;
}
