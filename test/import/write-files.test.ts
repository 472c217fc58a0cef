import { expect, test } from 'bun:test'
import { editJson } from '../../src/import/edit-json.ts'
import type { SharedFields, TaskChange } from '../../src/import/file-writer.ts'
import { textFile } from '../../src/import/source.ts'
import { FrontMatter } from '../../src/import/sources/backlog/edit-front-matter.ts'
import { FORMATS } from '../../src/import/sources/formats.ts'
import { fixtureFiles } from './read-source.ts'

const NOW = '2026-05-01T10:00:00Z'
type Change = Pick<TaskChange, 'id' | 'set'> & Partial<TaskChange>

/** The changed files after changes of tasks, by their paths. */
async function written(source: string, files: Record<string, string>, ...changes: Change[]) {
  const format = await FORMATS[source]!()
  const all = Object.entries(files).map(([path, text]) => textFile(path, text))
  const writer = await format.open(all, { now: NOW, taken: [] })
  for (const change of changes) {
    const nothing = { addComments: [], editComments: [], removeComments: [] }
    writer.update({ column: 'To Do', done: false, ...nothing, ...change })
  }
  return Object.fromEntries(writer.changedFiles())
}

const PIER = 'backlog/tasks/pier-1 - Survey-the-pier.md'
const CONFIG = 'backlog/config.yml'

/** The fixture of Backlog.md, in which a file has nearly everything. */
async function pier(): Promise<Record<string, string>> {
  const files = await fixtureFiles('backlog')
  const texts = await Promise.all(
    files.map(async ({ bytes }) =>
      new TextDecoder('utf-8', { ignoreBOM: true }).decode(await bytes()),
    ),
  )
  return Object.fromEntries(files.map(({ path }, at) => [path, texts[at]!]))
}

const touched = (text: string) =>
  text.replace("updated_date: '2026-03-02 10:00'", "updated_date: '2026-05-01 10:00'")

test('each field of a file of Backlog.md changes in its line, and everything else stays', async () => {
  const files = await pier()
  const before = files[PIER]!
  const edits: [Partial<SharedFields>, string, string][] = [
    [{ title: "Olga's pier" }, "'Survey the pier: all piles'", "'Olga''s pier'"],
    [{ column: 'Done' }, 'status: ◒ In Progress', 'status: Done'],
    [{ priority: 4 }, 'priority: high', 'priority: low'],
    [{ priority: 0 }, 'priority: high\n', ''],
    [{ assignees: ['ben', 'olga'] }, "[@ana, 'ben']", "['ben', '@olga']"],
    [{ labels: ['wood', 'oak', 'survey'] }, '  - pier\n  - wood', '  - wood\n  - oak'],
    [{ labels: ['pier', 'wood'] }, 'tags: [survey]', 'tags: []'],
    [{ due_date: '2026-06-01' }, "'2026-03-31 23:59'", "'2026-06-01 23:59'"],
    [{ due_date: '2026-06-01T08:30:00Z' }, "'2026-03-31 23:59'", "'2026-06-01 08:30'"],
    [{ due_date: null }, "due_date: '2026-03-31 23:59'\n", ''],
    [{ dependencies: ['PIER-2'] }, 'blocked_by:\n  - pier-3\n', 'blocked_by: []\n'],
  ]
  for (const [set, from, to] of edits) {
    const after = (await written('backlog', files, { id: 'PIER-1', set }))[PIER]
    const expected = touched(before.replace(from, to))
    if (set.dependencies)
      expect(after).toBe(expected.replace('["pier-002", "PIER-99", "PIER-1"]', '["pier-002"]'))
    else expect(after).toBe(expected)
  }
})

test('a section of a description changes between its markers', async () => {
  const files = await pier()
  const before = files[PIER]!
  const { backlog } = await import('../../src/import/sources/backlog/index.ts')
  const { readSource, recordsOf } = await import('./read-source.ts')
  const reading = await readSource(backlog, await fixtureFiles('backlog'))
  const { description = '' } = recordsOf(reading, 'task').find(({ id }) => id === 'PIER-1')!
  const set = { description: description.replace('Low tide only.', 'High tide.') }
  const after = await written('backlog', files, { id: 'PIER-1', set })
  expect(after[PIER]).toBe(touched(before.replace('Low tide only.', 'High tide.')))
  const checked = { description: description.replace('[ ] The report', '[x] The report') }
  expect((await written('backlog', files, { id: 'PIER-1', set: checked }))[PIER]).toBe(
    touched(before.replace('[ ] #2 The report', '[x] #2 The report')),
  )
  const same = await written('backlog', files, { id: 'PIER-1', set: { description } })
  expect(same).toEqual({})
})

test('comments of Backlog.md are added, changed and removed in their section', async () => {
  const files = await pier()
  const before = files[PIER]!
  const change = (edit: Partial<TaskChange>) =>
    written('backlog', files, { id: 'PIER-1', set: {}, ...edit }).then((after) => after[PIER])
  const id = 'PIER-1:2026-03-02 08:00'
  expect(await change({ editComments: [{ id, text: 'Steel.' }] })).toBe(
    touched(before.replace('Steel is *here*.', 'Steel.')),
  )
  expect(await change({ removeComments: [`${id}#2`] })).toBe(
    touched(before.replace('\ncreated: 2026-03-02 08:00\n---\nTwo lines\nof text\n---\n', '')),
  )
  const comment = { author: 'Ana', text: 'a\n---\nb', created_at: NOW }
  expect(await change({ addComments: [comment] })).toBe(
    touched(
      before.replace(
        '<!-- COMMENTS:END -->',
        '\nauthor: Ana\ncreated: 2026-05-01 10:00\n---\na\n***\nb\n---\n<!-- COMMENTS:END -->',
      ),
    ),
  )
})

