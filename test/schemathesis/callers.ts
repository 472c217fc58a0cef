import { join } from 'node:path'
import { SCOPES } from '../../src/kernel/caller.ts'
import { cork, createFolder, sendRequest, startServer } from '../binary/cork.ts'

export const KINDS = ['owner', 'member', 'guest', 'agent', 'read-only key'] as const
export type Kind = (typeof KINDS)[number]

/** Turns off the rate limits and the limit of text processing time. */
const UNLIMITED = {
  CORK_RATE_LIMIT_BASE: '0',
  CORK_RATE_LIMIT_AGENT: '0',
  CORK_TEXT_SECONDS: '0',
  CORK_LOG_LEVEL: 'error',
}

/** Starts a server with the demo's board and creates a credential of that kind. */
export async function startServerFor(kind: Kind) {
  const data = join(createFolder(), 'data')
  const server = await startServer(data, { args: ['--demo'], env: UNLIMITED })
  const printedSecret = (name: string) => {
    const secret = new RegExp(`^ *${name} +(\\S+)$`, 'm').exec(server.out())?.[1]
    if (!secret) throw new Error(`The demo shows no ${name}`)
    return secret
  }
  await waitForSecrets(server.out)
  const owner = printedSecret('API key')
  const secret = await createSecret(kind, {
    url: server.url,
    data,
    owner,
    token: printedSecret('Agent token'),
  })
  return { url: server.url, secret, err: server.err, close: () => server.end('SIGKILL') }
}

/** The server prints its URL first and the secrets later. */
async function waitForSecrets(out: () => string): Promise<void> {
  for (let tries = 0; !out().includes('None of these is shown again'); tries++) {
    if (tries > 600) throw new Error(`The demo did not start: ${out()}`)
    await Bun.sleep(100)
  }
}

interface DemoServer {
  url: string
  data: string
  owner: string
  token: string
}

async function createSecret(kind: Kind, { url, data, owner, token }: DemoServer): Promise<string> {
  if (kind === 'agent') return token
  if (kind === 'read-only key') {
    const scopes = SCOPES.filter((scope) => scope.endsWith(':read'))
    const response = await sendRequest(url, owner, 'POST', '/api/v1/api-keys', {
      name: 'Reading',
      scopes,
    })
    return response.body.data.key
  }
  if (kind === 'owner') return owner
  const email = `${kind}@example.com`
  const flags = ['--email', email, '--name', kind, '--team', 'Lighthouse', '--role', kind]
  const { out, err, code } = await cork(['user', 'add', ...flags, '--json', '--data', data])
  if (code !== 0) throw new Error(`cork user add failed: ${err}`)
  // A guest sees only the boards to which somebody invited them.
  const invitation = { member_identifier: email }
  if (kind === 'guest')
    await sendRequest(url, owner, 'POST', '/api/v1/projects/1/members', invitation)
  return JSON.parse(out).api_key
}
