import type { operations } from '../../../../src/features/boards/imports/operations/index.ts'
import type { SamplesOf } from '../../../support/operation-sample.ts'
import type { World } from '../../../support/world.ts'

const ADMINS = ['admin', 'owner'] as const
const NO_COMMAND = 'cork import sends it'
const TESTED = 'a text of one kind of record, tested in imports.test.ts'
const NOT_AUDITED = 'it writes tasks, and changes the access of nobody'
const SOURCE_ID = 'an id of the other product'
const origin = { id: 'garden', title: 'Garden' }
const board = { id: 'b', title: 'Garden', columns: [{ title: 'Now' }], labels: [], fields: [] }
const FILE = { id: 'f', task: 't', filename: 'plan.txt' }
const taskRecord = { id: 't', board: 'b', column: 'Now', title: 'Water the herbs' }

/** Names of the source, which the import resolves, and four that `imports.test.ts` tests. */
const WRITTEN_IDS = Object.fromEntries(
  [
    ...['person.id', 'board.id', 'task.id', 'comment.id', 'time_entry.id'],
    ...['task.labels', 'task.assignees', 'task.created_by', 'task.parent', 'comment.task'],
    ...['comment.author', 'time_entry.task', 'person.user_id', 'board.project_id'],
    ...['task.task_id', 'comment.comment_id'],
  ].map((name) => [`records.${name}`, SOURCE_ID]),
)

/** An import with a task, by the owner. */
async function imported({ ada, team_id }: World) {
  const mapping = '{}'
  const { import_id } = await ada['imports.start']({ team_id, source: 'trello', origin, mapping })
  await ada['imports.write']({ import_id, records: [{ board }, { task: taskRecord }] })
  return { import_id }
}

/** A person of an import who is no member. */
async function placeholderIn(w: World): Promise<number> {
  const { import_id } = await imported(w)
  const person = { id: 'p', name: 'Olga', email: 'olga@elsewhere.example' }
  const { results } = await w.ada['imports.write']({ import_id, records: [{ person }] })
  return results[0]!.row_id
}

/** A task whose title differs here and in the source, and whose priority changed here. */
async function changedOnBothSides(w: World) {
  const { import_id } = await imported(w)
  const records = [{ task: taskRecord }]
  const { results } = await w.ada['imports.write']({ import_id, records })
  const { row_id: task_id } = results[0]!
  await w.ada['tasks.update']({ task_id, title: 'Water the trees', priority: 1 })
  return { import_id, records: [{ task: { ...taskRecord, title: 'Water the mint' } }] }
}

export const samples: SamplesOf<typeof operations> = {
  'imports.list': {
    input: async (w) => {
      await imported(w)
      return { team_id: w.team_id }
    },
    allowed: [...ADMINS, 'reading key'],
  },
  'imports.get': { input: imported, allowed: [...ADMINS, 'reading key'] },
  'imports.preview': {
    input: ({ team_id }) => ({
      ...{ team_id, source: 'trello', origin },
      people: [{ id: 'p', name: 'Cleo', email: 'cleo@example.com' }],
      boards: [{ id: 'b', title: 'Garden' }],
    }),
    furtherInputs: [
      async (w) => {
        await imported(w)
        const boards = [{ id: 'b', title: 'Garden' }]
        return { team_id: w.team_id, source: 'trello', origin, people: [], boards }
      },
    ],
    noReferences: { 'origin.id': SOURCE_ID, 'people.id': SOURCE_ID, 'boards.id': SOURCE_ID },
    allowed: ADMINS,
    notAudited: NOT_AUDITED,
    approval: 'never',
    noCommand: NO_COMMAND,
  },
  'imports.start': {
    input: ({ team_id }) => ({ team_id, source: 'trello', origin }),
    noReferences: { 'origin.id': SOURCE_ID },
    noTexts: { mapping: 'JSON of the client' },
    allowed: ADMINS,
    notAudited: NOT_AUDITED,
    approval: 'never',
    noCommand: NO_COMMAND,
  },
  'imports.write': {
    input: async (w) => ({
      ...(await imported(w)),
      records: [{ task: { ...taskRecord, id: 'u' } }],
    }),
    furtherInputs: [
      async (w) => ({
        ...(await imported(w)),
        records: [
          { board: { ...board, fields: [{ name: 'Litres', type: 'number' }] } },
          {
            task: {
              ...{ ...taskRecord, id: 'v', parent: 'later' },
              fields: [{ name: 'Litres', value: 'many' }],
            },
          },
        ],
      }),
      changedOnBothSides,
    ],
    noReferences: WRITTEN_IDS,
    noTexts: {
      'records[].board.description': TESTED,
      'records[].task.description': TESTED,
      'records[].comment.text': TESTED,
      'records[].time_entry.note': TESTED,
    },
    allowed: ADMINS,
    notAudited: NOT_AUDITED,
    approval: 'never',
    noCommand: NO_COMMAND,
  },
  'imports.attach': {
    input: async (w) => ({
      ...(await imported(w)),
      attachment: { ...FILE, data: btoa('Beds') },
    }),
    noReferences: {
      'attachment.id': SOURCE_ID,
      'attachment.task': SOURCE_ID,
      'attachment.created_by': SOURCE_ID,
    },
    allowed: ADMINS,
    notAudited: NOT_AUDITED,
    approval: {
      asksFor: { attachment: { ...FILE, url: 'https://example.com/plan.txt' } },
      notFor: { attachment: { ...FILE, data: btoa('Beds') } },
    },
    noCommand: NO_COMMAND,
  },
  'imports.finish': {
    input: imported,
    allowed: ADMINS,
    notAudited: NOT_AUDITED,
    approval: 'never',
    noCommand: NO_COMMAND,
  },
  'imports.undo': {
    input: imported,
    allowed: ADMINS,
    notAudited: NOT_AUDITED,
    approval: 'always',
  },
  'placeholders.list': {
    input: async (w) => {
      await placeholderIn(w)
      return { team_id: w.team_id }
    },
    allowed: ADMINS,
  },
  'placeholders.assign': {
    input: async (w) => ({
      ...{ team_id: w.team_id, user_id: await placeholderIn(w) },
      to_user_id: w.cleo.caller.actor_id,
    }),
    allowed: ADMINS,
    notAudited: NOT_AUDITED,
    approval: 'always',
  },
}
