import { existsSync } from 'node:fs'
import { CommandError, root } from './support/command.mjs'
import { runPlaywright } from './support/playwright'
import { readArguments } from './support/read-arguments'

const usage = `Usage: npm run smoke -- --base-url URL [--email E-MAIL --password PASSWORD] [--language da]
The sign-in may also stand in SMOKE_EMAIL and SMOKE_PASSWORD.`

const { values } = readArguments(usage, {
  options: {
    'base-url': { type: 'string' },
    email: { type: 'string' },
    password: { type: 'string' },
    language: { type: 'string', default: 'en' },
  },
})
const baseUrl = values['base-url'] ?? process.env.SMOKE_BASE_URL
const email = values.email ?? process.env.SMOKE_EMAIL
const password = values.password ?? process.env.SMOKE_PASSWORD
if (!baseUrl || !URL.canParse(baseUrl)) throw new CommandError(`The address of a running desk is needed.\n${usage}`)
if (!email || !password) throw new CommandError(`A sign-in at that desk is needed.\n${usage}`)
const { language } = values
if (!existsSync(`${root}/messages/${language}.json`))
  throw new CommandError(`There is no language ${language}.\n${usage}`)
const env = { SMOKE_BASE_URL: baseUrl, SMOKE_EMAIL: email, SMOKE_PASSWORD: password, SMOKE_LANGUAGE: language }
const { code } = await runPlaywright(['--project=smoke'], env)
process.exit(code)
