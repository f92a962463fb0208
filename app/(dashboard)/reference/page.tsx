import { Download } from 'lucide-react'
import { PageHeader } from '@/components/layout/page-header'
import { buttonClasses } from '@/components/ui/button'
import type { Endpoint } from '@/lib/api-contract/endpoint'
import { endpoints } from '@/lib/api-contract/endpoints'
import { apiNotes, makeOpenapi } from '@/lib/api-contract/openapi'
import { describeQuery, jsonSchemaOf } from '@/lib/api-contract/openapi-operation'
import { requirePageSession } from '@/lib/server/auth/session'
import { EndpointCard, FieldsTable, NotedText } from './endpoint-card'
import { referenceTexts } from './reference-texts'
import { type Field, listSchemaFields } from './schema-fields'
import { createMetadata } from '@/lib/server/auth/page-metadata'
import * as m from '@/lib/messages/m'

export const generateMetadata = createMetadata(m.reference_reference)

const cardLook = 'rounded-lg border border-line bg-surface'

function groupEndpoints(): [name: string, group: Endpoint[]][] {
  const groups = new Map<string, Endpoint[]>()
  for (const endpoint of Object.values<Endpoint>(endpoints)) {
    const name = endpoint.path.split('/')[1] || referenceTexts.provider
    groups.set(name, [...(groups.get(name) ?? []), endpoint])
  }
  return [...groups]
}

function fieldsOf(schema: Endpoint['body']): Field[] {
  return schema ? listSchemaFields(jsonSchemaOf(schema)) : []
}

/** The API reference, generated from the contract that the code uses. */
export default async function ReferencePage() {
  await requirePageSession()
  const groups = groupEndpoints()
  const records = Object.entries(makeOpenapi().components.schemas)
    .map(([name, schema]) => ({ name, fields: listSchemaFields(schema) }))
    .filter(({ name, fields }) => fields.length > 0 && !/(?:Page|Input|Update|Cancellation)$/u.test(name))
  const parts = [
    ...groups.map(([name]) => ({ id: name, name })),
    { id: 'Records', name: referenceTexts.records },
    { id: 'Decisions', name: referenceTexts.decisions },
  ]
  return (
    <>
      <PageHeader isNarrow title={m.reference_reference()} about={m.reference_interfaceAsThisDeskSpeaks()}>
        <a href="/api/desk/openapi" download="openapi.json" className={buttonClasses()}>
          <Download className="size-4" />
          {m.reference_openapiDocument()}
        </a>
      </PageHeader>
      <div className="grid max-w-page grid-cols-[minmax(0,1fr)] gap-4 px-4 pt-1 pb-12 md:px-8">
        <nav aria-label={m.reference_onThisPage()}>
          <ul lang="en" className="flex flex-wrap gap-x-4">
            {parts.map(({ id, name }) => (
              <li key={id}>
                <a
                  href={`#part-${id}`}
                  className="inline-flex min-h-6 items-center text-accent-ink underline max-md:min-h-11"
                >
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div lang="en" className="contents">
          {groups.map(([name, group]) => (
            <section
              key={name}
              id={`part-${name}`}
              aria-labelledby={`head-${name}`}
              className={`md:scroll-mt-16 ${cardLook}`}
            >
              <h2 id={`head-${name}`} className="px-5 py-4 text-base font-semibold max-md:px-4">
                {name}
              </h2>
              {group.map((endpoint) => (
                <EndpointCard
                  key={endpoint.id}
                  endpoint={endpoint}
                  query={endpoint.query ? listSchemaFields({ properties: describeQuery() }) : []}
                  body={fieldsOf(endpoint.body)}
                />
              ))}
            </section>
          ))}
          <section id="part-Records" aria-labelledby="head-Records" className={`md:scroll-mt-16 ${cardLook}`}>
            <h2 id="head-Records" className="px-5 pt-4 text-base font-semibold max-md:px-4">
              {referenceTexts.records}
            </h2>
            <p className="px-5 pb-4 text-ink-soft max-md:px-4">{referenceTexts.aboutRecords}</p>
            {records.map(({ name, fields }) => (
              <div key={name} className="border-t border-line px-5 py-4 max-md:px-4">
                <FieldsTable caption={name} fields={fields} />
              </div>
            ))}
          </section>
          <section id="part-Decisions" aria-labelledby="head-Decisions" className={`md:scroll-mt-16 ${cardLook}`}>
            <h2 id="head-Decisions" className="px-5 pt-4 text-base font-semibold max-md:px-4">
              {referenceTexts.decisions}
            </h2>
            <p className="px-5 pb-4 text-ink-soft max-md:px-4">{referenceTexts.aboutDecisions}</p>
            {Object.entries(apiNotes).map(([heading, texts]) => (
              <div key={heading} className="grid gap-2 border-t border-line px-5 py-4 max-md:px-4">
                <h3 className="font-semibold">{heading}</h3>
                {texts.map((words) => (
                  <p key={words}>
                    <NotedText>{words}</NotedText>
                  </p>
                ))}
              </div>
            ))}
          </section>
        </div>
      </div>
    </>
  )
}
