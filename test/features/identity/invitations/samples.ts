import type { operations } from '../../../../src/features/identity/invitations/operations/index.ts'
import { boardId, type SamplesOf } from '../../../support/operation-sample.ts'

export const samples: SamplesOf<typeof operations> = {
  'invitations.list': {
    input: (w) => ({ team_id: w.team_id }),
    allowed: ['admin', 'owner'],
    approval: 'never',
    notAudited: 'reads',
    unset: {
      'needs a service outside, or an address': ['items[].mailed_at', 'items[].mail_error'],
    },
  },
  'invitations.create': {
    input: (w) => ({ team_id: w.team_id, email: 'x@example.com', role: 'member' }),
    furtherInputs: [
      (w) => ({ ...boardId(w), team_id: w.team_id, email: 'v@example.com', role: 'guest' }),
    ],
    allowed: ['admin', 'owner'],
    approval: 'never',
    referenceNeeds: { project_id: { role: 'guest' } },
  },
  'invitations.revoke': {
    input: async (w) => ({
      invitation_id: (
        await w.ada['invitations.create']({
          team_id: w.team_id,
          email: 'y@example.com',
          role: 'member',
        })
      ).invitation_id,
    }),
    allowed: ['admin', 'owner'],
    approval: 'always',
  },
}
