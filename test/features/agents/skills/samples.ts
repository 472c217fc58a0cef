import type { operations } from '../../../../src/features/agents/skills/operations/index.ts'
import { startKitHost } from '../../../support/code-host-archives.ts'
import { BOARD, boardId, type SamplesOf } from '../../../support/operation-sample.ts'
import type { World } from '../../../support/world.ts'

const boardScope = (w: World) => ({ scope: 'project' as const, ...boardId(w) })

/** Creates a skill of the board, or returns the existing one. */
async function createSkill(w: World) {
  const { items } = await w.ada['skills.list'](boardId(w))
  const draft = { name: 'Sort', body: 'Look.', ...boardScope(w) }
  return { skill_id: (items[0] ?? (await w.ada['skills.create'](draft))).skill_id }
}

export const samples: SamplesOf<typeof operations> = {
  'skills.list': {
    input: boardId,
    allowed: [...BOARD, 'reading key'],
    unset: {
      'needs a second request that follows the first': ['items[].last_used_at'],
      'needs a service outside, or an address': ['items[].source'],
    },
  },
  'skills.get': {
    input: createSkill,
    allowed: [...BOARD, 'reading key'],
    unset: {
      'needs a second request that follows the first': ['last_used_at'],
      'needs a service outside, or an address': ['source'],
    },
  },
  'skills.create': {
    input: (w) => ({
      name: 'Triage',
      description: 'Sorts what is new',
      body: 'Look at each task.',
      ...boardScope(w),
    }),
    allowed: ['member', 'admin', 'owner'],
    approval: 'always',
    referenceNeeds: { project_id: { scope: 'project' } },
    noTexts: { markdown: 'a file with front matter, of which body is a part' },
  },
  'skills.update': {
    input: async (w) => ({ ...(await createSkill(w)), enabled: false }),
    allowed: ['member', 'admin', 'owner'],
    approval: 'always',
    noTexts: { markdown: 'a file with front matter, of which body is a part' },
  },
  'skills.delete': {
    input: createSkill,
    allowed: ['member', 'admin', 'owner'],
    approval: 'always',
  },
  'skills.import': {
    input: (w) => ({ url: `${startKitHost(w)}/ada/kit`, ...boardScope(w), dry_run: true }),
    allowed: ['member', 'admin', 'owner'],
    approval: 'always',
    auditTestedIn: 'skills-import.test.ts: it takes a code host',
    unset: { 'needs a service outside, or an address': ['skills[].skill_id', 'skills[].problem'] },
    referenceNeeds: { project_id: { scope: 'project' } },
  },
}
