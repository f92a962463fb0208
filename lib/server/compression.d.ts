/** As much of it as the desk uses; its own types bring those of a whole framework. */
declare module 'compression' {
  import type { IncomingMessage, ServerResponse } from 'node:http'
  import type { BrotliOptions } from 'node:zlib'

  type Filter = (request: IncomingMessage, response: ServerResponse) => boolean

  const compression: {
    (options: {
      brotli: BrotliOptions
      filter: Filter
    }): (request: IncomingMessage, response: ServerResponse, next: () => void) => void
    /** Whether what a reply says it holds becomes smaller. */
    filter: Filter
  }
  export default compression
}
