import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ProviderButton, SignInForm } from './sign-in-form'

type Sent = { path: string; body: string }

let sent: Sent[]

/** Fake network: next-auth's token, then this reply to the post (null: none). */
function answer(reply: Response | null): void {
  vi.stubGlobal('fetch', async (path: string, options: { body?: URLSearchParams } = {}) => {
    sent.push({ path, body: options.body?.toString() ?? '' })
    if (path.endsWith('/csrf')) return Response.json({ csrfToken: 'token' })
    if (!reply) throw new TypeError('failed to fetch')
    return reply
  })
}

beforeEach(() => {
  sent = []
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function fill(): void {
  fireEvent.change(screen.getByLabelText('Email'), { target: { value: 'ann@example.com' } })
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: ' spaced ' } })
  fireEvent.click(screen.getByRole('button', { name: 'Sign in' }))
}

it.each<[status: number, headers: Record<string, string>, words: RegExp]>([
  [401, {}, /^Incorrect email or password\.$/u],
  [429, { 'retry-after': '840' }, /Try again in 14 minutes/u],
  [429, { 'retry-after': '5' }, /Try again in a minute/u],
  [429, {}, /Try again in a few minutes/u],
  [503, {}, /Try again in a moment/u],
  [403, {}, /different address/u],
])('%i is told in words, and what was typed stays', async (status, headers, words) => {
  answer(new Response('{}', { status, headers }))
  render(<SignInForm destination="/payments" refused={false} />)
  fill()
  expect((await screen.findByRole('alert')).textContent).toMatch(words)
  expect(screen.getByLabelText('Email')).toHaveProperty('value', 'ann@example.com')
  expect(document.activeElement).toBe(screen.getByLabelText('Password'))
  // Only blame a field if other input would help.
  expect(screen.getByLabelText('Email').getAttribute('aria-invalid')).toBe(status === 401 ? 'true' : null)
})

it('sends the fields as typed beside the token, and the way back', async () => {
  answer(new Response('{}', { status: 401 }))
  render(<SignInForm destination="/payments?status=Pending" refused={false} />)
  fill()
  await screen.findByRole('alert')
  const [, post] = sent
  expect(post?.path).toBe('/api/auth/callback/credentials')
  expect(Object.fromEntries(new URLSearchParams(post?.body))).toEqual({
    email: 'ann@example.com',
    password: ' spaced ',
    callbackUrl: '/payments?status=Pending',
    csrfToken: 'token',
    json: 'true',
  })
})

it('says when nothing answers, and when the browser kept no cookie', async () => {
  answer(null)
  render(<SignInForm destination="/" refused={false} />)
  fill()
  expect((await screen.findByRole('alert')).textContent).toContain('can’t be reached')
  answer(Response.json({ url: 'http://127.0.0.1:3000/api/auth/signin?csrf=true' }))
  fill()
  await vi.waitFor(() => expect(screen.getByRole('alert').textContent).toContain('cookies'))
})

it('is sent once by an impatient hand', async () => {
  answer(new Response('{}', { status: 401 }))
  render(<SignInForm destination="/" refused={false} />)
  fill()
  fireEvent.click(screen.getByRole('button', { name: 'Sign in' }))
  await screen.findByRole('alert')
  expect(sent.filter(({ path }) => path.includes('callback'))).toHaveLength(1)
})

it('shows the password and hides it again', () => {
  render(<SignInForm destination="/" refused={false} />)
  const field = screen.getByLabelText('Password')
  fireEvent.click(screen.getByRole('button', { name: 'Show' }))
  expect(field).toHaveProperty('type', 'text')
  fireEvent.click(screen.getByRole('button', { name: 'Hide' }))
  expect(field).toHaveProperty('type', 'password')
})

it('posts even before React runs, so that no password ends in an address', () => {
  render(<SignInForm destination="/" refused />)
  const form = screen.getByLabelText('Email').closest('form')
  expect(form?.method).toBe('post')
  expect(screen.getByRole('alert').textContent).toContain('Incorrect email or password.')
})

it('is taken over by React as the server sent it, with what was typed before', async () => {
  const complaints = vi.spyOn(console, 'error')
  const element = <SignInForm destination="/payments" refused={false} />
  const container = document.createElement('div')
  container.innerHTML = renderToString(element)
  document.body.append(container)
  const button = screen.getByRole('button', { name: 'Sign in' })
  expect(button).toHaveProperty('disabled', true)
  fireEvent.change(screen.getByLabelText('Email'), { target: { value: 'typed@early.example' } })
  render(element, { container, hydrate: true })
  await vi.waitFor(() => expect(button).toHaveProperty('disabled', false))
  expect(screen.getByLabelText('Email')).toHaveProperty('value', 'typed@early.example')
  expect(complaints.mock.calls).toEqual([])
})

it.each([
  ['/api/auth/signin?csrf=true', 'Signing in needs cookies'],
  ['/api/auth/error?error=OAuthSignin', 'login.example can’t be reached'],
])('the way to the provider that ends at %s says why', async (path, words) => {
  answer(Response.json({ url: `http://127.0.0.1:3000${path}` }))
  render(<ProviderButton name="login.example" destination="/" />)
  fireEvent.click(screen.getByRole('button', { name: 'Sign in with login.example' }))
  expect((await screen.findByRole('alert')).textContent).toContain(words)
})
