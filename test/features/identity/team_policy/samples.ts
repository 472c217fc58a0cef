import type { operations } from '../../../../src/features/identity/team_policy/operations/index.ts'
import { type SamplesOf, TEAM } from '../../../support/operation-sample.ts'

const RULES = { email_domains: ['example.com'], session_days: 14, token_days: 90, locale: 'de' }

export const samples: SamplesOf<typeof operations> = {
  'team_policy.get': {
    input: async (w) => {
      await w.ada['team_policy.update']({ team_id: w.team_id, ...RULES })
      return { team_id: w.team_id }
    },
    allowed: [...TEAM, 'agent', 'reading key'],
  },
  'team_policy.update': {
    input: (w) => ({ team_id: w.team_id, ...RULES, guests_allowed: false }),
    allowed: ['owner'],
    approval: 'always',
  },
}
