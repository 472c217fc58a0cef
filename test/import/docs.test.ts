import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Fate } from '../../src/import/fields.ts'
import type { Source } from '../../src/import/source.ts'
import { SOURCES } from '../../src/import/sources/index.ts'

const PAGE = join(import.meta.dir, '../../docs/import.md')

const sources = await Promise.all(Object.values(SOURCES).map((load) => load()))

const firstUpper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

function outcomeOf(fate: Fate): string {
  if (typeof fate === 'string') return fate
  const [label, reason] = 'lost' in fate ? ['Lost', fate.lost] : ['Not needed', fate.unneeded]
  return `${label}: ${firstUpper(reason.replace(/\.$/, ''))}`
}

const orderOf = (fate: Fate) => (typeof fate === 'string' ? 0 : 'lost' in fate ? 1 : 2)
const cell = (text: string) => text.replace(/([|<_*\\])/g, '\\$1')

/** A row for each outcome, with the fields that have it: first what is imported. */
function fieldTable({ fields }: Source): string[] {
  const rows = new Map<string, string[]>()
  const sorted = Object.entries(fields).sort(([, a], [, b]) => orderOf(a) - orderOf(b))
  for (const [path, fate] of sorted) {
    const outcome = outcomeOf(fate)
    rows.set(outcome, [...(rows.get(outcome) ?? []), `\`${path}\``])
  }
  return [
    '| field | in Corkboard |',
    '|---|---|',
    ...[...rows].map(([outcome, paths]) => `| ${paths.join(', ')} | ${cell(outcome)} |`),
  ]
}

/** What to export, how to name the source, and the table of its fields. */
function sectionOf(source: Source): string {
  const { name, title, accepts, api } = source
  const token = api ? ` For an address, set \`${api.token}\`.` : ''
  return [
    `### ${title}`,
    '',
    `${accepts.replace(/\.$/, '')}.`,
    `Its name is \`${name}\`.${token}`,
    '',
    ...fieldTable(source),
  ].join('\n')
}

const beginOf = (source: Source) => `\n### ${source.title}\n`

/** The generated part of the page: from the section of the first source to the end. */
const generated = `${sources.map(sectionOf).join('\n\n')}\n`

test('docs/import.md says what becomes of each field of each source', () => {
  const text = readFileSync(PAGE, 'utf8')
  const begin = text.indexOf(beginOf(sources[0]!)) + 1
  expect(begin).toBeGreaterThan(0)
  if (process.env.CORK_UPDATE) writeFileSync(PAGE, text.slice(0, begin) + generated)
  const lines = readFileSync(PAGE, 'utf8').slice(begin).split('\n')
  const expected = generated.split('\n')
  const message = 'To update docs/import.md, run this test with CORK_UPDATE=1'
  expect(
    expected.filter((line) => !lines.includes(line)),
    message,
  ).toEqual([])
  expect(lines, message).toEqual(expected)
})

test('the table has a row for each outcome, and what is not imported comes last', () => {
  const table = fieldTable({
    ...sources[0]!,
    fields: {
      a: { unneeded: 'technical id.' },
      b: 'task title',
      'c[].d': { lost: 'tasks | have no mood' },
      e: 'task title',
      f: { unneeded: 'technical id' },
    },
  })
  expect(table.slice(2)).toEqual([
    '| `b`, `e` | task title |',
    '| `c[].d` | Lost: Tasks \\| have no mood |',
    '| `a`, `f` | Not needed: Technical id |',
  ])
})
