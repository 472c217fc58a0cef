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

const WITHIN = 'counts within the board or team that the call names; see webhooks.test.ts'
const noReferences = {
  team_id: 'is an alternative to project_id',
  webhook_id: WITHIN,
  section_ids: WITHIN,
  label_ids: WITHIN,
}
const OTHER_ORDER =
  'is set by another credential or another order of requests than the samples use' as const
const OUTSIDE = 'needs a service outside, or an address' as const

export const samples: SamplesOf<typeof operations> = {
  'board_webhooks.list': {
    input: async (w) => {
      await createWebhook(w)
      return boardId(w)
    },
    allowed: [...MANAGERS],
    noReferences,
    unset: {
      [OUTSIDE]: ['items[].last_delivered_at', 'items[].resting_until'],
      [OTHER_ORDER]: ['items[].paused_reason', 'items[].old_secret_until'],
    },
  },
  'board_webhooks.create': {
    input: (w) => ({
      ...{ ...boardId(w), ...address(w) },
      section_ids: [w.sections.Inbox],
      label_ids: [w.labels.bug],
    }),
    allowed: MANAGERS,
    noReferences,
    approval: 'always',
  },
  'board_webhooks.update': {
    input: async (w) => ({ ...(await createWebhook(w)), events: ['task.moved'] }),
    allowed: MANAGERS,
    noReferences,
    approval: 'always',
  },
  'board_webhooks.test': {
    input: createWebhook,
    allowed: MANAGERS,
    noReferences,
    approval: 'always',
  },
  'board_webhooks.deliveries': {
    input: async (w) => (await createDelivery(w)).webhook,
    allowed: [...MANAGERS],
    noReferences,
  },
  'board_webhooks.replay': {
    input: async (w) => {
      const { webhook, delivery_id } = await createDelivery(w)
      return { ...webhook, delivery_id }
    },
    allowed: MANAGERS,
    noReferences,
    approval: 'always',
  },
  'board_webhooks.rotate': {
    input: createWebhook,
    allowed: MANAGERS,
    noReferences,
    approval: 'always',
  },
  'board_webhooks.delete': {
    input: createWebhook,
    allowed: MANAGERS,
    noReferences,
    approval: 'always',
  },
}
