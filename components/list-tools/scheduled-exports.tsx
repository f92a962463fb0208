'use client'

import { useRef } from 'react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { acceptGone, callDesk, retryAfterStepUp } from '@/lib/client/api-client'
import { useFocusLost } from '@/lib/client/page-lifecycle'
import { formatHour } from '@/lib/domain/dates/date'
import type { ListId } from '@/lib/domain/lists/capabilities'
import { describeTimes, nameWeekday } from '@/lib/domain/lists/describe-times'
import {
  type ExportScheduleRequest,
  type ExportScheduleView,
  type ExportTimes,
  rhythms,
} from '@/lib/domain/lists/export-schedule'
import { explainStop, passingReasons } from '@/lib/domain/lists/list-export'
import { toProblemInfo } from '../feedback/problem-display'
import { showToast } from '../feedback/toast-store'
import { ProblemNotice } from '../feedback/problem-notice'
import { useAppConfig } from '../layout/app-config'
import { Timestamp } from '../records/dates'
import { Button } from '../ui/button'
import { Select } from '../ui/input'
import { UntrustedText } from '../ui/untrusted-text'
import * as m from '@/lib/messages/m'

const queryKey = ['export-schedules']

/** The reader's scheduled exports of a list, and how to change them. */
export function useSchedules(list: ListId) {
  const client = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => callDesk<{ schedules: ExportScheduleView[] }>('/exports/schedules', { signal }),
  })
  const refresh = () => client.invalidateQueries({ queryKey })
  const add = useMutation({
    mutationFn: (body: ExportScheduleRequest) =>
      retryAfterStepUp(() => callDesk<ExportScheduleView>('/exports/schedules', { method: 'POST', body })),
    onSettled: refresh,
  })
  const remove = useMutation({
    mutationFn: (scheduleId: string) =>
      callDesk<ExportScheduleRequest>(`/exports/schedules/${scheduleId}`, { method: 'DELETE' }).catch(acceptGone),
    onSuccess: (deleted) => {
      // What was gone already can't be brought back.
      if (deleted === null) showToast(m.exporting_scheduleDeleted(), '', { isBrief: true })
    },
    onSettled: refresh,
  })
  const schedules = data?.schedules.filter((one) => one.list === list) ?? []
  return { schedules, failure: data ? null : error, readAgain: () => void refetch(), add, remove }
}

const rhythmLabels = { daily: m.exporting_daily, weekly: m.exporting_weekly, monthly: m.exporting_monthly }
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)

type RepeatProps = { id: string; times: ExportTimes | null; onChange: (times: ExportTimes | null) => void }

/** Whether an export is made once or again and again, and when. */
export function Repeat({ id, times, onChange }: RepeatProps) {
  const { locale } = useAppConfig()
  const select = (key: string, label: string, value: number, options: readonly (readonly [number, string])[]) => (
    <span className="flex items-center gap-2">
      <label htmlFor={`${id}-${key}`}>{label}</label>
      <Select
        id={`${id}-${key}`}
        value={value}
        onChange={({ target }) => times && onChange({ ...times, [key]: Number(target.value) })}
      >
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </Select>
    </span>
  )
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <span className="flex items-center gap-2">
        <label htmlFor={`${id}-rhythm`} className="font-medium">
          {m.exporting_repeat()}
        </label>
        <Select
          id={`${id}-rhythm`}
          value={times?.rhythm ?? ''}
          onChange={({ target }) => {
            const rhythm = rhythms.find((one) => one === target.value)
            onChange(rhythm ? { rhythm, day: 1, hour: times?.hour ?? 7 } : null)
          }}
        >
          <option value="">{m.exporting_once()}</option>
          {rhythms.map((rhythm) => (
            <option key={rhythm} value={rhythm}>
              {rhythmLabels[rhythm]()}
            </option>
          ))}
        </Select>
      </span>
      {times?.rhythm === 'weekly'
        ? select(
            'day',
            m.exporting_weekday(),
            times.day,
            range(1, 7).map((day) => [day, nameWeekday(day, locale)] as const),
          )
        : null}
      {times?.rhythm === 'monthly'
        ? select(
            'day',
            m.exporting_dayOfMonth(),
            times.day,
            range(1, 31).map((day) => [day, String(day)] as const),
          )
        : null}
      {times
        ? select(
            'hour',
            m.exporting_hour(),
            times.hour,
            range(0, 23).map((hour) => [hour, formatHour(hour, locale)] as const),
          )
        : null}
    </div>
  )
}

