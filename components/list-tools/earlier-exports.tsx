import { describeExport, type ListExportView } from '@/lib/domain/lists/list-export'
import { UntrustedText } from '../ui/untrusted-text'
import { useAppConfig } from '../layout/app-config'
import { Timestamp } from '../records/dates'
import { Button } from '../ui/button'
import * as m from '@/lib/messages/m'

/** When an export was started, and of what. */
export function ExportOrigin({ view: { createdAt, filters } }: { view: ListExportView }) {
  return (
    <>
      <Timestamp value={createdAt} />
      {Object.entries(filters).map(([label, value]) => (
        <span key={label}>
          , {label.toLowerCase()} <UntrustedText>{value}</UntrustedText>
        </span>
      ))}
    </>
  )
}

type EarlierExportsProps = { views: readonly ListExportView[]; onShow: (view: ListExportView) => void }

/** Retained exports with their results, to find a file again after closing the dialog. */
export function EarlierExports({ views, onShow }: EarlierExportsProps) {
  const { exportDays = 1, locale } = useAppConfig()
  if (views.length === 0) return null
  return (
    <section className="mt-6 grid gap-2">
      <h3 className="font-medium">{m.exporting_exportsOfTheLast({ days: exportDays })}</h3>
      <ul aria-label={m.exporting_exportsOfTheLast({ days: exportDays })} className="border-b border-line">
        {views.map((view) => (
          <li
            key={view.exportId}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line py-2 text-[0.8125rem]"
          >
            <span className="min-w-0 flex-1">
              <span className="block font-medium">{describeExport(view, locale)}</span>
              <span className="text-ink-soft">
                <ExportOrigin view={view} />
              </span>
            </span>
            <Button size="small" onClick={() => onShow(view)}>
              {m.exporting_show()}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
