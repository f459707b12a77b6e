// A single call, since code at the top level of this file is slower and bound to the main actor.
Launcher.main()
