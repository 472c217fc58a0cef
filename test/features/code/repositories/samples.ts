import type { operations } from '../../../../src/features/code/repositories/operations/index.ts'
import { BOARD, boardId, type SamplesOf } from '../../../support/operation-sample.ts'
import { hostId, linkedRepository, releasedRepository } from '../linked.ts'

const NO_REFERENCES = {
  host_id: 'hosts.test.ts tries hosts of other teams',
  repository_id: 'hosts.test.ts tries repositories of other boards',
  label: 'a name at the host, which the board need not have',
}

export const samples: SamplesOf<typeof operations> = {
  'repositories.list': {
    input: async (w) => {
      await linkedRepository(w)
      return boardId(w)
    },
    allowed: [...BOARD, 'reading key'],
    unset: {
      'needs a second request that follows the first': [
        ...['items[].error', 'items[].retry_at', 'items[].synced_at', 'items[].event_at'],
      ],
    },
  },
  'repositories.link': {
    input: async (w) => ({ ...boardId(w), host_id: await hostId(w), name: 'acme/site' }),
    allowed: ['admin', 'owner'],
    approval: 'always',
    noReferences: NO_REFERENCES,
    unset: {
      'needs a service outside, or an address': [
        ...['label', 'webhook', 'webhook.url', 'webhook.secret', 'webhook.events'],
      ],
    },
  },
  'repositories.update': {
    input: async (w) => ({ ...(await linkedRepository(w)), issues: false }),
    allowed: ['admin', 'owner'],
    approval: 'never',
    noReferences: NO_REFERENCES,
    unset: {
      'needs a second request that follows the first': [
        ...['error', 'retry_at', 'synced_at', 'event_at'],
      ],
    },
  },
  'repositories.release_notes': {
    input: releasedRepository,
    allowed: [...BOARD, 'reading key'],
    noReferences: NO_REFERENCES,
  },
  'repositories.unlink': {
    input: linkedRepository,
    allowed: ['admin', 'owner'],
    approval: 'always',
    noReferences: NO_REFERENCES,
  },
}
