import type { operations } from '../../../../src/features/agents/messages/operations/index.ts'
import type { SamplesOf } from '../../../support/operation-sample.ts'
import type { World } from '../../../support/world.ts'

/** A message to the member's agent about a new task. */
async function createMessage({ ada, bot, board }: World): Promise<string> {
  await bot['messages.list']({})
  await ada['tasks.create']({ project_id: board.project_id, title: 'Sweep' })
  return (await bot['messages.list']({})).items[0]!.id
}

export const samples: SamplesOf<typeof operations> = {
  'messages.list': {
    input: () => ({}),
    // Messages are only for agents; people have an inbox.
    allowed: ['agent', 'other agent'],
    caller: 'agent',
  },
  'messages.ack': {
    input: async (w) => ({ ids: [await createMessage(w)] }),
    furtherInputs: [() => ({ ids: ['no such message'] })],
    allowed: ['agent', 'other agent'],
    caller: 'agent',
    approval: 'never',
  },
}
