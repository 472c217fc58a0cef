import type { operations } from '../../../../src/features/identity/audit/operations/index.ts'
import { PEOPLE, type SamplesOf } from '../../../support/operation-sample.ts'

export const samples: SamplesOf<typeof operations> = {
  'audit.list': {
    input: (w) => ({ team_id: w.team_id }),
    allowed: ['admin', 'owner'],
    approval: 'never',
    notAudited: 'reads',
    unset: { 'needs a service outside, or an address': ['items[].address'] },
  },
  'audit.own': { input: () => ({}), allowed: [...PEOPLE, 'reading key'] },
}
