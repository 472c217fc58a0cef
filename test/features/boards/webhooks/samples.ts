import type { operations } from '../../../../src/features/boards/webhooks/operations/index.ts'
import { boardId, type SamplesOf } from '../../../support/operation-sample.ts'
import type { World } from '../../../support/world.ts'

const address = (w: World) => {
  w.config.allowHosts.push('127.0.0.1')
  return { url: 'http://127.0.0.1:1/hook', events: ['task.created'] }
}

/** A webhook of the board at a URL that does not respond. */
async function createWebhook(w: World) {
  const { webhook_id } = await w.ada['board_webhooks.create']({
    ...{ ...boardId(w), ...address(w), active: true },
    section_ids: [w.sections.Inbox],
    label_ids: [w.labels.bug],
  })
  return { ...boardId(w), webhook_id }
}

const createDelivery = async (w: World) => {
  const webhook = await createWebhook(w)
  const { delivery_id } = await w.ada['board_webhooks.test'](webhook)
  return { webhook, delivery_id }
}

const MANAGERS = ['admin', 'owner'] as const

export const samples: SamplesOf<typeof operations> = {
  'board_webhooks.list': {
    input: async (w) => {
      await createWebhook(w)
      return boardId(w)
    },
    allowed: [...MANAGERS],
  },
  'board_webhooks.create': {
    input: (w) => ({ ...boardId(w), ...address(w) }),
    allowed: MANAGERS,
    approval: 'always',
    notInChat: 'its secret is shown once, to a person',
  },
  'board_webhooks.update': {
    input: async (w) => ({ ...(await createWebhook(w)), events: ['task.moved'] }),
    allowed: MANAGERS,
    approval: 'always',
    notInChat: 'it sends data to another host',
  },
  'board_webhooks.test': {
    input: createWebhook,
    allowed: MANAGERS,
    approval: 'always',
    notInChat: 'it sends data to another host',
  },
  'board_webhooks.deliveries': {
    input: async (w) => (await createDelivery(w)).webhook,
    allowed: [...MANAGERS],
  },
  'board_webhooks.replay': {
    input: async (w) => {
      const { webhook, delivery_id } = await createDelivery(w)
      return { ...webhook, delivery_id }
    },
    allowed: MANAGERS,
    approval: 'always',
    notInChat: 'it sends data to another host',
  },
  'board_webhooks.rotate': {
    input: createWebhook,
    allowed: MANAGERS,
    approval: 'always',
    notInChat: 'its secret is shown once, to a person',
  },
  'board_webhooks.delete': {
    input: createWebhook,
    allowed: MANAGERS,
    approval: 'always',
    notInChat: 'webhooks of boards are no tools of a chat',
  },
}