test('Windows line ends and a byte order mark stay in a file', async () => {
  const path = 'backlog/tasks/task-1 - Sail.md'
  const text =
    '\uFEFF---\r\nid: TASK-1\r\ntitle: Sail # north\r\nmoon: full\r\n---\r\n\r\nFar.\r\n\r\n## Notes\r\n\r\nWind.\r\n'
  const files = { [CONFIG]: 'project_name: "Harbour"\nstatuses: ["To Do"]\n', [path]: text }
  const set = { title: 'Row', description: 'Far.\n\n## Notes\n\nNo wind.' }
  expect((await written('backlog', files, { id: 'TASK-1', set }))[path]).toBe(
    text.replace('Sail #', 'Row #').replace('Wind.', 'No wind.'),
  )
})

test('an issue of beads changes only in its line, and only in what changes', async () => {
  const line = (id: string, spaces: string) =>
    `{"id":${spaces}"h-${id}","x":{"b":1.50,"a":"\\u003c"},"title":"Sail","status":"open","priority":2,"labels":["a"],"updated_at":"2026-01-01T00:00:00Z"}`
  const path = '.beads/issues.jsonl'
  const text = `${line('1', '')}\r\n\n${line('2', ' ')}\nnot JSON`
  const set: Partial<SharedFields> = { title: 'Row', labels: ['a', 'b'], due_date: '2026-06-01' }
  const after = await written('beads', { [path]: text }, { id: 'h-1', set })
  expect(after[path]).toBe(
    text
      .replace('"Sail"', '"Row"')
      .replace('["a"]', '["a","b"]')
      .replace('2026-01-01T00:00:00Z"}', `${NOW}","due_at":"2026-06-01T00:00:00Z"}`),
  )
})

test('closing and reopening an issue of beads sets and removes when it was closed', async () => {
  const path = '.beads/issues.jsonl'
  const text = '{"id":"h-1","title":"Sail","status":"open","updated_at":"2026-01-01T00:00:00Z"}\n'
  const closing = { id: 'h-1', set: { column: 'Done' }, column: 'Done', done: true }
  const closed = (await written('beads', { [path]: text }, closing))[path]!
  expect(JSON.parse(closed)).toMatchObject({ status: 'closed', closed_at: NOW })
  const reopening = { id: 'h-1', set: { column: 'Doing' }, column: 'Doing', done: false }
  const reopened = (await written('beads', { [path]: closed }, reopening))[path]!
  expect(JSON.parse(reopened)).toEqual({
    ...{ id: 'h-1', title: 'Sail', status: 'in_progress', updated_at: NOW },
  })
})

test('tasks of Task Master keep the indentation and the other members of their file', async () => {
  const path = '.taskmaster/tasks/tasks.json'
  const text = `\uFEFF{\r\n\t"master": {\r\n\t\t"tasks": [\r\n\t\t\t{ "id": 1, "title": "Sail", "moon": [1.0, 2], "status": "pending", "dependencies": [], "subtasks": [] }\r\n\t\t],\r\n\t\t"x": null\r\n\t}\r\n}\r\n`
  const set = { title: 'Row', priority: 3 }
  const after = (await written('taskmaster', { [path]: text }, { id: 'master:1', set }))[path]!
  const added = after.replace(/,\s*"priority": "medium"/, '')
  expect(added.replace(/\s*\}\r\n\t\t\],/, ' }\r\n\t\t],')).toBe(text.replace('Sail', 'Row'))
  expect(JSON.parse(after.slice(1)).master.tasks[0].priority).toBe('medium')
})

test('a value changes in JSON of any form, and the rest keeps its bytes', () => {
  expect(editJson('{ "a":1,\n  "b" : [ ] }', ['a'], 2)).toBe('{ "a":2,\n  "b" : [ ] }')
  expect(editJson('{"a":1,"b":"x"}', ['b'], undefined)).toBe('{"a":1}')
  expect(editJson('{"a": 1, "b": "x"}', ['c'], ['y'])).toBe('{"a": 1, "b": "x", "c": ["y"]}')
  expect(editJson('{}\r', ['a'], 1)).toBe('{"a":1}\r')
})

test('front matter keeps comments, quotes and the place of keys', () => {
  const matter = FrontMatter.parse('---\n# top\na: "x" # why\nb:\n  - 1 # one\n\nc: z\n---\nText')
  matter.setScalar('a', 'y: z')
  matter.setList('b', (items) => [...items, '2'])
  matter.setScalar('d', 'true', ['a'])
  matter.remove('c')
  expect(matter.toString()).toBe(
    '---\n# top\na: "y: z" # why\nd: \'true\'\nb:\n  - 1 # one\n  - 2\n\n---\nText',
  )
})
