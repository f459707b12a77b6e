/// The limits of the connector program.
public enum ConnectorLimits {
    /// The maximum memory of the program, and of each program that it starts, in GiB.
    public static let memory = 4
}
