import type { operations } from '../../../../src/features/tasks/drafts/operations/index.ts'
import {
  BOARD,
  EVERYONE,
  logoId,
  logoTicket,
  type SamplesOf,
} from '../../../support/operation-sample.ts'
import type { World } from '../../../support/world.ts'

const createDraft = async ({ ada, tasks: { logo } }: World) => {
  const { task_id } = logo
  const { draft_id } = await ada['drafts.create']({ task_id, text: '<p>In three colours.</p>' })
  return { draft_id }
}

export const samples: SamplesOf<typeof operations> = {
  'drafts.create': {
    input: (w) => ({
      ticket_number: w.tasks.logo.ticket_number,
      text: '<p>In three colours?</p>',
      draft_type: 'comment',
    }),
    allowed: BOARD,
    approval: 'never',
  },
  'drafts.list': {
    input: logoTicket,
    allowed: [...BOARD, 'reading key'],
  },
  'drafts.get': { input: (w) => createDraft(w), allowed: ['owner', 'reading key'] },
  'drafts.update': {
    input: async (w) => ({ ...(await createDraft(w)), text: '<p>In one.</p>' }),
    allowed: ['owner'],
    approval: 'never',
  },
  'drafts.publish': {
    input: async (w) => ({ ...(await createDraft(w)), if_version: 1 }),
    furtherInputs: [
      async (w) => {
        const { items } = await w.ada['drafts.list']({ ...logoId(w), draft_type: 'comment' })
        return { draft_id: items[0]!.draft_id }
      },
    ],
    allowed: ['owner'],
    approval: 'never',
    lease: 'required',
    inputAsAgent: async ({ bot, tasks }) => {
      const { task_id } = tasks.logo
      const { draft_id } = await bot['drafts.create']({ task_id, text: '<p>In one colour.</p>' })
      return { draft_id }
    },
  },
  'drafts.delete': { input: (w) => createDraft(w), allowed: ['owner'], approval: 'always' },
  'drafts.preview': {
    input: () => ({ text: 'In **three** colours' }),
    // It converts a text and reads no records.
    allowed: [...EVERYONE, 'reading key'],
    noCommand: 'a person who types markdown here reads markdown',
  },
}
