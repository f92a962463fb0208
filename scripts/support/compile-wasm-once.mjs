import { setFlagsFromString } from 'node:v8'

/*
 * Preloaded into every process of a run of tests. PGlite is 9 MB of WebAssembly, and most processes of tests live for
 * seconds: compiling its hot functions a second time, for speed, costs each of them more than it ever gives back.
 */
setFlagsFromString('--liftoff-only')
