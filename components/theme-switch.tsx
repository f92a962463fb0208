'use client'

import { Monitor, Moon, Sun } from 'lucide-react'
import { useTheme } from 'next-themes'
import { useId, useSyncExternalStore } from 'react'
import * as words from '@/lib/words/shell-controls'

const themes = [
  { value: 'light', name: words.light, icon: Sun },
  { value: 'dark', name: words.dark, icon: Moon },
  { value: 'system', name: words.asSystem, icon: Monitor },
] as const

const subscribeToNothing = () => () => {}

/** Light, dark or as the system says. The server does not know the choice, so none is marked until the browser runs. */
export function ThemeSwitch() {
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
      {themes.map(({ value, name: label, icon: Icon }) => (
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
          <Icon aria-hidden="true" className="size-4" />
          <span className="sr-only">{label}</span>
        </label>
      ))}
    </fieldset>
  )
}
