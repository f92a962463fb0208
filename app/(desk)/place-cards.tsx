import { ArrowRight } from 'lucide-react'
import Link from 'next/link'

const places = [
  {
    href: '/payments',
    name: 'Payments',
    about: 'Find a payment, see where it stands, cancel it before it is handed over.',
  },
  { href: '/customers', name: 'Customers', about: 'Look up a payer and the mandates that were given.' },
  { href: '/mandates', name: 'Mandates', about: 'See which collections a payer permits, and on which scheme.' },
] as const

/** Where the work is done, with a word on what for. */
export function PlaceCards() {
  return (
    <ul className="grid gap-4 md:grid-cols-3">
      {places.map(({ href, name, about }) => (
        <li key={href}>
          <Link
            href={href}
            prefetch={false}
            className="group flex h-full flex-col rounded-lg border border-line bg-surface p-5 transition-colors hover:border-edge"
          >
            <span className="flex items-center justify-between font-semibold">
              {name}
              <ArrowRight
                aria-hidden="true"
                className="size-4 text-ink-faint transition-transform group-hover:translate-x-0.5 group-hover:text-ink"
              />
            </span>
            <span className="mt-1 text-ink-soft">{about}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
