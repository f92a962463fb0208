'use client'

import { use, useMemo } from 'react'
import fontUrl from '../node_modules/geist/dist/fonts/geist-sans/Geist-Variable.woff2'
import styles from './globals.pcss'

/** The fallback has the font's own measures, so that nothing moves when the font arrives. */
const fontFaces = `@font-face{font-family:Geist;src:url(${fontUrl})format("woff2");font-display:optional;font-weight:100 900}
@font-face{font-family:"Geist Fallback";src:local(Arial),local("Liberation Sans");ascent-override:94.56%;descent-override:27.76%;line-gap-override:0%;size-adjust:106.28%}`

/** As part of what the server sends for React the styles would be in each page twice: the browser takes those of the page. */
const known =
  typeof window === 'undefined' ? fontFaces + styles : (document.getElementById('styles')?.textContent ?? null)

let fetched: Promise<string> | undefined

/** For a page that the browser draws alone, since the server could not; better without them than not at all. */
function fetchStyles(): Promise<string> {
  fetched ??= import('./globals.pcss').then(
    (module) => fontFaces + module.default,
    () => '',
  )
  return fetched
}

/**
 * The styles stand in the page itself: nothing is asked for a second time before the first rows are painted. The font is
 * asked for before anything is laid out: a page would be laid out anew with it.
 */
export function PageStyles({ nonce }: { nonce: string | undefined }) {
  const css = known ?? use(fetchStyles())
  const text = useMemo(() => ({ __html: css }), [css])
  return (
    <>
      <link rel="preload" as="font" type="font/woff2" crossOrigin="anonymous" href={fontUrl} />
      <style id="styles" nonce={nonce} dangerouslySetInnerHTML={text} suppressHydrationWarning />
    </>
  )
}
