import { pathToFileURL } from 'node:url'
import { bundleProgram } from './support/bundle-program.mjs'
import './support/end-without-reader.mjs'

// `node scripts/run-program.mjs service/serve.ts …` runs a TypeScript program of this project with the given arguments.
const [entry = ''] = process.argv.splice(2, 1)
process.setSourceMapsEnabled(true)
const program = await bundleProgram(entry)
// Set after bundling: bundles contain no secrets, and other users of this installation read them too.
process.umask(0o077)
await import(pathToFileURL(program).href)
