const browsers: readonly [RegExp, string][] = [
  [/Edg(?:e|A|iOS)?\/(\d+)/u, 'Edge'],
  [/OPR\/(\d+)/u, 'Opera'],
  [/SamsungBrowser\/(\d+)/u, 'Samsung Internet'],
  [/(?:Firefox|FxiOS)\/(\d+)/u, 'Firefox'],
  [/(?:Chrome|CriOS|HeadlessChrome)\/(\d+)/u, 'Chrome'],
  [/Version\/(\d+)[\d.]* (?:Mobile\/\w+ )?Safari/u, 'Safari'],
]

const systems: readonly [RegExp, string][] = [
  [/iPhone|iPad/u, 'iOS'],
  [/Android/u, 'Android'],
  [/Windows/u, 'Windows'],
  [/Mac OS X|Macintosh/u, 'macOS'],
  [/CrOS/u, 'ChromeOS'],
  [/Linux/u, 'Linux'],
]

/** A browser in our words, such as `Firefox 141 on Windows`; null for one that nobody would recognise. Nothing of the header goes through. */
export function describeBrowser(userAgent: string | null): string | null {
  const text = (userAgent ?? '').slice(0, 500)
  const [, name, version] =
    browsers.flatMap(([pattern, browser]) => {
      const found = pattern.exec(text)
      return found ? [[found[0], browser, found[1]?.slice(0, 4)]] : []
    })[0] ?? []
  const system = systems.find(([pattern]) => pattern.test(text))?.[1]
  if (!name) return system ?? null
  return `${name} ${version}${system ? ` on ${system}` : ''}`
}
