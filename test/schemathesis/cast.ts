import { join } from 'node:path'
import { SCOPES } from '../../src/kernel/caller.ts'
import { ask, cork, folder, serving } from '../binary/cork.ts'

export const KINDS = ['owner', 'member', 'guest', 'agent', 'read-only key'] as const
export type Kind = (typeof KINDS)[number]

/** No limits of requests, and none of the time that the texts of a caller may take. */
const UNLIMITED = {
  CORK_RATE_LIMIT_BASE: '0',
  CORK_RATE_LIMIT_AGENT: '0',
  CORK_TEXT_SECONDS: '0',
  CORK_LOG_LEVEL: 'error',
}

/** A server of its own with the demo's board, and one credential of that kind. */
export async function openFor(kind: Kind) {
  const data = join(folder(), 'data')
  const server = await serving(data, { args: ['--demo'], env: UNLIMITED })
  const shown = (name: string) => {
    const secret = new RegExp(`^ *${name} +(\\S+)$`, 'm').exec(server.out())?.[1]
    if (!secret) throw new Error(`The demo shows no ${name}`)
    return secret
  }
  await printed(server.out)
  const owner = shown('API key')
  const secret = await secretOf(kind, { url: server.url, data, owner, token: shown('Agent token') })
  return { url: server.url, secret, err: server.err, close: () => server.end('SIGKILL') }
}

/** The address is printed first, and the secrets after it. */
async function printed(out: () => string): Promise<void> {
  for (let tries = 0; !out().includes('None of these is shown again'); tries++) {
    if (tries > 600) throw new Error(`The demo did not start: ${out()}`)
    await Bun.sleep(100)
  }
}

interface House {
  url: string
  data: string
  owner: string
  token: string
}

async function secretOf(kind: Kind, { url, data, owner, token }: House): Promise<string> {
  if (kind === 'agent') return token
  if (kind === 'read-only key') {
    const scopes = SCOPES.filter((scope) => scope.endsWith(':read'))
    const made = await ask(url, owner, 'POST', '/api/v1/api-keys', { name: 'Reading', scopes })
    return made.body.data.key
  }
  if (kind === 'owner') return owner
  const email = `${kind}@example.com`
  const who = ['--email', email, '--name', kind, '--team', 'Lighthouse', '--role', kind]
  const { out, err, code } = await cork(['user', 'add', ...who, '--json', '--data', data])
  if (code !== 0) throw new Error(`cork user add failed: ${err}`)
  // A guest sees only the boards to which somebody invited them.
  const invitation = { member_identifier: email }
  if (kind === 'guest') await ask(url, owner, 'POST', '/api/v1/projects/1/members', invitation)
  return JSON.parse(out).api_key
}
