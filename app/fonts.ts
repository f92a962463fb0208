import localFont from 'next/font/local'

/**
 * `optional`: a page that is laid out before the font has come stays as it is (decision 0031). Next adds a fallback of
 * the same metrics.
 */
export const geist = localFont({
  src: '../node_modules/geist/dist/fonts/geist-sans/Geist-Variable.woff2',
  weight: '100 900',
  display: 'optional',
  variable: '--font-geist',
})
