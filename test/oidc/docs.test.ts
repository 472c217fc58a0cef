import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig, unknownVariables } from '../../src/config/index.ts'

const page = readFileSync(join(import.meta.dir, '../../docs/sign-in.md'), 'utf8')
const source = [
  'oidc/problems',
  'server/issuer-refusals',
  'features/identity/accounts/model/issuer-roles',
]
  .map((file) => readFileSync(join(import.meta.dir, '../../src', `${file}.ts`), 'utf8'))
  .join('\n')

const BASE = { CORK_OIDC_ISSUER: 'https://id.example.com', CORK_OIDC_CLIENT_ID: 'board' }

/** The variables that each shell example sets. */
const examples = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) =>
  Object.fromEntries(
    [...block.matchAll(/^export (\w+)=(?:'([^']*)'|(\S+))$/gm)].map(([, name, quoted, plain]) => [
      name!,
      quoted ?? plain!,
    ]),
  ),
)

test('every example of docs/sign-in.md is a valid configuration', () => {
  expect(examples.length).toBeGreaterThan(8)
  for (const env of examples) {
    expect(Object.keys(env).length).toBeGreaterThan(0)
    expect(unknownVariables(env)).toEqual([])
    expect(readConfig({ ...BASE, ...env }).issuers.length).toBeGreaterThan(0)
  }
})

test('the log messages that docs/sign-in.md explains exist', () => {
  const table = page.slice(page.indexOf('| The log says |'))
  const messages = [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, message = '']) => message)
  expect(messages.length).toBeGreaterThan(8)
  for (const message of messages)
    for (const part of message.split('…'))
      expect(source.replaceAll(/\$\{prefix\}/g, 'CORK_OIDC_')).toContain(part.trim())
})
