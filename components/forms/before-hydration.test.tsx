import { SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import { renderToString } from 'react-dom/server'
import { expect, it } from 'vitest'
import { PageForm } from './before-hydration'

const render = (query: string) =>
  renderToString(
    <SearchParamsContext value={new URLSearchParams(query)}>
      <PageForm onSubmit={() => undefined}>
        <button>Reload</button>
      </PageForm>
    </SearchParamsContext>,
  )

it('is the same for the address as it is and as Next gives it to the server', () => {
  expect(render('b=1&a=2&__proto__=3&b=0&7=4')).toBe(render('7=4&b=1&b=0&a=2'))
})
