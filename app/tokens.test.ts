import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

type Channel = readonly [lightness: number, chroma: number, hue: number]

const source = readFileSync(new URL('tokens.css', import.meta.url), 'utf8')

function readToken(name: string, theme: 'light' | 'dark'): Channel {
  const value = new RegExp(`--${name}: (.+);`, 'u').exec(source)?.[1] ?? ''
  const colours = [...value.matchAll(/oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/gu)].map(
    ([, l, c, h]) => [Number(l), Number(c), Number(h)] as const,
  )
  const colour = theme === 'light' ? colours[0] : colours.at(-1)
  if (!colour) throw new Error(`no colour --${name}`)
  return colour
}

/** Relative luminance (WCAG 2.2) of an oklch colour, through linear sRGB (CSS Color 4, section 10), clipped to its gamut. */
function measureLuminance([lightness, chroma, hue]: Channel): number {
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const clip = (value: number) => Math.min(1, Math.max(0, value))
  const red = clip(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s)
  const green = clip(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s)
  const blue = clip(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function measureContrast(text: Channel, ground: Channel): number {
  const [low, high] = [measureLuminance(text), measureLuminance(ground)].toSorted((x, y) => x - y)
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05)
}

const grounds = ['canvas', 'surface', 'sunken', 'raised']
const tones = ['positive', 'caution', 'negative', 'progress', 'planned']

const pairs: readonly (readonly [text: string, ground: string, least: number])[] = [
  ...['ink', 'ink-soft'].flatMap((text) => grounds.map((ground) => [text, ground, 7] as const)),
  ...['ink', 'ink-soft'].map((text) => [text, 'accent-soft', 7] as const),
  ...tones.map((tone) => [tone, `${tone}-soft`, 7] as const),
  ...grounds.flatMap((ground) => [...tones, 'ink-faint', 'accent-ink'].map((text) => [text, ground, 4.5] as const)),
  ['accent-ink', 'accent-soft', 4.5],
  ['on-accent', 'accent', 4.5],
  ['on-accent', 'accent-strong', 4.5],
  ['on-accent', 'negative-fill', 4.5],
  // Borders of controls and the focus outline: WCAG 1.4.11.
  ...['canvas', 'surface', 'raised'].flatMap((ground) => ['edge', 'focus'].map((text) => [text, ground, 3] as const)),
]

describe.each(['light', 'dark'] as const)('the %s colours', (theme) => {
  it.each(pairs)('%s on %s have a contrast of at least %d', (text, ground, least) => {
    expect(measureContrast(readToken(text, theme), readToken(ground, theme))).toBeGreaterThanOrEqual(least)
  })
})

it('measures contrast as WCAG does', () => {
  expect(measureContrast([0, 0, 0], [1, 0, 0])).toBeCloseTo(21, 3)
  // #767676 on white is the well-known 4.54.
  expect(measureContrast([0.5653, 0, 0], [1, 0, 0])).toBeCloseTo(4.54, 1)
})

describe('the marks of states', () => {
  const marks = readFileSync(new URL('../components/payments/state-marks.css', import.meta.url), 'utf8')
  const tonesOfMarks = {
    clock: 'progress',
    calendar: 'planned',
    check: 'positive',
    cross: 'negative',
    return: 'negative',
    plus: 'progress',
    ban: 'ink-soft',
    dashed: 'ink-soft',
  }

  it.each(Object.entries(tonesOfMarks))('%s has the colours of %s', (mark, tone) => {
    const colours = ['light', 'dark'].map((theme) => {
      const sheet = new RegExp(`--state-marks-${theme}: ([^;]+);`, 'u').exec(marks)?.[1]
      return new RegExp(`id='${mark}' stroke='(oklch\\([^)]+\\))'`, 'u').exec(sheet ?? '')?.[1]
    })
    const value = new RegExp(`--${tone}: light-dark\\((.+)\\);`, 'u').exec(source)?.[1]
    expect(colours.join(', ')).toBe(value)
  })
})
