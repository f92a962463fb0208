import { CommandFailure } from '../run/command-failure.mjs'

const keep = (cookies, reply) => {
  for (const line of reply.headers.getSetCookie()) {
    const [pair] = line.split(';')
    const at = pair.indexOf('=')
    cookies.set(pair.slice(0, at), pair.slice(at + 1))
  }
}

/**
 * Signs in at `desk` without a page. Answers `call(path, { method, body, allowed })`, which sends what the desk's own
 * browser code sends and reads the reply to its end: { status, text }; and `signOut()`. A status beyond `allowed` is a
 * CommandFailure, there and at signing in and out.
 */
export async function signInByCall(desk, { email, password }) {
  const cookies = new Map()
  const origin = new URL(desk).origin
  const ask = async (path, { method = 'GET', body, type = 'application/json' } = {}) => {
    const reply = await fetch(`${desk}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        'x-debitdesk': '1',
        origin,
        'sec-fetch-site': 'same-origin',
        'accept-encoding': 'gzip, br',
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body === undefined ? {} : { 'content-type': type }),
      },
      body,
    })
    keep(cookies, reply)
    return { status: reply.status, text: await reply.text() }
  }
  // As browsers do: a read whose kept connection the desk closes just then is sent once more.
  const send = (path, options = {}) =>
    ask(path, options).catch((error) => {
      if (options.method && options.method !== 'GET') throw error
      return ask(path, options)
    })
  const check = async (path, { allowed = [200], ...options } = {}) => {
    const reply = await send(path, options)
    if (allowed.includes(reply.status)) return reply
    throw new CommandFailure(`${options.method ?? 'GET'} ${path} answered ${reply.status}: ${reply.text.slice(0, 300)}`)
  }
  const post = async (action, fields) => {
    const { csrfToken } = JSON.parse((await check('/api/auth/csrf')).text)
    const body = new URLSearchParams({ ...fields, csrfToken, json: 'true' }).toString()
    return check(`/api/auth/${action}`, { method: 'POST', body, type: 'application/x-www-form-urlencoded' })
  }
  await post('callback/credentials', { email, password })
  return {
    call: (path, { body, ...options } = {}) =>
      check(path, { ...options, body: body === undefined ? undefined : JSON.stringify(body) }),
    signOut: () => post('signout', {}),
  }
}
