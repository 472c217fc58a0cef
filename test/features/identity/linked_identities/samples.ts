import { insertIdentity } from '../../../../src/features/identity/linked_identities/model/index.ts'
import type { operations } from '../../../../src/features/identity/linked_identities/operations/index.ts'
import type { SamplesOf } from '../../../support/operation-sample.ts'
import type { World } from '../../../support/world.ts'

const NO_COMMAND = 'only the browser of a person manages how they sign in'

/** Links an identity to a person. Without approval, it is waiting for an admin. */
const link = (w: World, actor_id: number, approved_at: Date | null) =>
  w.store.write(async (tx) => {
    const subject = crypto.randomUUID()
    const identity = { issuer: 'https://id.example.com', subject, email: null }
    const row = await insertIdentity(tx, { ...identity, actor_id, approved_at }, w.clock.now)
    return row!.identity_id
  })

const waitingLink = async (w: World) => ({
  team_id: w.team_id,
  identity_id: await link(w, w.cleo.caller.actor_id, null),
})

export const samples: SamplesOf<typeof operations> = {
  'linked_identities.list': {
    input: async (w) => {
      await link(w, w.ada.caller.actor_id, w.clock.now)
      return {}
    },
    // Only a browser session gives access to the ways to sign in.
    allowed: [],
    caller: 'browser',
    noCommand: NO_COMMAND,
    unset: {
      'needs a service outside, or an address': [
        ...['identities[].issuer_name', 'identities[].email', 'identities[].last_used_at'],
        ...['issuers', 'issuers[].number', 'issuers[].name'],
      ],
    },
  },
  'linked_identities.unlink': {
    input: async (w) => ({ identity_id: await link(w, w.ada.caller.actor_id, w.clock.now) }),
    allowed: [],
    caller: 'browser',
    approval: 'always',
    noCommand: NO_COMMAND,
    auditTestedIn: 'linked-identities.test.ts: it takes a recent proof of identity',
  },
  'linked_identities.waiting': {
    input: async (w) => ({ team_id: (await waitingLink(w)).team_id }),
    allowed: [],
    approval: 'never',
    caller: 'browser',
    noCommand: NO_COMMAND,
    notAudited: 'reads',
    unset: { 'needs a service outside, or an address': ['waiting[].email'] },
  },
  'linked_identities.approve': {
    input: waitingLink,
    allowed: [],
    caller: 'browser',
    approval: 'never',
    noCommand: NO_COMMAND,
    auditTestedIn: 'linked-identities.test.ts: it takes a recent proof of identity',
  },
  'linked_identities.refuse': {
    input: waitingLink,
    allowed: [],
    caller: 'browser',
    approval: 'always',
    noCommand: NO_COMMAND,
  },
}
