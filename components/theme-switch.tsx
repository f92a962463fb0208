'use client'

import { useTheme } from 'next-themes'
import { type ReactNode, useId, useSyncExternalStore } from 'react'
import * as words from '@/lib/words/shell-controls'

type ThemeChoice = { value: 'light' | 'dark' | 'system'; name: string; icon: ReactNode }

const subscribeToNothing = () => () => {}

/** Light, dark or as the system says. The server does not know the choice, so none is marked until the browser runs; it draws the icons. */
export function ThemeSwitch({ choices }: { choices: readonly ThemeChoice[] }) {
  const { theme, setTheme } = useTheme()
  const name = useId()
  const inBrowser = useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  )
  return (
    <fieldset className="flex rounded-md border border-line bg-canvas p-0.5">
      <legend className="sr-only">{words.theme}</legend>
      {choices.map(({ value, name: label, icon }) => (
        <label
          key={value}
          title={label}
          className="flex h-7 w-8 cursor-pointer items-center justify-center rounded-[0.3125rem] text-ink-soft hover:text-ink has-checked:bg-surface has-checked:text-ink has-checked:shadow-[0_0_0_1px_var(--line),0_1px_2px_var(--shadow)] has-focus-visible:outline-2 has-focus-visible:outline-focus max-md:h-10 max-md:w-11 forced-colors:has-checked:outline-2"
        >
          <input
            type="radio"
            name={name}
            value={value}
            checked={inBrowser && theme === value}
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
