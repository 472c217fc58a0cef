import type { operations } from '../../../../src/features/agents/leases/operations/index.ts'
import { claimTask } from '../../../support/fixtures.ts'
import { BOARD, logoId, type SamplesOf, TEAM } from '../../../support/operation-sample.ts'
import type { World } from '../../../support/world.ts'

/** A task that the owner has leased. */
async function claimedTask({ ada, tasks }: World) {
  await claimTask(ada, tasks.copy)
  return { ticket_number: tasks.copy.ticket_number }
}

export const samples: SamplesOf<typeof operations> = {
  'leases.claim': {
    input: (w) => ({ ticket_number: w.tasks.logo.ticket_number, ttl: 60_000 }),
    furtherInputs: [(w) => ({ task_id: w.tasks.copy.task_id, owner_id: 'desk' })],
    allowed: BOARD,
    approval: 'never',
    notInChat: 'people need no lease; native agents have leases_claim',
  },
  'leases.heartbeat': {
    input: async (w) => ({ ...(await claimedTask(w)), ttl: 60_000 }),
    // The sample is leased by the owner.
    allowed: ['owner'],
    approval: 'never',
    notInChat: 'the server renews the leases of native agents',
  },
  'leases.release': {
    input: claimedTask,
    allowed: ['owner'],
    approval: 'never',
    notInChat: 'people have no lease; native agents have leases_release',
  },
  'leases.get': {
    input: logoId,
    allowed: [...BOARD, 'reading key'],
    unset: {
      'is set by another credential or another order of requests than the samples use': [
        'lease.owner_id',
      ],
    },
  },
  'leases.list': {
    input: (w) => ({ team_id: w.team_id }),
    allowed: [...TEAM, 'agent', 'reading key'],
  },
}
