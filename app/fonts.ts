import localFont from 'next/font/local'

/**
 * Geist 1.7.2, subset to Latin letters and signs, regular to semibold: a third of the full font, which loads before
 * everything else on a slow line. Built with `fonttools varLib.instancer … wght=400:600` and `pyftsubset`; its
 * licence is beside it. `optional`: a page laid out before the font arrives stays as it is (decision 0031). Next.js
 * adds a fallback with the same metrics.
 */
export const geist = localFont({
  src: './fonts/geist-latin.woff2',
  weight: '400 600',
  display: 'optional',
  variable: '--font-geist',
})
