import { authenticate } from '../authenticate'
import { Failure } from '../failure'
import { attempts } from '../store/schema'
import { createUser } from '../users'
import { openMemoryStore } from './memory-store'

/*
 * Whether the time of a refusal tells who has an account (SE-13): 500 wrong passwords for an account and as many for
 * an address without one, in turns. Prints the medians and how likely so great a difference would be by chance.
 */

const rounds = Number(process.argv[2] ?? 500)

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}

/** The two-sided p of the Mann-Whitney test by its normal approximation, which is good from twenty values on. */
function compare(one: readonly number[], other: readonly number[]): number {
  const ranked = [...one.map((value) => ({ value, first: true })), ...other.map((value) => ({ value, first: false }))]
    .toSorted((a, b) => a.value - b.value)
    .map((entry, index) => ({ ...entry, rank: index + 1 }))
  const ranks = ranked.filter(({ first }) => first).reduce((sum, { rank }) => sum + rank, 0)
  const [n, m] = [one.length, other.length]
  const u = ranks - (n * (n + 1)) / 2
  const z = Math.abs(u - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12)
  // Abramowitz and Stegun 26.2.17.
  const t = 1 / (1 + 0.2316419 * z)
  const tail = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  return Math.min(1, (2 * Math.exp((-z * z) / 2) * tail) / Math.sqrt(2 * Math.PI))
}

process.env.NEXTAUTH_SECRET ??= 'only for this measurement, never to be used'
const store = await openMemoryStore()
await createUser(store.db, {
  email: 'known@example.com',
  password: 'moss-covered lantern',
  role: 'viewer',
  connectionId: 'default',
})

async function time(email: string): Promise<number> {
  const began = performance.now()
  await authenticate(store.db, { email, password: 'not the password', peer: '192.0.2.1' }, new Date()).catch(
    (error: unknown) => {
      if (!(error instanceof Failure)) throw error
    },
  )
  const took = performance.now() - began
  await store.db.delete(attempts)
  return took
}

for (let warming = 0; warming < 20; warming += 1) await time('known@example.com')
const known: number[] = []
const unknown: number[] = []
for (let round = 0; round < rounds; round += 1) {
  const isFirst = round % 2 === 0
  if (isFirst) known.push(await time('known@example.com'))
  unknown.push(await time('nobody@example.com'))
  if (!isFirst) known.push(await time('known@example.com'))
}
await store.close()
const [ours, theirs, p] = [median(known), median(unknown), compare(known, unknown)]
process.stdout.write(
  `${rounds} refusals each: with an account ${ours.toFixed(2)} ms, without ${theirs.toFixed(2)} ms, ` +
    `difference ${Math.abs(ours - theirs).toFixed(2)} ms, p ${p.toFixed(3)}\n`,
)
// Medians of a busy machine differ by themselves: whether they mean anything is what p says.
process.exit(p > 0.01 ? 0 : 1)
