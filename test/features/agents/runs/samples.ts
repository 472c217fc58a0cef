import type { operations } from '../../../../src/features/agents/runs/operations/index.ts'
import { BOARD, boardId, logoId, type SamplesOf } from '../../../support/operation-sample.ts'
import type { World } from '../../../support/world.ts'

/** A run that the member's agent created. */
async function createRun({ bot, tasks }: World) {
  const { run_id } = await bot['runs.create']({ task_id: tasks.logo.task_id })
  return { run_id }
}

const createStoppedRun = async (w: World) => {
  const { run_id } = await w.ada['runs.create']({ ...logoId(w), agent_id: w.bot.caller.agent_id! })
  await w.ada['runs.stop']({ run_id, reason: 'It is done' })
  return { run_id }
}

export const samples: SamplesOf<typeof operations> = {
  'runs.create': {
    input: (w) => ({ ...logoId(w), agent_id: w.bot.caller.agent_id, prompt: 'Draw it in blue' }),
    // A run of an agent of the member: the member, managers of the team, and the agent itself.
    allowed: ['member', 'admin', 'owner', 'agent'],
    approval: 'never',
  },
  'runs.list': {
    input: logoId,
    allowed: [...BOARD, 'reading key'],
    unset: {
      'is set by another credential or another order of requests than the samples use': [
        'items[].comment_id',
        'items[].reason',
      ],
    },
  },
  'runs.get': {
    input: createRun,
    furtherInputs: [createStoppedRun],
    allowed: [...BOARD, 'reading key'],
    unset: {
      'is set by another credential or another order of requests than the samples use': [
        'comment_id',
      ],
    },
  },
  'runs.update': {
    input: async (w) => ({ ...(await createRun(w)), state: 'done', summary: 'In blue' }),
    allowed: ['agent'],
    caller: 'agent',
    approval: 'never',
  },
  'runs.prompt': {
    input: async (w) => ({ ...(await createRun(w)), text: 'In red as well' }),
    allowed: ['invited', 'member', 'admin', 'owner'],
    approval: 'never',
  },
  'runs.stop': {
    input: async (w) => ({ ...(await createRun(w)), reason: 'It is done' }),
    allowed: ['member', 'admin', 'owner', 'agent'],
    approval: 'never',
  },
  'runs.append': {
    input: async (w) => ({ ...(await createRun(w)), entries: [{ text: 'Opened the file' }] }),
    allowed: ['agent'],
    caller: 'agent',
    approval: 'never',
  },
  'runs.transcript': { input: createRun, allowed: [...BOARD, 'reading key'] },
  'sessions.list': {
    input: (w) => ({ ...boardId(w), prefer: 'paged=true' }),
    allowed: [...BOARD, 'reading key'],
    unset: {
      'needs more than 10,000 rows, or more than one page': [
        'page.total_at_least',
        'page.next_cursor',
      ],
      'needs a second request that follows the first': ['page.removed'],
    },
  },
  'sessions.transcripts': {
    input: async (w) => {
      const { project_id } = w.board
      await createRun(w)
      const input = { project_id, prefer: 'paged=true' } as const
      const { page } = await w.ada['sessions.list'](input)
      return { project_id, history_key: page.history_key }
    },
    allowed: [...BOARD, 'reading key'],
  },
}
