import { ChevronDown } from 'lucide-react'
import type { ComponentProps, KeyboardEvent } from 'react'
import { mergeClasses } from './merge-classes'

/** A single-line text input (control.css). `className` overrides the width. */
export function Input({ className = 'w-full', ...rest }: ComponentProps<'input'>) {
  return <input {...rest} className={mergeClasses('control', className)} />
}

type TextareaProps = Omit<ComponentProps<'textarea'>, 'onKeyDown'> & {
  /** What Ctrl or ⌘ with Enter does; the default is to press the submit button of its form. */
  onSend?: () => void
}

/** A multi-line text input; grows with its content where supported. Enter inserts a line break, Ctrl or ⌘ with Enter sends. */
export function Textarea({ className = 'w-full', onSend, ...rest }: TextareaProps) {
  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return
    event.preventDefault()
    if (event.repeat) return
    if (onSend) onSend()
    else event.currentTarget.form?.querySelector<HTMLElement>('[type=submit]')?.click()
  }
  return (
    <textarea
      {...rest}
      className={mergeClasses('control field-sizing-content max-h-60 min-h-20 py-2', className)}
      onKeyDown={onKeyDown}
    />
  )
}

/** A native select: it works with every keyboard, screen reader and phone, and needs no script. */
export function Select({ className, children, ...rest }: ComponentProps<'select'>) {
  return (
    <span className={mergeClasses('relative inline-flex', className)}>
      <select {...rest} className="control w-full appearance-none truncate pr-8">
        {children}
      </select>
      <ChevronDown className="pointer-events-none absolute top-1/2 right-2.5 size-4 -translate-y-1/2 text-ink-faint" />
    </span>
  )
}

/** A native checkbox in the accent colour. */
export function Checkbox({ className, ...rest }: Omit<ComponentProps<'input'>, 'type'>) {
  return <input {...rest} type="checkbox" className={mergeClasses('size-4 shrink-0 accent-accent', className)} />
}

/** A native radio button in the accent colour. */
export function Radio(props: Omit<ComponentProps<'input'>, 'type' | 'className'>) {
  return <input {...props} type="radio" className="size-4 shrink-0 accent-accent" />
}

type TextFileInputProps = Omit<ComponentProps<'input'>, 'type' | 'accept' | 'value' | 'onChange' | 'onClick'> & {
  onChoose: (file: File) => void
}

/** A native field for a file of lines or columns. A file can be chosen again under the same name, once it is corrected. */
export function TextFileInput({ className, onChoose, ...rest }: TextFileInputProps) {
  return (
    <input
      {...rest}
      type="file"
      accept=".csv,.txt,.tsv,text/csv,text/plain"
      className={mergeClasses(
        'max-w-full file:mr-3 file:h-9 file:cursor-pointer file:rounded-md file:border file:border-edge/60 file:bg-surface file:px-3.5 file:font-medium file:text-ink max-md:file:h-11',
        className,
      )}
      onClick={({ currentTarget }) => {
        // The same name would be no change.
        currentTarget.value = ''
      }}
      onChange={({ target }) => {
        const [file] = target.files ?? []
        if (file) onChoose(file)
      }}
    />
  )
}
