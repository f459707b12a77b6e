internal import Connectors

ConnectorProgram.run()
