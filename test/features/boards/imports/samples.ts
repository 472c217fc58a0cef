import type { operations } from '../../../../src/features/boards/imports/operations/index.ts'
import type { SamplesOf } from '../../../support/operation-sample.ts'
import type { World } from '../../../support/world.ts'

const ADMINS = ['admin', 'owner'] as const
const NO_COMMAND = 'cork import sends it'
const TESTED = 'a text of one kind of record, tested in imports.test.ts'
const origin = { id: 'garden', title: 'Garden' }
const board = { id: 'b', title: 'Garden', columns: [{ title: 'Now' }], labels: [], fields: [] }
const taskRecord = { id: 't', board: 'b', column: 'Now', title: 'Water the herbs' }

/** An import with a task, by the owner. */
async function imported({ ada, team_id }: World) {
  const { import_id } = await ada['imports.start']({ team_id, source: 'trello', origin })
  await ada['imports.write']({ import_id, records: [{ board }, { task: taskRecord }] })
  return { import_id }
}

export const samples: SamplesOf<typeof operations> = {
  'imports.list': { input: ({ team_id }) => ({ team_id }), allowed: ADMINS },
  'imports.get': { input: imported, allowed: ADMINS },
  'imports.preview': {
    input: ({ team_id }) => ({
      ...{ team_id, source: 'trello', origin },
      people: [{ id: 'p', name: 'Cleo', email: 'cleo@example.com' }],
      boards: [{ id: 'b', title: 'Garden' }],
    }),
    allowed: ADMINS,
    approval: 'never',
    noCommand: NO_COMMAND,
  },
  'imports.start': {
    input: ({ team_id }) => ({ team_id, source: 'trello', origin }),
    allowed: ADMINS,
    approval: 'never',
    noCommand: NO_COMMAND,
  },
  'imports.write': {
    input: async (w) => ({
      ...(await imported(w)),
      records: [{ task: { ...taskRecord, id: 'u' } }],
    }),
    allowed: ADMINS,
    approval: 'never',
    noCommand: NO_COMMAND,
  },
  'imports.attach': {
    input: async (w) => ({
      ...(await imported(w)),
      attachment: { id: 'f', task: 't', filename: 'plan.txt', data: btoa('Beds') },
    }),
    allowed: ADMINS,
    approval: 'never',
    noCommand: NO_COMMAND,
  },
  'imports.finish': {
    input: imported,
    allowed: ADMINS,
    approval: 'never',
    noCommand: NO_COMMAND,
  },
  'imports.undo': { input: imported, allowed: ADMINS, approval: 'always' },
}
