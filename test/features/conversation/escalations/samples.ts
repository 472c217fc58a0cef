import type { operations } from '../../../../src/features/conversation/escalations/operations/index.ts'
import { BOARD, logoId, type SamplesOf } from '../../../support/operation-sample.ts'
import type { World } from '../../../support/world.ts'

/** An escalation of the agent to its owner, the member. */
async function createEscalation({ bot, tasks }: World) {
  const { task_id } = tasks.logo
  const { escalation_id } = await bot['escalations.create']({ task_id, reason: 'I am stuck' })
  return { task_id, escalation_id }
}

export const samples: SamplesOf<typeof operations> = {
  'escalations.create': {
    input: (w) => ({
      ...logoId(w),
      reason: 'The key has expired',
      to_user_id: w.ben.caller.actor_id,
    }),
    allowed: BOARD,
    approval: 'never',
  },
  'escalations.list': { input: logoId, allowed: [...BOARD, 'reading key'] },
  'escalations.resolve': {
    input: async (w) => ({ ...(await createEscalation(w)), note: 'Renewed it' }),
    // An escalation of that agent to its owner, the member.
    allowed: ['member', 'admin', 'owner', 'agent'],
    approval: 'never',
  },
}
