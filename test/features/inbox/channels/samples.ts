import type { operations } from '../../../../src/features/inbox/channels/operations/index.ts'
import { boardId, PEOPLE, type SamplesOf } from '../../../support/operation-sample.ts'
import type { World } from '../../../support/world.ts'

const NTFY = { kind: 'ntfy' as const, url: 'https://ntfy.sh', topic: 'lantern-k7Qx2' }
const SLACK = { kind: 'slack' as const, url: 'https://hooks.slack.com/services/T0/B0/x' }

/** A channel of the owner at an address that does not respond. */
async function createChannel({ ada, config }: World) {
  config.allowHosts.push('127.0.0.1')
  const url = 'http://127.0.0.1:1/hook'
  const { channel_id } = await ada['channels.create']({ kind: 'webhook', url })
  return { channel_id }
}

const UNSENT = ['failed_at', 'failing_since', 'last_delivered_at', 'last_error']
const OF_ONE_KIND = ['address_hash', 'project_id', 'team_id']

export const samples: SamplesOf<typeof operations> = {
  'channels.list': {
    input: () => ({}),
    furtherInputs: [boardId],
    // An agent has no channels.
    allowed: [...PEOPLE, 'reading key'],
    unset: {
      'needs a service outside, or an address': UNSENT.map((field) => `items[].${field}`),
      'is set by another credential or another order of requests than the samples use':
        OF_ONE_KIND.map((field) => `items[].${field}`),
    },
  },
  'channels.create': {
    input: () => NTFY,
    furtherInputs: [
      ({ board }) => ({ ...SLACK, project_id: board.project_id }),
      () => ({ kind: 'webhook', url: 'https://example.com/hook' }),
    ],
    allowed: PEOPLE,
    approval: 'never',
    unset: {
      'needs a service outside, or an address': UNSENT,
      'is set by another credential or another order of requests than the samples use': [
        'address_hash',
      ],
    },
  },
  'channels.update': {
    input: async (w) => ({ ...(await createChannel(w)), mode: 'daily', hour: 7 }),
    // The sample is a channel of the owner.
    allowed: ['owner'],
    approval: 'never',
    unset: {
      'needs a service outside, or an address': UNSENT,
      'is set by another credential or another order of requests than the samples use': OF_ONE_KIND,
    },
  },
  'channels.rotate': { input: createChannel, allowed: ['owner'], approval: 'always' },
  'channels.delete': { input: createChannel, allowed: ['owner'], approval: 'always' },
  'channels.test': {
    input: createChannel,
    allowed: ['owner'],
    approval: 'never',
    unset: { 'needs a service outside, or an address': ['status'] },
  },
  'notification_settings.get': { input: () => ({}), allowed: [...PEOPLE, 'reading key'] },
  'notification_settings.update': {
    input: () => ({ quiet_from: '22:00', quiet_to: '07:00' }),
    furtherInputs: [
      ({ board: { project_id } }) => ({ boards: [{ project_id, level: 'important' }] }),
    ],
    allowed: PEOPLE,
    approval: 'never',
  },
}
