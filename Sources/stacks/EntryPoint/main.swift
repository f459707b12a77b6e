// One call: what stands at the top level of this file is slower, and bound to the main actor.
Launcher.main()
