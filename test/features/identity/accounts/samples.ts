import type { operations } from '../../../../src/features/identity/accounts/operations/index.ts'
import type { SamplesOf } from '../../../support/operation-sample.ts'

export const samples: SamplesOf<typeof operations> = {
  'browser_sessions.list': {
    input: () => ({}),
    // Only a browser session gives access to browser sessions and the password.
    allowed: [],
    caller: 'browser',
    noCommand: 'where somebody sits is the business of nobody but their browser',
    unset: {
      'needs a service outside, or an address': ['sessions[].address', 'sessions[].second_factor'],
    },
  },
  'browser_sessions.end': {
    input: () => ({ session_id: 1 }),
    allowed: [],
    caller: 'browser',
    approval: 'always',
    noCommand: 'a key is no way to the browsers of its owner',
    auditTestedIn: 'browser-sessions.test.ts: it takes a second browser',
  },
  'browser_sessions.end_others': {
    input: () => ({}),
    allowed: [],
    caller: 'browser',
    approval: 'always',
    noCommand: 'as above',
    auditTestedIn: 'browser-sessions.test.ts: it takes a second browser',
  },
  'password.change': {
    input: () => ({ old_password: 'the old words', new_password: 'some new words' }),
    allowed: [],
    caller: 'browser',
    approval: 'always',
    noCommand: 'cork user password sets one for the server operator',
    auditTestedIn: 'browser-sessions.test.ts: it takes the present password',
  },
  'account.export': {
    input: () => ({}),
    allowed: [],
    caller: 'browser',
    noCommand: 'a key must not read everything about its owner',
    auditTestedIn: 'erase.test.ts: it takes a recent sign-in',
    unset: { 'needs more than 10,000 rows, or more than one page': ['next_cursor'] },
  },
  'account.erase': {
    // The team needs another owner first.
    async input({ ada, ben, team_id }) {
      const user_id = ben.caller.actor_id
      await ada['teams.set_role']({ team_id, user_id, role: 'owner' })
      return { email: 'ada@example.com' }
    },
    allowed: [],
    caller: 'browser',
    approval: 'always',
    noCommand: 'cork user erase is for the server operator',
    auditTestedIn: 'erase.test.ts: it takes the account of the caller',
  },
}
