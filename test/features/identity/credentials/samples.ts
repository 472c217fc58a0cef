import type { operations } from '../../../../src/features/identity/credentials/operations/index.ts'
import { PEOPLE, type SamplesOf } from '../../../support/operation-sample.ts'

const expires_at = '2027-01-01T00:00:00.000Z'

export const samples: SamplesOf<typeof operations> = {
  'api_keys.revoke': {
    input: async (w) => ({
      api_key_id: (await w.ada['api_keys.create']({ name: 'old' })).api_key_id,
    }),
    allowed: PEOPLE,
    approval: 'always',
  },
  'access_tokens.revoke': {
    input: async (w) => ({
      access_token_id: (await w.ada['access_tokens.create']({ name: 'old' })).access_token_id,
    }),
    allowed: PEOPLE,
    approval: 'always',
  },
  'api_keys.list': { input: () => ({}), allowed: [...PEOPLE, 'reading key'] },
  'api_keys.create': {
    input: () => ({ name: 'laptop' }),
    furtherInputs: [() => ({ name: 'phone', scopes: ['tasks:read'], expires_at })],
    allowed: PEOPLE,
    approval: 'never',
  },
  'access_tokens.list': {
    input: () => ({}),
    allowed: [...PEOPLE, 'reading key'],
    unset: {
      'needs a second request that follows the first': ['items[].last_used_at'],
      'is set by another credential or another order of requests than the samples use': [
        'items[].scopes',
      ],
    },
  },
  'access_tokens.create': {
    input: () => ({ name: 'editor' }),
    furtherInputs: [() => ({ name: 'phone', scopes: ['tasks:read'] })],
    allowed: PEOPLE,
    approval: 'never',
  },
}
