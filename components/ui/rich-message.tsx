import { Fragment, type ReactNode } from 'react'

type RichMessageProps<Name extends string> = {
  /** A message whose values are all in `parts`. */
  message: (values: Record<Name, string>) => string
  parts: Readonly<Record<Name, ReactNode>>
}

const MARK = '\uE000'

/** A whole sentence with elements in place of its values, such as a link or a date, in the order of the language. */
export function RichMessage<Name extends string>({ message, parts }: RichMessageProps<Name>) {
  const names = Object.keys(parts) as Name[]
  const marked = Object.fromEntries(names.map((name) => [name, `${MARK}${name}${MARK}`])) as Record<Name, string>
  return message(marked)
    .split(MARK)
    .map((text, at) => <Fragment key={`${at} ${text}`}>{at % 2 === 1 ? parts[text as Name] : text}</Fragment>)
}
