import { afterAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Setting } from '../../src/config/setting.ts'
import { settings } from '../../src/config/variables.ts'
import { root } from '../support/source-files.ts'
import { cleanUp, cork, createFolder } from './cork.ts'

afterAll(cleanUp)

const runConfig = (args: string[], env: Record<string, string> = {}) =>
  cork(['config', ...args], { env: { DATABASE_URL: '', ...env } })

test('cork config lists every setting with its origin and masks secrets', async () => {
  const data = createFolder()
  const secret = 'nobody may read this'
  const { out, code, err } = await runConfig(['--json', '--data', data], {
    CORK_PORT: '4000',
    CORK_SECRET: secret,
    CORK_TOKEN: 'cork_topsecret',
    DATABASE_URL: 'postgres://cork:geheim@db.example.com/cork',
  })
  expect([code, err]).toEqual([0, ''])
  const settings = new Map(JSON.parse(out).map((one: { name: string }) => [one.name, one]))
  expect(settings.get('CORK_DATA')).toMatchObject({ value: data, origin: 'flag' })
  expect(settings.get('CORK_PORT')).toMatchObject({ value: '4000', origin: 'environment' })
  expect(settings.get('CORK_HOST')).toMatchObject({ value: '127.0.0.1', origin: 'default' })
  expect(settings.get('CORK_URL')).toMatchObject({ value: null, origin: 'default' })
  expect(settings.get('DATABASE_URL')).toMatchObject({
    value: 'postgres://cork:***@db.example.com/cork',
  })
  for (const hidden of [secret, 'geheim', 'topsecret']) expect(out).not.toContain(hidden)
})

test('an unknown CORK_ variable causes a warning with the nearest name', async () => {
  const { code, err, out } = await runConfig([], { CORK_PROT: '1', CORK_SOMETHING_ELSE: '1' })
  expect(code).toBe(0)
  expect(err).toContain('CORK_PROT is not a setting of this program; did you mean CORK_PORT?')
  expect(err).toContain('CORK_SOMETHING_ELSE is not a setting of this program')
  expect(out).toContain('CORK_LOG_LEVEL')
})

test('an invalid setting is reported, and the command fails', async () => {
  const { code, err } = await runConfig([], { CORK_PORT: 'x', DATABASE_URL: 'mysql://db/cork' })
  expect(code).toBe(1)
  expect(err).toContain('CORK_PORT must be a whole number')
  expect(err).toContain('DATABASE_URL must begin with postgres://')
})

/** The table of settings in docs/configuration.md. */
const settingsTable = (): string =>
  [
    '| variable | flag | default | what it does |',
    '|---|---|---|---|',
    ...Object.values<Setting<unknown>>(settings).map(
      ({ name, flag, defaultText, about }) =>
        `| \`${name}\` | ${flag ? `\`--${flag}\`` : ''} | ${defaultText && `\`${defaultText}\``} | ${about} |`,
    ),
  ].join('\n')

test('docs/configuration.md lists every setting as the program does', () => {
  const docs = readFileSync(join(root, 'docs/configuration.md'), 'utf8')
  expect(docs).toContain(settingsTable())
})

const OPERATOR_PAGES = [
  ...['accounts', 'attachments', 'backup', 'configuration', 'databases', 'email', 'export-import'],
  ...['monitoring', 'upgrade', 'webhooks'],
]

/** The cork commands of the examples, each split into words. */
const examples = (text: string) =>
  [...text.matchAll(/```(?:sh|cron)\n([\s\S]*?)```/g)]
    .flatMap(([, block]) => block!.match(/\bcork [^\n<#]*/g) ?? [])
    .map((line) => line.trim().split(/ +/).slice(1))

const unknownCommands = async (lines: string[][]) => {
  const runs = await Promise.all(lines.map((words) => cork([...words, '--help'])))
  return runs.flatMap(({ code, err }) => (code ? err : []))
}

test('the operator docs use only commands and flags that exist', async () => {
  const docs = OPERATOR_PAGES.flatMap((page) =>
    examples(readFileSync(join(root, `docs/${page}.md`), 'utf8')),
  )
  expect(docs.length).toBeGreaterThan(20)
  expect(
    await unknownCommands([
      ['user', 'ad'],
      ['backup', 'x', '--gently'],
    ]),
  ).toHaveLength(2)
  expect(await unknownCommands(docs)).toEqual([])
})