/** Why the last export of a schedule isn't there, and what becomes of it. */
function describeProblem(problem: string): string {
  if (problem === 'bad-request') return m.exporting_cannotStart()
  const why = explainStop(problem)
  if (why === undefined) return m.exporting_didNotStart()
  return passingReasons.includes(problem) ? m.exporting_brokeOff({ why }) : m.exporting_isIncomplete({ why })
}

type ScheduleProps = { view: ExportScheduleView; isDeleting: boolean; onDelete: () => void; onFocusLost: () => void }

function Schedule({ view, isDeleting, onDelete, onFocusLost }: ScheduleProps) {
  const { times, filters, nextAt, problem } = view
  const { locale, schemeZone } = useAppConfig()
  const schedule = describeTimes(times, locale)
  return (
    <li
      ref={useFocusLost<HTMLLIElement>(onFocusLost)}
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line py-2 text-[0.8125rem]"
    >
      <span className="min-w-0 flex-1">
        <span className="block font-medium">{schedule}</span>
        <span className="text-ink-soft">
          {m.exporting_nextExport()} <Timestamp value={nextAt} zone={schemeZone} />
          {Object.entries(filters).map(([label, value]) => (
            <span key={label}>
              , {label.toLowerCase()} <UntrustedText>{value}</UntrustedText>
            </span>
          ))}
        </span>
        {problem ? <span className="block text-caution">{describeProblem(problem)}</span> : null}
      </span>
      <Button
        size="small"
        aria-label={m.exporting_deleteScheduleNamed({ schedule })}
        reason={isDeleting ? m.forms_requestIsOnItsWay() : null}
        onClick={onDelete}
      >
        {m.exporting_deleteSchedule()}
      </Button>
    </li>
  )
}

type ScheduledExportsProps = ReturnType<typeof useSchedules> & {
  /** Called before a schedule is deleted or brought back. */
  onAct: () => void
  /** Moves the focus to what stays when the last schedule disappears with it. */
  focusAfterLast: () => void
}

type DeletedProps = { isAdding: boolean; onUndo: () => void }

/** Says that a schedule was deleted, with a button that brings it back. */
function Deleted({ isAdding, onUndo }: DeletedProps) {
  return (
    <p className="flex flex-wrap items-center gap-x-3 text-[0.8125rem]">
      <output>{m.exporting_scheduleDeleted()}</output>
      <Button tone="quiet" size="small" reason={isAdding ? m.forms_requestIsOnItsWay() : null} onClick={onUndo}>
        {m.lists_undo()}
      </Button>
    </p>
  )
}

/** The reader's scheduled exports of a list. An error of `add` is shown by the panel. */
export function ScheduledExports({
  schedules,
  failure,
  readAgain,
  add,
  remove,
  onAct,
  focusAfterLast,
}: ScheduledExportsProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  if (failure)
    return (
      <section aria-label={m.exporting_scheduled()} className="mt-6 grid gap-2">
        <h3 className="font-medium">{m.exporting_scheduled()}</h3>
        <ProblemNotice problem={toProblemInfo(failure)} onRetry={readAgain} />
      </section>
    )
  const deleted = remove.data ?? null
  if (schedules.length === 0 && deleted === null) return null
  return (
    <section className="mt-6 grid gap-2" data-schedules="">
      <h3 ref={heading} tabIndex={-1} className="font-medium">
        {m.exporting_scheduled()}
      </h3>
      {deleted === null ? null : (
        <Deleted
          isAdding={add.isPending}
          onUndo={() => {
            onAct()
            add.mutate(deleted, {
              onSuccess: () => {
                heading.current?.focus()
                remove.reset()
              },
            })
          }}
        />
      )}
      {schedules.length === 0 ? null : (
        <ul aria-label={m.exporting_scheduled()} className="border-b border-line">
          {schedules.map((view) => (
            <Schedule
              key={view.scheduleId}
              view={view}
              isDeleting={remove.isPending && remove.variables === view.scheduleId}
              onDelete={() => {
                onAct()
                remove.mutate(view.scheduleId)
              }}
              // With the last schedule the heading disappears, too, and before it.
              onFocusLost={() => (heading.current ? heading.current.focus() : focusAfterLast())}
            />
          ))}
        </ul>
      )}
      {remove.error ? <ProblemNotice problem={toProblemInfo(remove.error)} /> : null}
    </section>
  )
}
