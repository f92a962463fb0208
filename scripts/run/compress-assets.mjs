import { createReadStream, createWriteStream, readdirSync, statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { constants, createBrotliCompress } from 'node:zlib'

/** Above this, brotli saves a worthwhile part (bytes). */
const least = 1_024

/** Writes a `.br` beside every script in the folder, and its like: as small as brotli makes it, once, where a server would do it at each request. */
export async function compressAssets(folder) {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:js|css|svg|json|txt)$/u.test(entry.name))
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .filter((path) => statSync(path).size > least)
  await Promise.all(
    paths.map(async (path) => {
      // Under its own name once it is whole: a desk that still runs may send it.
      const packed = `${path}.part`
      const params = { [constants.BROTLI_PARAM_SIZE_HINT]: statSync(path).size }
      await pipeline(createReadStream(path), createBrotliCompress({ params }), createWriteStream(packed))
      await (statSync(packed).size < statSync(path).size ? rename(packed, `${path}.br`) : rm(packed))
    }),
  )
}
