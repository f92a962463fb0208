import { Badge } from '@/components/ui/badge'
import { documentedReplies } from '@/lib/api-contract/documented-records'
import type { Endpoint } from '@/lib/api-contract/endpoint'
import { hasPermission, roles } from '@/lib/api-contract/permission'
import { englishRoles, joinEnglish, referenceTexts } from './reference-texts'
import type { Field } from './schema-fields'

/** The text of a decision with backticks rendered as code. */
export function NotedText({ children }: { children: string }) {
  return children.split('`').map((part, index) =>
    index % 2 === 1 ? (
      // Parts of a fixed text have no identity but their index.
      <code key={`${index} ${part}`} className="rounded bg-sunken px-1 text-[0.8125rem] wrap-anywhere">
        {part}
      </code>
    ) : (
      part
    ),
  )
}

/** The fields of a record with types and descriptions. */
export function FieldsTable({ caption, fields }: { caption: string; fields: readonly Field[] }) {
  if (fields.length === 0) return null
  return (
    // A focusable region, so that a keyboard can scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section aria-label={caption} tabIndex={0} className="overflow-x-auto">
      <table className="w-full text-left text-[0.8125rem] md:min-w-md">
        <caption className="pb-1.5 text-left font-semibold">{caption}</caption>
        <thead className="text-ink-soft max-md:sr-only">
          <tr className="border-b border-line">
            <th scope="col" className="w-48 py-1.5 pr-4 font-medium">
              {referenceTexts.field}
            </th>
            <th scope="col" className="w-56 py-1.5 pr-4 font-medium">
              {referenceTexts.type}
            </th>
            <th scope="col" className="py-1.5 font-medium">
              {referenceTexts.notes}
            </th>
          </tr>
        </thead>
        <tbody>
          {fields.map(({ name, type, isRequired, note }) => (
            <tr
              key={name}
              className="border-b border-line align-top last:border-0 max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:py-1.5"
            >
              <th scope="row" className="py-1.5 pr-4 font-medium wrap-anywhere max-md:py-0">
                {name}
              </th>
              <td className="py-1.5 pr-4 wrap-anywhere max-md:py-0 max-md:pr-0">{type}</td>
              <td className="py-1.5 wrap-anywhere text-ink-soft max-md:col-span-2 max-md:py-0 empty:hidden">
                {[isRequired ? referenceTexts.required : '', note ?? ''].filter(Boolean).join('. ')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

type EndpointCardProps = { endpoint: Endpoint; query: readonly Field[]; body: readonly Field[] }

/** Who may call an endpoint, and what it answers; after its name. */
function describeUse({ id, permission }: Endpoint): string {
  const allowed = roles.filter((role) => hasPermission(role, permission)).map((role) => englishRoles[role])
  const answers = Object.entries(documentedReplies[id]).map(([status, { holds, as = 'one' }]) => {
    if (!holds) return `${status} without a body`
    return `${status} with ${as === 'page' ? 'a page of ' : as === 'array' ? 'a list of ' : ''}${holds}`
  })
  const who = allowed.length === roles.length ? 'every role' : joinEnglish(allowed, 'conjunction')
  return `, for ${who}. Answers ${joinEnglish(answers, 'disjunction')}.`
}

/** One endpoint: path, required role, parameters, replies and decisions. */
export function EndpointCard({ endpoint, query, body }: EndpointCardProps) {
  const { id, method, path, summary, decisions } = endpoint
  return (
    <article
      id={id}
      aria-labelledby={`${id}-name`}
      className="md:scroll-mt-16 border-t border-line px-5 py-5 max-md:px-4"
    >
      <h3 id={`${id}-name`} className="flex flex-wrap items-baseline gap-x-3 gap-y-1 font-semibold">
        <Badge tone={method === 'GET' ? 'neutral' : method === 'DELETE' ? 'negative' : 'progress'}>{method}</Badge>
        <code className="text-sm wrap-anywhere">{path}</code>
      </h3>
      <p className="mt-2">{summary}</p>
      <p className="mt-0.5 text-[0.8125rem] text-ink-soft">
        <code>{id}</code>
        {describeUse(endpoint)}
      </p>
      {decisions.length > 0 ? (
        <ul className="mt-2 list-disc pl-5">
          {decisions.map((words) => (
            <li key={words}>
              <NotedText>{words}</NotedText>
            </li>
          ))}
        </ul>
      ) : null}
      <div className="mt-3 grid gap-4">
        <FieldsTable caption={`Query of ${id}`} fields={query} />
        <FieldsTable caption={`Body of ${id}`} fields={body} />
      </div>
    </article>
  )
}
