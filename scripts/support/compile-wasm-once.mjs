import { setFlagsFromString } from 'node:v8'

/*
 * Preloaded into every process of a test run. PGlite is 9 MB of WebAssembly, and most test processes live for seconds:
 * the optimizing compiler would cost each of them more time than it saves.
 */
setFlagsFromString('--liftoff-only')
