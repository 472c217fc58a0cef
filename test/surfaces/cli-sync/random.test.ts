import { afterAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { FieldAccount } from '../../../src/import/fields.ts'
import { FORMATS } from '../../../src/import/sources/formats.ts'
import { SOURCES } from '../../../src/import/sources/index.ts'
import { readFiles, writeChanges } from '../../../src/surfaces/cli/sync/text-files.ts'
import { seed } from '../../support/scale.ts'
import { removeTemporaryFolders } from '../../support/terminal.ts'
import { syncWorld } from './sync-world.ts'

afterAll(removeTemporaryFolders)

const START: Record<string, { files: Record<string, string>; columns: string[]; board: string }> = {
  backlog: {
    board: 'backlog',
    columns: ['To Do', 'In Progress', 'Done'],
    files: {
      'backlog/config.yml':
        'project_name: "Harbour"\nstatuses: ["To Do", "In Progress", "Done"]\nlabels: ["a", "b"]\n',
      ...Object.fromEntries(
        [1, 2, 3].map((number) => [
          `backlog/tasks/task-${number} - Task.md`,
          `---\nid: TASK-${number}\ntitle: Task ${number}\nstatus: To Do\nlabels: []\npriority: high\n---\n\nText ${number}.\n`,
        ]),
      ),
    },
  },
  beads: {
    board: 'Harbour',
    columns: ['Open', 'In progress', 'Closed'],
    files: {
      '.beads/issues.jsonl': ['1a', '2b', '3c']
        .map((id) => ({
          ...{ id: `Harbour-${id}`, title: `Task ${id}`, status: 'open', priority: 2 },
          ...{ created_at: '2026-03-01T09:00:00Z', labels: ['a', 'b'], notes: 'Tide.' },
        }))
        .map((issue) => `${JSON.stringify(issue)}\n`)
        .join(''),
    },
  },
  taskmaster: {
    board: 'master',
    columns: ['Pending', 'In progress', 'Done'],
    files: {
      '.taskmaster/config.json': '{"global":{"projectName":"Harbour"}}',
      '.taskmaster/tasks/tasks.json': JSON.stringify(
        {
          master: {
            tasks: [1, 2, 3].map((id) => ({
              ...{ id, title: `Task ${id}`, description: 'D', details: 'E', status: 'pending' },
              ...{ priority: 'high', dependencies: [], subtasks: [], labels: ['a', 'b'] },
            })),
          },
        },
        null,
        2,
      ),
    },
  },
}

const LABELS = ['a', 'b']
const NOW = '2026-04-01T09:00:00Z'
const title = fc.constantFrom('Sail: now', "Olga's #1", 'yes', '- [x] "Row"', '@ana', 'Ünï', '1')
const text = fc.constantFrom(
  'One.',
  '## Notes\n\nTwo.',
  'A\n\n```\n## no heading\n```',
  'Line\n- a',
)

interface Edit {
  task: number
  title?: string
  description?: string
  column?: number
  priority?: number
  labels?: string[]
  /** The places of other tasks. */
  blocker?: number
  parent?: number
  isDeleted?: boolean
  comment?: boolean
}
const edit: fc.Arbitrary<Edit> = fc.record(
  {
    task: fc.nat(20),
    title,
    description: text,
    column: fc.nat(2),
    priority: fc.integer({ min: 2, max: 4 }),
    labels: fc.uniqueArray(fc.constantFrom(...LABELS)),
    ...{ blocker: fc.nat(20), parent: fc.nat(20), comment: fc.boolean() },
    isDeleted: fc.constantFrom(false, false, false, true),
  },
  { requiredKeys: ['task'] },
)
const round = fc.record({
  here: fc.array(edit, { maxLength: 3 }),
  there: fc.array(edit, { maxLength: 3 }),
  isNewHere: fc.boolean(),
  isNewThere: fc.boolean(),
})

for (const [name, start] of Object.entries(START))
  test(`random changes of both sides converge: ${name}`, async () => {
    const rounds = fc.sample(round, { seed, numRuns: 12 })
    const s = await syncWorld(name, start.files)
    const source = await SOURCES[name as 'beads']!()
    expect((await s.sync()).code).toBe(0)
    let comments = 0
    const changeFiles = async (edits: readonly Edit[], isNew: boolean) => {
      const files = await readFiles(s.folder, source)
      const writer = await FORMATS[name]!().then((format) =>
        format.open(files, { now: NOW, taken: [] }),
      )
      const ids = Object.keys(await filesOf())
      for (const { task, column, blocker, isDeleted, comment, parent: _, ...set } of edits) {
        const id = ids[task % ids.length]!
        if (isDeleted && ids.length > 2) writer.remove(id)
        const dependencies = blocker === undefined ? undefined : [ids[blocker % ids.length]!]
        const added = { author: 'Ana', text: `Here ${++comments}`, created_at: NOW }
        if (!isDeleted)
          writer.update({
            id,
            set: {
              ...set,
              ...(column !== undefined && { column: start.columns[column]! }),
              ...(dependencies && dependencies[0] !== id && { dependencies }),
            },
            ...{ column: start.columns[column ?? 0]!, done: column === 2 },
            ...{ addComments: comment ? [added] : [], editComments: [], removeComments: [] },
          })
      }
      if (isNew)
        writer.create({
          id: writer.newId(start.board, null),
          ...{ board: start.board, done: false, created_by: '', comments: [] },
          created_at: '2026-04-01T09:00:00Z',
          fields: {
            ...{ title: 'New here', description: '', column: start.columns[0]!, priority: 2 },
            ...{ labels: [], assignees: [], due_date: null, parent: null, dependencies: [] },
            archived: false,
          },
        })
      await writeChanges(s.folder, files, writer.changedFiles())
    }
    /** What the files have, by the ids of the tasks. */
    const filesOf = async () => {
      const found: Record<string, unknown[]> = {}
      const report = { fields: new FieldAccount(source.fields), lose: () => {} }
      for await (const record of source.read(await readFiles(s.folder, source), report))
        if ('task' in record && !record.task.archived) {
          const { id, title, description = '', column, labels = [] } = record.task
          // Links to a deleted task are a text that only the files have.
          const text = description.replace(/(^|\n)## Links[\s\S]*$/, '').trim()
          found[id] = [title, text, column, labels.toSorted()]
        }
      return found
    }
    const boardOf = async () => {
      const tasks = await s.all()
      return tasks.map(({ title, description, section, labels }) => [
        ...[title, (description ?? '').replace(/(^|\n)## Links[\s\S]*$/, '').trim(), section],
        labels.map(({ name }) => name).sort(),
      ])
    }
    const sorted = (values: unknown[]) => values.map((value) => JSON.stringify(value)).sort()
    for (const { here, there, isNewHere, isNewThere } of rounds) {
      await changeFiles(here, isNewHere)
      const tasks = await s.all()
      const sections = await s.sections()
      for (const { task, column, blocker, parent, isDeleted, comment, ...set } of there) {
        const { ticket_number } = tasks[task % tasks.length]!
        const other = tasks[(blocker ?? parent ?? 0) % tasks.length]!
        // Some pairs would be circles, which the server refuses.
        if (blocker !== undefined)
          await s.w.ada['relations.create']({
            ...{ source_ticket_number: ticket_number, relation_type: 'BlockedBy' },
            target_ticket_number: other.ticket_number,
          }).catch(() => {})
        else if (parent !== undefined && name === 'beads')
          await s.w.ada['tasks.update']({ ticket_number, parent_task_id: other.task_id }).catch(
            () => {},
          )
        if (comment) await s.w.ada['comments.add']({ ticket_number, text: `There ${++comments}` })
        await s.w.ada['tasks.update']({
          ticket_number,
          ...(isDeleted && tasks.length > 2 && { status: 'Deleted' as const }),
          ...(set as object),
          ...(set.description !== undefined && { content_type: 'markdown' as const }),
          ...(column !== undefined && {
            section_id: sections.find((one) => one.title === start.columns[column])!.section_id,
          }),
        }).catch(() => {})
      }
      const { project_id } = tasks[0]!
      if (isNewThere) await s.w.ada['tasks.create']({ project_id, title: 'New there' })
      const first = await s.sync()
      if (first.code !== 0 && first.code !== 3) throw new Error(first.err)
      const second = await s.sync(...(first.code ? ['--prefer', 'board'] : []))
      expect(second).toMatchObject({ code: 0 })
      expect(await s.sync()).toMatchObject({ code: 0, out: [] })
      expect(sorted(Object.values(await filesOf()))).toEqual(sorted(await boardOf()))
    }
  })
