import type { operations } from '../../../../src/features/agents/webhooks/operations/index.ts'
import type { SamplesOf } from '../../../support/operation-sample.ts'
import type { World } from '../../../support/world.ts'

/** A webhook of the member's agent at a URL that does not respond. */
async function createWebhook(w: World) {
  w.config.allowHosts.push('127.0.0.1')
  const webhook = { url: 'http://127.0.0.1:1/hook', events: ['task.created'], active: true }
  await w.bot['webhooks.configure']({ agent_id: 'self', ...webhook })
  return { agent_id: w.bot.caller.agent_id! }
}

export const samples: SamplesOf<typeof operations> = {
  'webhooks.get': {
    input: createWebhook,
    // The webhook of an agent of the member: that agent, its owner, and managers of the team.
    allowed: ['member', 'admin', 'owner', 'agent'],
    unset: {
      'needs a service outside, or an address': [
        'last_delivered_at',
        'resting_until',
        'recent_deliveries[].status',
      ],
      'is set by another credential or another order of requests than the samples use': [
        'old_secret_until',
      ],
    },
  },
  'webhooks.configure': {
    input: (w) => ({
      agent_id: w.bot.caller.agent_id,
      url: 'https://example.com/hook',
      events: ['task.assigned'],
    }),
    allowed: ['member', 'admin', 'owner', 'agent'],
    approval: 'never',
    notInChat: 'its secret is shown once, to a person',
    unset: {
      'is set by another credential or another order of requests than the samples use': ['secret'],
    },
  },
  'webhooks.test': {
    input: createWebhook,
    allowed: ['member', 'admin', 'owner', 'agent'],
    approval: 'never',
  },
  'webhooks.replay': {
    input: async (w) => {
      const bot = await createWebhook(w)
      const { delivery_id } = await w.bot['webhooks.test']({ agent_id: 'self' })
      return { ...bot, delivery_id }
    },
    allowed: ['member', 'admin', 'owner', 'agent'],
    approval: 'never',
  },
  'webhooks.rotate': {
    input: createWebhook,
    allowed: ['member', 'admin', 'owner', 'agent'],
    approval: 'always',
    notInChat: 'its secret is shown once, to a person',
  },
  'webhooks.delete': {
    input: createWebhook,
    allowed: ['member', 'admin', 'owner', 'agent'],
    approval: 'always',
  },
  'webhooks.deliveries': { input: createWebhook, allowed: ['member', 'admin', 'owner', 'agent'] },
}
