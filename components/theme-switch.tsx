'use client'

import { type ReactNode, useId } from 'react'
import { type Theme, useTheme } from '@/lib/browser/kept-theme'
import * as words from '@/lib/words/shell-controls'

type ThemeChoice = { value: Theme; name: string; icon: ReactNode }

/** Light, dark or as the system says. The server does not know the choice: none is marked, and none can be made, until the browser runs. */
export function ThemeSwitch({ choices }: { choices: readonly ThemeChoice[] }) {
  const [theme, setTheme] = useTheme()
  const name = useId()
  return (
    <fieldset disabled={theme === null} className="flex rounded-md border border-line bg-canvas p-0.5">
      <legend className="sr-only">{words.theme}</legend>
      {choices.map(({ value, name: label, icon }) => (
        <label key={value} title={label} className="theme-choice">
          <input
            type="radio"
            name={name}
            value={value}
            checked={theme === value}
            onChange={() => setTheme(value)}
            className="sr-only"
          />
          {icon}
          <span className="sr-only">{label}</span>
        </label>
      ))}
    </fieldset>
  )
}
