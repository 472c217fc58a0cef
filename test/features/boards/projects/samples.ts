import type { operations } from '../../../../src/features/boards/projects/operations/index.ts'
import { BOARD, boardId, EVERYONE, type SamplesOf } from '../../../support/operation-sample.ts'
import type { World } from '../../../support/world.ts'

/** Creates two versions of a board's instructions and returns the first. */
const createInstructionsVersion = async ({ ada, board: { project_id } }: World) => {
  for (const custom_instruction of ['Be kind', 'Be quick'])
    await ada['projects.set_instructions']({ project_id, custom_instruction })
  const { items } = await ada['guidance.versions']({ project_id, kind: 'instructions' })
  return { project_id, version_id: items.at(-1)!.version_id }
}

async function latestVersion(w: World, kind: 'playbook' | 'skill') {
  const { items } = await w.ada['guidance.versions']({ ...boardId(w), kind })
  return { ...boardId(w), version_id: items[0]!.version_id }
}

/** A board of its own, because its agents cannot work on it. */
async function pausedBoard({ ada, team_id }: World) {
  const { project_id } = await ada['projects.create']({
    ...{ team_id, title: 'Paused', sections: [{ title: 'To do' }] },
  })
  await ada['projects.set_limits']({ project_id, paused: true })
  return { project_id }
}

export const samples: SamplesOf<typeof operations> = {
  'projects.list': {
    input: () => ({}),
    allowed: [...EVERYONE, 'reading key'],
    unset: {
      'needs more than 10,000 rows, or more than one page': ['page.total_at_least'],
      'needs a second request that follows the first': ['items[].last_used_at'],
    },
  },
  'projects.rename': {
    input: (w) => ({ ...boardId(w), title: 'Home again' }),
    allowed: ['member', 'admin', 'owner', 'agent'],
    approval: 'never',
  },
  'projects.update': {
    input: (w) => ({ ...boardId(w), auto_archive_days: 30 }),
    allowed: ['member', 'admin', 'owner', 'agent'],
    approval: { asksFor: { access: 'invited' }, notFor: { title: 'Home' } },
  },
  'projects.archive': {
    input: (w) => ({ ...boardId(w), status: 'Archive' }),
    allowed: ['admin', 'owner'],
    approval: { asksFor: {}, notFor: { status: 'Normal' } },
  },
  'projects.get_limits': {
    input: boardId,
    furtherInputs: [pausedBoard],
    allowed: [...BOARD, 'reading key'],
  },
  'projects.set_limits': {
    input: (w) => ({ ...boardId(w), budget_usd: 50, paused: true }),
    allowed: ['admin', 'owner'],
    approval: 'never',
    lease: { none: 'only people pause boards' },
  },
  'projects.get_playbook': { input: boardId, allowed: [...BOARD, 'reading key'] },
  'projects.set_playbook': {
    input: (w) => ({ ...boardId(w), notes: 'Ask first' }),
    furtherInputs: [(w) => ({ ...boardId(w), notes: 'Ask twice' })],
    // An agent needs an extra scope to change guidance.
    allowed: ['member', 'admin', 'owner'],
    approval: 'always',
  },
  'projects.get_instructions': { input: boardId, allowed: [...BOARD, 'reading key'] },
  'projects.set_instructions': {
    input: (w) => ({ ...boardId(w), custom_instruction: 'Be brief' }),
    furtherInputs: [(w) => ({ ...boardId(w), custom_instruction: 'Be kind' })],
    allowed: ['member', 'admin', 'owner'],
    approval: 'always',
  },
  'guidance.versions': {
    input: boardId,
    allowed: [...BOARD, 'reading key'],
    referenceNeeds: { skill_id: { kind: 'skill' } },
  },
  'guidance.version': {
    input: createInstructionsVersion,
    furtherInputs: [(w) => latestVersion(w, 'playbook'), (w) => latestVersion(w, 'skill')],
    allowed: [...BOARD, 'reading key'],
  },
  'guidance.restore': {
    input: createInstructionsVersion,
    furtherInputs: [(w) => latestVersion(w, 'skill')],
    allowed: ['member', 'admin', 'owner'],
    approval: 'always',
  },
  'projects.create': {
    input: (w) => ({
      team_id: w.team_id,
      title: 'Garden',
      sections: [{ title: 'To do' }, { title: 'Done' }],
      labels: [{ name: 'plants' }],
      tasks: [{ title: 'Dig', section_index: 0, priority: 2, labels: ['plants'] }],
    }),
    allowed: ['member', 'admin', 'owner', 'agent'],
    approval: 'never',
    noReferences: { 'tasks.labels': 'names of the labels of the new board' },
    noTexts: { source_summary: 'stored, but only an export returns it' },
  },
  'projects.manifest': {
    input: boardId,
    allowed: [...BOARD, 'reading key'],
    unset: { 'needs a second request that follows the first': ['last_used_at'] },
  },
  'projects.board': {
    input: (w) => ({ ...boardId(w), since: 0 }),
    furtherInputs: [boardId],
    allowed: [...BOARD, 'reading key'],
    noCommand: 'cork tasks list shows the same page by page; only the app follows a board',
    unset: {
      'needs a second request that follows the first': ['gone'],
      'needs time to pass': ['cards[].overdue'],
    },
  },
  'projects.board_details': {
    input: (w) => ({ ...boardId(w), since: 0 }),
    furtherInputs: [boardId],
    allowed: [...BOARD, 'reading key'],
    noCommand: 'cork tasks list and cork time list show the same; only the app draws tables',
  },
  'projects.export': {
    input: boardId,
    allowed: [...BOARD, 'reading key'],
    noCommand: 'cork export writes the file',
  },
  'projects.members': { input: boardId, allowed: [...BOARD, 'reading key'] },
  'projects.remove_member': {
    input: async (w) => {
      const { project_id } = w.board
      const user_id = w.gus.caller.actor_id
      await w.ada['projects.invite_member']({ project_id, member_identifier: user_id })
      return { project_id, user_id }
    },
    // The sample is a person who was invited to the board.
    allowed: ['admin', 'owner'],
    approval: 'always',
  },
  'projects.invite_member': {
    input: (w) => ({ ...boardId(w), member_identifier: 'new@example.com' }),
    furtherInputs: [(w) => ({ ...boardId(w), member_identifier: w.cleo.caller.actor_id })],
    allowed: ['admin', 'owner'],
    approval: 'always',
  },
}
