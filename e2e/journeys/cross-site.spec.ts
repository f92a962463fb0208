import { expect } from '../support/journey'
import { testBehindFaults } from '../support/own-desk'
import { cancellationOf, type ListedPayment, takePendingPayment } from '../support/api'
import { readWrites } from '../support/cancellation'
import { signInByForm } from '../support/session'
import { findFreePort } from '@/lib/database/testing/find-free-port'
import { startSite } from '../support/other-sites'

/** The desk under a host name, so that a sibling host of the same site can attack it too. */
const test = testBehindFaults(async () => {
  const port = String(await findFreePort())
  return {
    PORT: port,
    NEXTAUTH_URL: `http://app.shop.test:${port}`,
    NEXTAUTH_SECRET: 'a-secret-for-this-test-of-enough-length',
  }
})

/** All requests that a hostile page can send: forms of all encodings, fetch with and without CORS. */
function attackPage(desk: string, payment: ListedPayment): string {
  const body = JSON.stringify(cancellationOf(payment, 'Forged'))
  const targets = [`${desk}/api/desk/cancellations`, `${desk}/api/service/Payments/${payment.id}`]
  const forms = targets.flatMap((action) =>
    ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'].map(
      (encoding, index) =>
        `<iframe name="f${index}"></iframe><form method="post" target="f${index}" enctype="${encoding}" action="${action}?_method=DELETE">
          <input name='${body.slice(0, -1)},"x":"' value='"}'><input name="_method" value="DELETE"></form>`,
    ),
  )
  return `<!doctype html><title>evil</title>${forms.join('')}
    <script>
      const body = ${JSON.stringify(body)}, targets = ${JSON.stringify(targets)}
      for (const form of document.forms) form.submit()
      const attempts = targets.flatMap((url) => [
        fetch(url, { method: 'POST', mode: 'no-cors', credentials: 'include', body }),
        fetch(url, { method: 'POST', mode: 'no-cors', credentials: 'include', body, headers: { 'content-type': 'text/plain' } }),
        fetch(url, { method: 'POST', credentials: 'include', body, headers: { 'content-type': 'application/json', 'x-debitdesk': '1' } }),
        fetch(url, { method: 'DELETE', credentials: 'include', body, headers: { 'content-type': 'application/json', 'x-debitdesk': '1' } }),
        fetch(url + '?_method=DELETE', { credentials: 'include', mode: 'no-cors' }),
      ])
      Promise.allSettled(attempts).then(() => setTimeout(() => document.body.setAttribute('data-done', ''), 1000))
    </script>`
}

test('pages of other sites, of the same site and without an origin cannot cancel anything', async ({
  pair,
  browser,
}) => {
  test.setTimeout(120_000)
  const context = await browser.newContext({ baseURL: pair.desk.url })
  const page = await context.newPage()
  await signInByForm(page, pair.admin)
  const payment = await takePendingPayment(context.request, `http://127.0.0.1:${new URL(pair.desk.url).port}`).catch(
    () => null,
  )
  const victim = payment ?? (await firstPending(page))
  const attack = attackPage(pair.desk.url, victim)
  const site = await startSite({
    '/': attack,
    '/sandboxed': `<iframe sandbox="allow-scripts allow-forms" src="/"></iframe>`,
  })

  const attempts: string[] = []
  page.on('request', (request) => {
    if (request.url().startsWith(pair.desk.url)) attempts.push(request.method())
  })
  for (const host of ['evil.test', 'sub.shop.test', 'app.shop.test']) {
    const before = attempts.length
    await page.goto(site.origin(host))
    await expect(page.locator('body')).toHaveAttribute('data-done', '', { timeout: 20_000 })
    expect(attempts.length - before).toBeGreaterThan(6)
  }
  await page.goto(`${site.origin('evil.test')}/sandboxed`)
  await expect(page.frameLocator('iframe').locator('body')).toHaveAttribute('data-done', '', { timeout: 20_000 })

  expect(await readWrites(pair.service.dataDir)).toEqual([])
  await site.close()
  await context.close()
})

test('no other page signs a visitor in, or out, or shows the desk in a frame (SE-03, SE-04, XS-07)', async ({
  pair,
  browser,
}) => {
  const context = await browser.newContext({ baseURL: pair.desk.url })
  const page = await context.newPage()
  await signInByForm(page, pair.admin)
  const cookies = async () =>
    (await context.cookies(pair.desk.url))
      .filter(({ name }) => name.includes('session-token'))
      .map(({ value }) => value)
  const before = await cookies()
  const desk = pair.desk.url
  const form = (name: string, action: string, fields: Record<string, string>) =>
    `<iframe name="${name}"></iframe><form method="post" target="${name}" action="${desk}/api/auth/${action}">${Object.entries(
      fields,
    )
      .map(([field, value]) => `<input name="${field}" value="${value}">`)
      .join('')}</form>`
  const attack = `<!doctype html><title>evil</title>
    ${form('a', 'callback/credentials', { email: 'thief@example.com', password: 'his own password', csrfToken: 'x' })}
    ${form('b', 'signout', { csrfToken: 'x' })}
    <script>
      function onFramed(framed) {
        framed.contentWindow.postMessage({ type: 'sign-out' }, '*')
        setTimeout(() => document.body.setAttribute('data-done', ''), 1500)
      }
    </script>
    <iframe src="${desk}/payments" onload="onFramed(this)"></iframe><img src="${desk}/api/auth/signout">
    <script>
      for (const form of document.forms) form.submit()
      addEventListener('message', () => document.body.setAttribute('data-heard', ''))
      const opened = open('${desk}/payments')
      setTimeout(() => document.body.setAttribute('data-opened', String(opened === null || opened.closed)), 1000)
    </script>`
  const site = await startSite({ '/': attack })
  for (const host of ['evil.test', 'sub.shop.test']) {
    await page.goto(site.origin(host))
    await expect(page.locator('body')).toHaveAttribute('data-done', '', { timeout: 20_000 })
    const framed = page.frames().find((frame) => frame.parentFrame() && frame.url().includes('/payments'))
    expect(framed ? await framed.locator('[data-row-id]').count() : 0).toBe(0)
    expect(await cookies()).toEqual(before)
    await page.goto(`${desk}/payments`)
    await expect(page.getByText(pair.admin.email)).toBeVisible()
  }
  await site.close()
  await context.close()
})

/** The first pending payment that the page itself can read. */
function firstPending(page: import('@playwright/test').Page): Promise<ListedPayment> {
  return page.evaluate(async () => {
    const response = await fetch("/api/service/Payments?filter=status%20eq%20'Pending'&limit=1", {
      headers: { 'x-debitdesk': '1' },
    })
    const { results } = await response.json()
    return results[0]
  })
}
