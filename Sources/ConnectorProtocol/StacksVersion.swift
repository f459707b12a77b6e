/// The version of stacks, which both programs have.
public enum StacksVersion {
    /// The number, such as `1.2.3`.
    public static let number = "0.1.0"
}
