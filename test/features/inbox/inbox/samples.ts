import type { operations } from '../../../../src/features/inbox/inbox/operations/index.ts'
import { boardId, EVERYONE, logoId, type SamplesOf } from '../../../support/operation-sample.ts'
import type { World } from '../../../support/world.ts'

/** A notification in the inbox of the owner. */
const createNotification = async ({ ben, ada, tasks }: World) => {
  const { task_id } = tasks.logo
  const { notification_id } = await ben['inbox.move_task']({
    task_id,
    user_id: ada.caller.actor_id,
  })
  return { notification_ids: [notification_id] }
}

export const samples: SamplesOf<typeof operations> = {
  'inbox.list': {
    input: () => ({}),
    furtherInputs: [
      (w) => ({ ...boardId(w), composition: true }),
      async (w) => {
        const { items } = await w.ada['inbox.list']({})
        const [first, second] = items.map(({ notification_id }) => notification_id!)
        await w.ada['inbox.read']({ notification_ids: [first!] })
        await w.ada['inbox.archive']({ notification_ids: [second!] })
        return { archived: true }
      },
    ],
    allowed: [...EVERYONE, 'reading key'],
    unset: {
      'is set by another credential or another order of requests than the samples use': [
        'items[].decision_request_id',
        'items[].escalation_id',
        'items[].read_at',
      ],
    },
  },
  'inbox.archive': {
    input: createNotification,
    // The sample is a notification of the owner.
    allowed: ['owner'],
    approval: 'never',
  },
  'inbox.unarchive': { input: createNotification, allowed: ['owner'], approval: 'never' },
  'inbox.move_task': {
    input: (w) => ({
      ticket_number: w.tasks.logo.ticket_number,
      user_id: w.ben.caller.actor_id,
    }),
    furtherInputs: [(w) => ({ ...logoId(w), agent_id: w.bot.caller.agent_id! })],
    // The sample moves a task into the inbox of another person.
    allowed: ['admin', 'owner'],
    approval: 'never',
  },
  'inbox.read': { input: createNotification, allowed: ['owner'], approval: 'never' },
  'inbox.unread': { input: createNotification, allowed: ['owner'], approval: 'never' },
  'inbox.mark': {
    input: async (w) => ({ action: 'archive', ...(await createNotification(w)) }),
    allowed: ['owner'],
    approval: 'never',
    noCommand: 'inbox read, unread, archive and unarchive are commands of their own',
  },
  'inbox.summary': { input: () => ({}), allowed: [...EVERYONE, 'reading key'] },
}
