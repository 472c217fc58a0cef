import type { operations } from '../../../../src/features/identity/teams/operations/index.ts'
import { EVERYONE, type SamplesOf, TEAM } from '../../../support/operation-sample.ts'

export const samples: SamplesOf<typeof operations> = {
  'teams.members': {
    input: (w) => ({ team_id: w.team_id }),
    allowed: [...TEAM, 'agent', 'reading key'],
  },
  'teams.set_role': {
    input: (w) => ({
      team_id: w.team_id,
      user_id: w.gus.caller.actor_id,
      role: 'member',
    }),
    allowed: ['admin', 'owner'],
    approval: 'always',
  },
  'teams.list': { input: () => ({}), allowed: [...EVERYONE, 'reading key'] },
  'teams.get': {
    input: (w) => ({ team_id: w.team_id }),
    allowed: [...TEAM, 'agent', 'reading key'],
  },
  'teams.create': {
    input: () => ({ name: 'Lighthouse' }),
    allowed: ['outsider', 'admin', 'owner'],
    approval: 'never',
  },
  'teams.rename': {
    input: (w) => ({ team_id: w.team_id, name: 'Port' }),
    allowed: ['admin', 'owner'],
    approval: 'never',
    notAudited: 'a name gives nobody access',
  },
  'teams.remove_member': {
    input: (w) => ({ team_id: w.team_id, user_id: w.gus.caller.actor_id }),
    allowed: ['admin', 'owner'],
    approval: 'always',
  },
  'teams.leave': {
    input: async (w) => {
      // The last owner cannot leave, so there are two.
      const { team_id, ada, ben } = w
      await ada['teams.set_role']({ team_id, user_id: ben.caller.actor_id, role: 'owner' })
      return { team_id }
    },
    allowed: TEAM,
    approval: 'always',
  },
}
