import { Failure } from './failure'

/**
 * Reads a request's body, counted as it comes and never past `limit` bytes. Throws Failure 'too-large', with
 * `detail` as its words.
 */
export async function readBounded({ body, headers }: Request, limit: number, detail: string): Promise<Buffer> {
  const tooLarge = () => new Failure('too-large', { detail })
  if (Number(headers.get('content-length') ?? 0) > limit) throw tooLarge()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    // Leaving the loop cancels the stream: nothing past the limit is taken in.
    if (size > limit) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}
