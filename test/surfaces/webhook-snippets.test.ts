import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { emptyFolder } from '../support/database.ts'

/** The snippets for receivers of webhooks in docs/agents.md, run as they are written there. */
const page = await Bun.file(join(import.meta.dir, '../../docs/agents.md')).text()
const snippet = (language: string) =>
  new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(page)![1]!

type Verify = (secret: string, headers: Record<string, string>, body: string) => Promise<boolean>

const writeSnippet = async (name: string, text: string) => {
  const path = join(emptyFolder(), name)
  await Bun.write(path, text)
  return path
}

async function loadTypeScript(): Promise<Verify> {
  const { verified } = await import(await writeSnippet('verify.ts', snippet('ts')))
  return async (...args) => verified(...args)
}

async function loadPython(): Promise<Verify> {
  const main = '\nimport json, sys\nprint(verified(*json.load(sys.stdin)))\n'
  const path = await writeSnippet('verify.py', snippet('python') + main)
  return async (...args) => {
    const run = Bun.spawn(['python3', path], {
      stdin: new Blob([JSON.stringify(args)]),
      stderr: 'inherit',
    })
    return (await new Response(run.stdout).text()).trim() === 'True'
  }
}

const secret = `whsec_${Buffer.from('thirty-two bytes for every secret').toString('base64')}`
const other = `whsec_${Buffer.from('another secret that nobody shared').toString('base64')}`
const body = '{"type":"task.assigned","data":{"title":"Grün – 日本"}}'

function signHeaders(signingSecret: string, at = new Date()) {
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(signingSecret).sign('msg_1', at, body),
  }
}

const isMissing = (language: string) => language === 'Python' && !Bun.which('python3')

describe('the snippets for receivers of webhooks in docs/agents.md', () => {
  for (const [language, load] of Object.entries({ TypeScript: loadTypeScript, Python: loadPython }))
    test.skipIf(isMissing(language))(
      `accept a valid signature in ${language} and reject any other`,
      async () => {
        const verify = await load()
        const headers = signHeaders(secret)
        expect(await verify(secret, headers, body)).toBe(true)
        // While a secret is rotated, both secrets sign.
        const both = `${signHeaders(other)['webhook-signature']} ${headers['webhook-signature']}`
        expect(await verify(secret, { ...headers, 'webhook-signature': both }, body)).toBe(true)
        expect(await verify(other, headers, body)).toBe(false)
        expect(await verify(secret, headers, body.replace('Gr', 'gr'))).toBe(false)
        expect(await verify(secret, { ...headers, 'webhook-id': 'msg_2' }, body)).toBe(false)
        expect(
          await verify(secret, signHeaders(secret, new Date(Date.now() - 600_000)), body),
        ).toBe(false)
        expect(await verify(secret, { ...headers, 'webhook-signature': 'v1,' }, body)).toBe(false)
      },
    )
})
