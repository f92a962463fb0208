/** How a script of the build begins in a page of Next's. */
const opening = Buffer.from('<script src="/_next/static/chunks/')
const closing = Buffer.from('</script>')
const headEnd = Buffer.from('</head>')

/** How a page says in its head that its first frame is to wait for the rows in sight (D-102). */
const waitsForRows = '<link rel="expect"'

/** A script that runs as soon as it is there. Those for browsers without modules, and inline ones, are none. */
const asyncScript =
  /^<script src="(\/_next\/static\/chunks\/[\w~-][\w.~-]*)" (?:async="" nonce="([\w+/=]+)"|nonce="([\w+/=]+)" async="")><\/script>$/u

/** Bytes; a head that is longer is not waited for. */
const longestHead = 2 ** 18

/** Asks for the scripts once the browser has painted; a tab that nobody looks at paints nothing, and asks at once. */
function writeLoader(sources: readonly string[], nonce: string): Buffer {
  return Buffer.from(`<script nonce="${nonce}">{let sources=${JSON.stringify(sources)}
const load=()=>{for(const src of sources){const script=document.createElement("script")
script.async=true
script.src=src
document.head.append(script)}
sources=[]}
document.hidden?load():requestAnimationFrame(()=>setTimeout(load))
document.addEventListener("visibilitychange",()=>document.hidden&&load())}</script>`)
}

const nothing: Buffer = Buffer.alloc(0)

/**
 * Takes the scripts that the page of a list asks for at once out of its HTML (bytes, part by part) and has the page ask for
 * them after its first frame: fetched and compiled before it, they hold its rows up. Next writes most of them in the head and
 * one behind the body, where all of them are asked for. Whatever comes after that stays as it is, and so does a page
 * without such rows: what is typed into a form waits for its script. `nonce` is that of the page's policy: a script
 * that carries another may not run, and stays where the browser refuses it.
 */
export class ScriptDeferral {
  readonly #nonce: string
  #held: Buffer = nothing
  #sources: string[] = []
  #isInHead = true
  #isDone = false

  constructor(nonce: string) {
    this.#nonce = nonce
  }

  /** The next part of the page as it is to be sent. A head waits for its end; later, what may be the beginning of a script for the next part. */
  pass(part: Uint8Array): Uint8Array {
    if (this.#isDone && this.#held.length === 0) return part
    const html = Buffer.concat([this.#held, part])
    this.#held = nothing
    if (this.#isDone) return html
    if (!this.#isInHead) return this.#passScripts(html)
    const end = html.indexOf(headEnd)
    if (end === -1) return this.#wait(html)
    this.#isDone = !html.subarray(0, end).includes(waitsForRows)
    if (this.#isDone) return html
    const head = this.#passScripts(html.subarray(0, end))
    this.#isInHead = false
    return Buffer.concat([head, this.#passScripts(html.subarray(end))])
  }

  /** What is left once the page has ended; nothing, if it had ended before. */
  end(): Buffer {
    const rest = Buffer.concat([this.#held, this.#load()])
    this.#held = nothing
    return rest
  }

  #wait(html: Buffer): Buffer {
    this.#isDone = html.length > longestHead
    if (this.#isDone) return html
    this.#held = html
    return nothing
  }

  #passScripts(html: Buffer): Buffer {
    const sent: Buffer[] = []
    let from = 0
    while (!this.#isDone) {
      const at = html.indexOf(opening, from)
      if (at === -1) break
      const end = html.indexOf(closing, at)
      if (end === -1) {
        this.#held = Buffer.from(html.subarray(at))
        return Buffer.concat([...sent, html.subarray(from, at)])
      }
      const next = end + closing.length
      sent.push(html.subarray(from, at), this.#take(html.subarray(at, next)))
      from = next
    }
    const rest = html.subarray(from)
    const whole = this.#isDone || this.#isInHead ? rest.length : rest.length - countBeginning(rest)
    this.#held = Buffer.from(rest.subarray(whole))
    return Buffer.concat([...sent, rest.subarray(0, whole)])
  }

  #take(script: Buffer): Buffer {
    const [, source, before, after] = asyncScript.exec(script.toString('latin1')) ?? []
    if (source === undefined || (before ?? after) !== this.#nonce) return script
    this.#sources.push(source)
    return this.#isInHead ? nothing : this.#load()
  }

  #load(): Buffer {
    const isNone = this.#isDone || this.#sources.length === 0
    this.#isDone = true
    return isNone ? nothing : writeLoader(this.#sources, this.#nonce)
  }
}

/** How many bytes at the end may be the beginning of a script. */
function countBeginning(html: Buffer): number {
  const at = html.lastIndexOf('<')
  if (at === -1) return 0
  const tail = html.subarray(at)
  return opening.subarray(0, tail.length).equals(tail) ? tail.length : 0
}
