import {
  hashOf,
  insertCredential,
  newSecret,
} from '../../../../src/features/identity/credentials/model/index.ts'
import { grants } from '../../../../src/features/identity/grants/model/index.ts'
import type { operations } from '../../../../src/features/identity/grants/operations/index.ts'
import { PEOPLE, type SamplesOf } from '../../../support/operation-sample.ts'
import type { World } from '../../../support/world.ts'

/** A grant of the caller, as after the first token request of an app. */
async function insertGrant({ store, clock, ada }: World): Promise<number> {
  const { actor_id } = ada.caller
  const expires_at = new Date('2027-01-01T00:00:00.000Z')
  const owned = { actor_id, minted_by: actor_id, name: 'Lantern', expires_at }
  const access = { scopes: ['tasks:read' as const], audience: 'http://localhost/mcp' }
  return store.write(async (tx) => {
    const secret = newSecret('grant')
    const draft = { kind: 'grant' as const, secret, ...owned, ...access }
    const { credential_id } = await insertCredential(tx, draft, clock.now)
    const client = { client_id: 'https://lantern.example/app.json', client_name: 'Lantern' }
    await tx.insert(grants).values({
      ...{ credential_id, person_id: actor_id, ...client, client_host: 'lantern.example' },
      ...{ code_hash: hashOf(secret), generation: 1, refreshed_at: clock.now },
    })
    return credential_id
  })
}

export const samples: SamplesOf<typeof operations> = {
  'grants.list': {
    input: async (w) => {
      await insertGrant(w)
      return {}
    },
    allowed: [...PEOPLE, 'reading key'],
    noCommand: 'people allow and revoke apps in their browser',
    unset: {
      'needs a second request that follows the first': ['apps[].last_used_at'],
      'is set by another credential or another order of requests than the samples use': [
        'apps[].agent',
        'apps[].agent.agent_id',
        'apps[].agent.name',
        'apps[].project_ids',
      ],
    },
  },
  'grants.revoke': {
    input: async (w) => ({ grant_id: await insertGrant(w) }),
    // The grant is Ada's.
    allowed: ['owner'],
    approval: 'always',
    noCommand: 'as above',
    noReferences: { grant_id: 'an app of the caller; grants.test.ts refuses those of others' },
  },
}
