import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import { AUTHORIZE_ATTACKS } from './attacks-authorize.ts'
import { CLIENT_ATTACKS } from './attacks-client.ts'
import { RESOURCE_ATTACKS } from './attacks-resource.ts'
import { TOKEN_ATTACKS } from './attacks-token.ts'

const ATTACKS = [...AUTHORIZE_ATTACKS, ...CLIENT_ATTACKS, ...RESOURCE_ATTACKS, ...TOKEN_ATTACKS]

test('every test that docs/oauth.md names exists', () => {
  const docs = readFileSync('docs/oauth.md', 'utf8')
  const table = docs.slice(docs.indexOf('| The server MUST | Test |'))
  const named = [...table.matchAll(/\| `([^`]+)` \|$/gm)].map(([, name]) => name!)
  const sources = [...new Glob('*.test.ts').scanSync(import.meta.dir)]
    .map((file) => readFileSync(join(import.meta.dir, file), 'utf8'))
    .join()
  const attacks = ATTACKS.map(({ name }) => `${name} is refused`)
  const missing = named.filter((name) => !attacks.includes(name) && !sources.includes(`'${name}'`))
  expect(named.length).toBeGreaterThan(15)
  expect(missing).toEqual([])
})
