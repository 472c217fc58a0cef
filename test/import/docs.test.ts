import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Fate } from '../../src/import/fields.ts'
import type { Source } from '../../src/import/source.ts'
import { SOURCES } from '../../src/import/sources/index.ts'

const PAGE = join(import.meta.dir, '../../docs/import.md')

const sources = await Promise.all(Object.values(SOURCES).map((load) => load()))

type Kind = 'imported' | 'lost' | 'unneeded'
type Fields = Pick<Source, 'fields'>

/** A reason as the item of a list. */
const asItem = (reason: string) =>
  reason.charAt(0).toUpperCase() + reason.slice(1).replace(/\.$/, '')

function outcomeOf(fate: Fate): [kind: Kind, text: string] {
  if (typeof fate === 'string') return ['imported', fate]
  return 'lost' in fate ? ['lost', asItem(fate.lost)] : ['unneeded', asItem(fate.unneeded)]
}

/** The fields of one kind, by the text that says what becomes of them. */
function groupFields({ fields }: Fields, wanted: Kind): [text: string, paths: string[]][] {
  const groups = new Map<string, string[]>()
  for (const [path, fate] of Object.entries(fields)) {
    const [kind, text] = outcomeOf(fate)
    const escaped = text.replace(/([|<_*\\])/g, '\\$1')
    if (kind === wanted) groups.set(escaped, [...(groups.get(escaped) ?? []), `\`${path}\``])
  }
  return [...groups]
}

/** Nothing if there are no fields of the kind. */
function listOf(source: Fields, kind: Kind, heading: string): string[] {
  const items = groupFields(source, kind).map(([text, paths]) => `- ${text}: ${paths.join(', ')}`)
  return items.length ? ['', `**${heading}:**`, '', ...items] : []
}

/** What becomes of the fields of a source: first what is imported. */
const fieldLines = (source: Fields): string[] => [
  '| field | in Corkboard |',
  '|---|---|',
  ...groupFields(source, 'imported').map(([text, paths]) => `| ${paths.join('<br>')} | ${text} |`),
  ...listOf(source, 'lost', 'Lost'),
  ...listOf(source, 'unneeded', 'Not needed'),
]

/** What to export, how to name the source, and its fields. */
function sectionOf(source: Source): string {
  const { name, title, accepts, inFolder, api } = source
  return [
    `### ${title}`,
    '',
    `${accepts.replace(/\.$/, '')}.`,
    [
      `Its name is \`${name}\`.`,
      ...(api ? [`For an address, set \`${api.token}\`.`] : []),
      ...(inFolder ? [] : ['Name its files: it does not search folders.']),
    ].join(' '),
    '',
    ...fieldLines(source),
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

test('docs/import.md says how to get the token of each source that downloads', () => {
  const text = readFileSync(PAGE, 'utf8')
  const rows = sources.flatMap(({ title, api }) => (api ? [`| ${title} | \`${api.token}\` |`] : []))
  expect(rows.length).toBeGreaterThan(10)
  expect(rows.filter((row) => !text.includes(row))).toEqual([])
})

test('fields are grouped by what becomes of them, and what is not imported comes last', () => {
  const lines = fieldLines({
    fields: {
      a: { unneeded: 'technical id.' },
      b: 'task title',
      'c[].d': { lost: 'tasks | have no mood' },
      e: 'task title',
      f: { unneeded: 'technical id' },
    },
  })
  expect(lines).toEqual([
    '| field | in Corkboard |',
    '|---|---|',
    '| `b`<br>`e` | task title |',
    ...['', '**Lost:**', '', '- Tasks \\| have no mood: `c[].d`'],
    ...['', '**Not needed:**', '', '- Technical id: `a`, `f`'],
  ])
})
