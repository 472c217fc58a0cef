import type { operations } from '../../../../src/features/code/hosts/operations/index.ts'
import { type SamplesOf, TEAM } from '../../../support/operation-sample.ts'
import { begunApp, hostId, scriptedHost } from '../linked.ts'

const NO_TEXTS = { token: 'a token of another product, which is never shown again' }
const NO_REFERENCES = { host_id: 'hosts.test.ts tries hosts of other teams' }

export const samples: SamplesOf<typeof operations> = {
  'code_hosts.list': {
    input: async (w) => {
      await hostId(w)
      return { team_id: w.team_id }
    },
    allowed: ['admin', 'owner'],
  },
  'code_hosts.create': {
    input: (w) => {
      const { url, token } = scriptedHost(w)
      return { team_id: w.team_id, kind: 'forgejo', url, token }
    },
    allowed: ['admin', 'owner'],
    approval: 'always',
    noTexts: NO_TEXTS,
  },
  'code_hosts.update': {
    input: async (w) => ({ host_id: await hostId(w), token: 'a token' }),
    allowed: ['admin', 'owner'],
    approval: 'always',
    noTexts: NO_TEXTS,
    noReferences: NO_REFERENCES,
  },
  'code_hosts.delete': {
    input: async (w) => ({ host_id: await hostId(w) }),
    allowed: ['admin', 'owner'],
    approval: 'always',
    noReferences: NO_REFERENCES,
  },
  'code_host_accounts.list': {
    input: async (w) => {
      const host_id = await hostId(w)
      await w.ada['code_host_accounts.assign']({
        ...{ host_id, login: 'ben', user_id: w.ben.caller.actor_id },
      })
      return { host_id }
    },
    allowed: ['admin', 'owner'],
    noReferences: NO_REFERENCES,
  },
  'code_host_accounts.assign': {
    input: async (w) => ({
      ...{ host_id: await hostId(w), login: 'ben', user_id: w.ben.caller.actor_id },
    }),
    allowed: ['admin', 'owner'],
    approval: 'always',
    noReferences: NO_REFERENCES,
  },
  'code_host_accounts.remove': {
    input: async (w) => {
      const host_id = await hostId(w)
      const user_id = w.ben.caller.actor_id
      await w.ada['code_host_accounts.assign']({ host_id, login: 'ben', user_id })
      return { host_id, login: 'ben' }
    },
    allowed: ['admin', 'owner'],
    approval: 'always',
    noReferences: NO_REFERENCES,
  },
  'code_host_accounts.list_own': {
    input: async (w) => {
      const host_id = await hostId(w)
      const user_id = w.ada.caller.actor_id
      await w.ada['code_host_accounts.assign']({ host_id, login: 'octocat', user_id })
      return { team_id: w.team_id }
    },
    allowed: TEAM,
  },
  'code_host_accounts.claim': {
    input: async (w) => ({ host_id: await hostId(w), token: 'a token' }),
    allowed: TEAM,
    approval: 'always',
    noTexts: NO_TEXTS,
    noReferences: NO_REFERENCES,
  },
  'code_hosts.begin_app': {
    input: (w) => ({ team_id: w.team_id, organization: 'acme' }),
    furtherInputs: [(w) => ({ team_id: w.team_id, url: 'https://git.example.com' })],
    allowed: ['admin', 'owner'],
    approval: 'always',
    unset: { 'needs a service outside, or an address': ['webhook'] },
    notAudited: 'It writes nothing; code_hosts.create_app adds the host',
  },
  'code_hosts.create_app': {
    input: async (w) => ({ team_id: w.team_id, ...(await begunApp(w)) }),
    allowed: ['owner'],
    approval: 'always',
    noTexts: { ...NO_TEXTS, setup: 'sealed by the server', code: 'a code of GitHub' },
    noCommand: 'GitHub returns the code to a page of the app',
  },
}
