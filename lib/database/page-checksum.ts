/** Bytes of a page, in PGlite as in almost every Postgres. */
export const pageSize = 8_192

const offsets = Uint32Array.of(
  0x5b1f36e9,
  0xb8525960,
  0x02ab50aa,
  0x1de66d2a,
  0x79ff467a,
  0x9bb9f8a3,
  0x217e7cd2,
  0x83e13d2c,
  0xf8d4474f,
  0xe39eb970,
  0x42c6ae16,
  0x993216fa,
  0x7b093b5d,
  0x98daff3c,
  0xf718902a,
  0x0b1c9cdb,
  0xe58f764b,
  0x187636bc,
  0x5d7b3bb1,
  0xe73de7de,
  0x92bec979,
  0xcca6c0b2,
  0x304a0979,
  0x85aa43d4,
  0x783125bb,
  0x6ca8eaa2,
  0xe407eac6,
  0x4b5cfc3e,
  0x9fbf8c76,
  0x15ca20be,
  0xf2ca9fd3,
  0x959bd756,
)
const prime = 16_777_619
const words = pageSize / 4

/**
 * The checksum that Postgres writes into a page (its src/include/storage/checksum_impl.h: 32 interleaved
 * FNV-1a sums). `page` is one page of 32-bit words, `block` its number within the relation; the field that
 * holds the checksum counts as zero.
 */
export function checksumPage(page: Uint32Array, block: number): number {
  const sums = Uint32Array.from(offsets)
  for (let index = 0; index < words; index += 1) {
    // The third word's lower half is the checksum itself (little-endian).
    const mixed = (sums[index & 31] ?? 0) ^ (index === 2 ? (page[2] ?? 0) & 0xffff0000 : (page[index] ?? 0))
    sums[index & 31] = Math.imul(mixed, prime) ^ (mixed >>> 17)
  }
  for (let index = 0; index < 64; index += 1) {
    const mixed = sums[index & 31] ?? 0
    sums[index & 31] = Math.imul(mixed, prime) ^ (mixed >>> 17)
  }
  const sum = (sums.reduce((one, other) => one ^ other, 0) ^ block) >>> 0
  return (sum % 65_535) + 1
}
