import { Check } from 'lucide-react'
import { Fragment } from 'react'
import { PageHeader } from '@/components/layout/page-header'
import { hasPermission, permissions, roles } from '@/lib/api-contract/permission'
import { describeRule } from '@/lib/domain/cancellations/describe-rule'
import { permissionNames, roleNames } from '@/lib/domain/roles'
import { joinList } from '@/lib/language/join-list'
import * as m from '@/lib/messages/m'
import { createMetadata } from '@/lib/server/auth/page-metadata'
import { requirePageSession } from '@/lib/server/auth/session'
import { readApprovalRule } from '@/lib/server/cancellations/intents'
import { readReaderLocale } from '@/lib/server/http/reader-locale'
import { readFactorRule } from '@/lib/server/merchants/factor-rule'
import { requireStore } from '@/lib/server/store/store'
import { getConnection } from '@/lib/server/upstream/connection'
import type { SearchParams } from '../../load-list'

export const generateMetadata = createMetadata(m.roles_title)

const cell = 'border-b border-line py-2.5 group-last:border-b-0'

/** Who may do what: a row per permission, a column per role. On a phone each row lists the roles. */
function PermissionTable({ ownRole }: { ownRole: string }) {
  return (
    <table className="w-full text-left max-md:block">
      <caption className="sr-only">{m.roles_see()}</caption>
      <thead className="text-[0.8125rem] max-md:sr-only">
        <tr>
          <th scope="col" className="border-b border-line py-2.5 pr-4 font-medium text-ink-soft">
            {m.roles_may()}
          </th>
          {roles.map((role) => (
            <th
              key={role}
              scope="col"
              className={`w-30 border-b border-line px-2 py-2.5 text-center align-bottom font-medium ${role === ownRole ? 'bg-accent-soft text-accent-ink' : ''}`}
            >
              {roleNames[role].name()}
              {role === ownRole ? <span className="block font-normal">{m.roles_yours()}</span> : null}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-md:block">
        {permissions.map((permission) => (
          <tr
            key={permission}
            className="group max-md:flex max-md:flex-wrap max-md:border-b max-md:border-line max-md:py-2.5 max-md:last:border-b-0"
          >
            <th
              scope="row"
              className={`${cell} pr-4 font-normal max-md:w-full max-md:border-0 max-md:py-0 max-md:pb-1 max-md:font-medium`}
            >
              {permissionNames[permission]()}
            </th>
            {roles.map((role) => {
              const may = hasPermission(role, permission)
              return (
                <td
                  key={role}
                  className={`${cell} px-2 text-center max-md:border-0 max-md:py-0 max-md:pr-3 max-md:pl-0 ${role === ownRole ? 'bg-accent-soft max-md:bg-transparent' : ''} ${may ? '' : 'max-md:hidden'}`}
                >
                  {may ? (
                    <>
                      <Check
                        aria-hidden
                        className="mx-auto size-4.5 text-positive max-md:mr-1 max-md:inline max-md:size-3.5"
                      />
                      <span className="sr-only">{m.roles_yes()}</span>
                      <span
                        aria-hidden="true"
                        className={`text-[0.8125rem] md:hidden ${role === ownRole ? 'font-semibold text-accent-ink' : 'text-ink-soft'}`}
                      >
                        {roleNames[role].name()}
                      </span>
                    </>
                  ) : (
                    <>
                      <span aria-hidden="true" className="text-ink-faint">
                        –
                      </span>
                      <span className="sr-only">{m.roles_no()}</span>
                    </>
                  )}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Which role may do what, and the merchant's own rules. Also where people arrive whose role doesn't open a page. */
export default async function RolesPage({ searchParams }: { searchParams: SearchParams }) {
  const { role, scope } = await requirePageSession('account')
  const isRefused = (await searchParams).refused !== undefined
  const db = await requireStore()
  const rule = await readApprovalRule(db, scope)
  const factorRoles = await readFactorRule(db, scope)
  const factorRule =
    factorRoles.length === 0
      ? m.roles_factorForNobody()
      : m.roles_factorFor({ roles: joinList(factorRoles.map((one) => roleNames[one].name())) })
  const rules = [
    { name: m.approval_title(), lines: describeRule(rule, await readReaderLocale()) },
    { name: m.roles_secondFactor(), lines: [factorRule] },
  ]
  return (
    <>
      <PageHeader title={m.roles_title()} about={m.roles_about({ merchant: getConnection(scope.connectionId).name })} />
      <div className="grid max-w-page grid-cols-[minmax(0,1fr)] gap-4 px-4 pt-1 pb-12 md:px-8">
        {isRefused ? (
          <section data-problem="refused" className="rounded-lg border border-line bg-caution-soft p-4">
            <p className="font-semibold">{m.roles_refusedTitle()}</p>
            <p className="mt-1">{m.roles_refusedAdvice({ role: roleNames[role].name() })}</p>
          </section>
        ) : null}
        <section className="rounded-lg border border-line bg-surface px-5 py-3 max-md:px-4">
          <PermissionTable ownRole={role} />
        </section>
        <section aria-labelledby="rules" className="rounded-lg border border-line bg-surface p-5 max-md:p-4">
          <h2 id="rules" className="font-semibold">
            {m.roles_rulesTitle()}
          </h2>
          <dl className="mt-2 grid gap-x-6 gap-y-2 md:grid-cols-[14rem_1fr] max-md:gap-y-0">
            {rules.map(({ name, lines }) => (
              <Fragment key={name}>
                <dt className="text-ink-soft">{name}</dt>
                <dd className="max-md:mb-3">
                  {lines.map((line) => (
                    <p key={line}>{line}</p>
                  ))}
                </dd>
              </Fragment>
            ))}
          </dl>
        </section>
      </div>
    </>
  )
}
