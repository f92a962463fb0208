import './check-node.mjs'
import { runCommand } from './support/command.mjs'
import { ensureInstalled } from './support/ensure-installed.mjs'

// Compiles messages/*.json into lib/messages, as every other command does by itself.
await runCommand(ensureInstalled)
