internal import ConnectorProtocol
internal import Glibc
internal import Storage
internal import Threading

/// Decodes covers in the connector program, which can neither read the user's files nor reach a server: it gets each
/// picture as a file in a private folder.
final class CoverDecoder: Sendable {
    private let program: ConnectorProgram
    private let state = Locked(State())
    /// The running conversation, which can be ended while the lock of `state` is held.
    private let running = Locked<ConnectorConversation?>(nil)

    private struct State {
        var folder: PrivateFolder?
        var isEnded = false
        /// The number of pictures since the last success at which the program has ended.
        var endings = 0
    }

    /// The time for a picture in milliseconds; a good one takes less than a tenth.
    private static let timeLimit = 3000
    /// The number of pictures in a row at which the program may end before it is not started any more.
    private static let endingLimit = 5

    /// Creates a decoder; the program is started for the first picture.
    init(_ program: ConnectorProgram) { self.program = program }

    /// Makes a picture for a place on the screen.
    ///
    /// - Parameter keep: Called with the path of the new thumbnail, which is deleted afterwards; nil if the picture is one.
    /// - Throws: `ConnectorFailure`.
    func picture(
        of bytes: [UInt8], for wish: CoverLoader.Wish, keepingThumbnail keep: ((String) -> Void)?
    ) throws(ConnectorFailure) -> CoverPicture {
        try state.withLock { state throws(ConnectorFailure) in
            guard !state.isEnded, state.endings < Self.endingLimit else { throw ConnectorFailure(.helper) }
            do throws(ConnectorFailure) {
                let picture = try picture(of: bytes, for: wish, in: &state, keepingThumbnail: keep)
                state.endings = 0
                return picture
            } catch {
                if error.kind == .helper {
                    stop()
                    state.endings += 1
                }
                throw error
            }
        }
    }

    private func picture(
        of bytes: [UInt8], for wish: CoverLoader.Wish, in state: inout State, keepingThumbnail keep: ((String) -> Void)?
    ) throws(ConnectorFailure) -> CoverPicture {
        let folder = try folder(in: &state)
        let (path, thumbnail) = (folder.path + "/picture", folder.path + "/thumbnail")
        try ConnectorFailure.ofCache { () throws(FileError) in try createFile(at: path, bytes) }
        defer {
            unlink(path)
            unlink(thumbnail)
        }
        let request = CoverRequest(path: path, thumbnail: keep == nil ? nil : thumbnail, frame: wish.frame)
        let conversation = try conversation(in: folder)
        let end = MonotonicTime.milliseconds + Self.timeLimit
        // The program says every second that it is working.
        let reply = try conversation.ask(.cover(request)) { _ in
            if MonotonicTime.milliseconds > end { conversation.end() }
        }
        guard case .pictured(let picture) = reply else { throw ConnectorFailure(.helper, .programFailed) }
        keep?(thumbnail)
        return picture
    }

    private func folder(in state: inout State) throws(ConnectorFailure) -> PrivateFolder {
        if let folder = state.folder { return folder }
        let folder = try ConnectorFailure.ofCache { () throws(FileError) in
            try PrivateFolder(in: program.cache + "/exports")
        }
        state.folder = folder
        return folder
    }

    private func conversation(in folder: PrivateFolder) throws(ConnectorFailure) -> ConnectorConversation {
        if let conversation = running.withLock({ $0 }) { return conversation }
        let conversation = try ConnectorConversation(program: program.path, cache: folder.path, sources: [])
        running.withLock { $0 = conversation }
        return conversation
    }

    /// Ends the program until the next picture.
    func stop() {
        let conversation = running.withLock { conversation in
            defer { conversation = nil }
            return conversation
        }
        conversation?.end()
    }

    /// Ends the program until the next picture, after the one that it is making.
    func stopWhenIdle() { state.withLock { _ in stop() } }

    /// Ends the program for good, also during a picture.
    func end() {
        stop()
        state.withLock { $0 = State(isEnded: true) }
        stop()
    }
}
