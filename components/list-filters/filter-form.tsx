'use client'

import type { FormEvent, ReactNode, RefObject } from 'react'
import * as m from '@/lib/messages/m'
import { focusFirstInvalid } from '../forms/form-elements'
import { Button } from '../ui/button'
import type { ChangeFilters } from './filter-pills'
import type { FilterValues, TableFilter } from '@/lib/domain/lists/filter-values'

export type PanelProps = {
  filters: readonly TableFilter[]
  current: TableFilter | null
  values: FilterValues
  /** The values of a field that occur in the loaded rows, and in earlier ones, which a choice may have left out. */
  findSeen: (field: string) => readonly string[]
  anchor: RefObject<HTMLButtonElement | null>
  change: ChangeFilters
  onClose: () => void
}

export type FormProps<Kind extends TableFilter['kind']> = Omit<PanelProps, 'filters' | 'current' | 'anchor'> & {
  filter: TableFilter & { kind: Kind }
}

/** The line of one of several values: its control and its name. */
export function Option({ children }: { children: ReactNode }) {
  return (
    <label className="flex min-h-9 items-center gap-2.5 rounded-md px-2 hover:bg-sunken max-md:min-h-11">
      {children}
    </label>
  )
}

type PanelFormProps = { children: ReactNode; onSubmit: () => void }

/** The form of a filter that is applied as a whole. What is wrong in it takes the focus. */
export function PanelForm({ children, onSubmit }: PanelFormProps) {
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    if (event.currentTarget.checkValidity()) onSubmit()
    focusFirstInvalid(event.currentTarget)
  }
  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      {children}
      <Button tone="primary" type="submit">
        {m.filters_apply()}
      </Button>
    </form>
  )
}
