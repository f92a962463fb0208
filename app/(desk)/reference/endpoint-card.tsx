import { Badge } from '@/components/ui/badge'
import type { Endpoint } from '@/lib/contract/endpoint'
import { documentedReplies } from '@/lib/contract/documented-replies'
import type { Permission } from '@/lib/contract/permission'
import * as words from '@/lib/words/reference'
import { FieldsTable } from './fields-table'
import { NotedText } from './noted-text'
import type { Field } from './read-fields'

const mayWords: Record<Permission, string> = {
  read: words.everyRole,
  cancel: words.supportAndAdmin,
  manage: 'admin',
  administer: 'admin',
}

type EndpointCardProps = { endpoint: Endpoint; query: readonly Field[]; body: readonly Field[] }

/** One endpoint: its address, who may call it here, what it takes, answers, and what was decided. */
export function EndpointCard({ endpoint, query, body }: EndpointCardProps) {
  const { id, method, path, summary, permission, decisions } = endpoint
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
        {words.forWord} {mayWords[permission]}
        {words.answers}{' '}
        {Object.entries(documentedReplies[id])
          .map(([status, { holds, as }]) => {
            const many = as === 'page' ? words.pageOf : as === 'array' ? words.listOf : ''
            return holds ? words.withBody(status, many, holds) : words.withoutABody(status)
          })
          .join(' or ')}
        .
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
        <FieldsTable caption={words.queryOf(id)} fields={query} />
        <FieldsTable caption={words.bodyOf(id)} fields={body} />
      </div>
    </article>
  )
}
