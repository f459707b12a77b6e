internal import CCurl
internal import ConnectorProtocol

extension ConnectorFailure {
    /// Creates the failure of a transfer that libcurl ended with `code`.
    ///
    /// - Parameters:
    ///   - host: The requested host.
    ///   - redirects: The number of redirects that were followed.
    init(curl code: CURLcode, host: String, redirects: Int) {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST: self.init(.offline, .noName, detail: host)
        case CURLE_COULDNT_CONNECT: self.init(.offline, .noConnection, detail: host)
        case CURLE_OPERATION_TIMEDOUT: self.init(.offline, .timeOut, detail: host)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR:
            self.init(.refused, .certificate, detail: host)
        case CURLE_SSL_CONNECT_ERROR: self.init(.offline, .encryption, detail: host)
        case CURLE_TOO_MANY_REDIRECTS: self.init(.refused, .redirects)
        case CURLE_UNSUPPORTED_PROTOCOL where redirects > 0, CURLE_URL_MALFORMAT where redirects > 0:
            self.init(.refused, .redirect)
        case CURLE_URL_MALFORMAT: self.init(.refused, .address)
        // The scheme was checked before, so the response has no header or one that is too large.
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_WRITE_ERROR:
            self.init(.server, .notHTTP, detail: host)
        default: self.init(.offline, .brokenOff, detail: host)
        }
    }

    /// Creates the failure of a transfer whose proxy failed; nil if the proxy is not the cause.
    ///
    /// - Parameters:
    ///   - code: The error code of libcurl.
    ///   - proxy: The host and port of the proxy.
    ///   - status: The status code of its response to CONNECT (RFC 9110, section 9.3.6); 0 if there is none.
    init?(curl code: CURLcode, proxy: String, status: Int) {
        switch (code, status) {
        case (CURLE_COULDNT_RESOLVE_PROXY, _): self.init(.offline, .proxyName, detail: proxy)
        case (CURLE_COULDNT_CONNECT, _): self.init(.offline, .proxyConnection, detail: proxy)
        case (_, 407): self.init(.auth, .proxyPassword, detail: proxy)
        case (_, 300...): self.init(.server, .proxyRefused, subject: proxy, detail: "\(status)")
        case (CURLE_PROXY, _): self.init(.server, .proxyRefused, subject: proxy)
        default: return nil
        }
    }

    /// Creates the failure for the status code of a response; nil for success.
    init?(answer head: HTTPHead, host: String) {
        let status = head.reason.isEmpty ? "\(head.status)" : "\(head.status) \(head.reason)"
        switch head.status {
        case 200, 203, 206, 304: return nil
        case 401:
            let isIgnored = ServerOrigin(of: "http://" + host).map(NetrcFile.isIgnored) ?? false
            self.init(.auth, isIgnored ? .netrc : .password, detail: host)
        // A captive portal: the network requires its users to sign in (RFC 6585, section 6).
        case 511: self.init(.offline, .portal, detail: host)
        case 429, 503: self.init(.busy, .status, detail: status, retryAfter: head.retryAfter)
        case 500...: self.init(.server, .status, detail: status, retryAfter: head.retryAfter)
        case 300..<400: self.init(.refused, .redirect)
        default: self.init(.server, .status, detail: status)
        }
    }
}
