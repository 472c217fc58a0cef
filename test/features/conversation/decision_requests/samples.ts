import type { operations } from '../../../../src/features/conversation/decision_requests/operations/index.ts'
import { BOARD, EVERYONE, logoId, type SamplesOf } from '../../../support/operation-sample.ts'
import type { World } from '../../../support/world.ts'

/** A decision request of the member's agent. */
const createDecisionRequest = async ({ bot, tasks }: World) => {
  const { decision_request_id } = await bot['decision_requests.create']({
    task_id: tasks.logo.task_id,
    question: 'Which colour?',
    options: ['Red', 'Blue'],
  })
  return { decision_request_id }
}

export const samples: SamplesOf<typeof operations> = {
  'decision_requests.create': {
    input: (w) => ({ ...logoId(w), question: 'Ship it?', options: ['Yes', 'No'] }),
    allowed: BOARD,
    approval: 'never',
    unset: {
      'is set by another credential or another order of requests than the samples use': [
        'selected_option',
      ],
    },
  },
  'decision_requests.list': {
    input: async (w) => {
      await createDecisionRequest(w)
      return { status: 'pending' }
    },
    furtherInputs: [() => ({ status: 'answered' })],
    allowed: [...EVERYONE, 'reading key'],
  },
  'decision_requests.get': { input: createDecisionRequest, allowed: [...BOARD, 'reading key'] },
  'decision_requests.answer': {
    input: async (w) => ({
      ...(await createDecisionRequest(w)),
      selected_option: 'Blue',
    }),
    // Only people answer decision requests; agents can create them.
    allowed: ['invited', 'member', 'admin', 'owner'],
    approval: 'never',
  },
  'decision_requests.cancel': {
    input: createDecisionRequest,
    // The agent that created the request, its owner, and managers of the board.
    allowed: ['member', 'admin', 'owner', 'agent'],
    approval: 'never',
  },
}
