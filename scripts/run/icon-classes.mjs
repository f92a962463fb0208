import * as lucide from 'lucide-react'
import iconImports from 'lucide-react/dynamicIconImports'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import plugin from 'tailwindcss/plugin'

/** `arrow-down` as lucide exports it: `ArrowDown`. */
const nameExport = (name) => name.replace(/(?:^|-)(\w)/g, (_, first) => first.toUpperCase())

function drawIcon(name, strokeWidth) {
  // oxlint-disable-next-line import/namespace -- each name has its export
  return renderToStaticMarkup(createElement(lucide[nameExport(name)], { strokeWidth, color: 'black' }))
    .replace(/ (?:class|aria-hidden)="[^"]*"/g, '')
    .replace(/><\/(?:rect|path|circle|line|ellipse|polyline|polygon)>/g, '/>')
    .replaceAll('"', "'")
    .replaceAll('<', '%3C')
    .replaceAll('>', '%3E')
}

/**
 * Tailwind's classes `icon-{name}` and `icon-{name}/{stroke width}` for the icons of lucide: a drawing as the value of
 * `--icon`, which `.icon` takes as its mask (components/ui/icon.css). Only those that a source names are in the styles.
 */
export default plugin((tailwind) => {
  tailwind.matchUtilities(
    { icon: (name, { modifier }) => ({ '--icon': `url("data:image/svg+xml,${drawIcon(name, modifier ?? 2)}")` }) },
    {
      values: Object.fromEntries(Object.keys(iconImports).map((name) => [name, name])),
      modifiers: { 1.5: '1.5', 1.75: '1.75' },
    },
  )
})
