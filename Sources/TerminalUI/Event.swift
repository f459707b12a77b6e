/// Something that happened outside the program.
public enum Event: Hashable, Sendable {
    /// A key was pressed.
    case key(Key)
    /// The mouse did something.
    case mouse(Mouse)
    /// Text was pasted: never to be taken for keys.
    case paste(String)
    /// The window has another size now, or its content was lost.
    case resize
    /// Somebody asks to suspend the program, as ^z does.
    case suspendRequest
    /// The process was asked to end by this signal.
    case termination(signal: Int32)
    /// Another thread has something to tell.
    case wakeUp
    /// Nothing happened for as long as the program would wait.
    case timeOut
    /// The terminal is gone, or its input ended: no key will ever come.
    case endOfInput
}
