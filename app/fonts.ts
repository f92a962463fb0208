import localFont from 'next/font/local'

/**
 * Geist 1.7.2, of which the file has the Latin letters and signs, from regular to semibold: a third of the whole font, which
 * comes before all else on a slow line. Made by `fonttools varLib.instancer … wght=400:600` and `pyftsubset`; its licence
 * is beside it. `optional`: a page that is laid out before the font has come stays as it is (decision 0031). Next adds a fallback of
 * the same metrics.
 */
export const geist = localFont({
  src: './fonts/geist-latin.woff2',
  weight: '400 600',
  display: 'optional',
  variable: '--font-geist',
})
