import type { operations } from '../../../../src/features/inbox/mail/operations/index.ts'
import { PEOPLE, type SamplesOf } from '../../../support/operation-sample.ts'

export const samples: SamplesOf<typeof operations> = {
  'mail.get': {
    input: () => ({}),
    // An agent has no email address.
    allowed: [...PEOPLE, 'reading key'],
    unset: { 'needs a service outside, or an address': ['next_at', 'last_sent_at', 'last_error'] },
  },
  'mail.update': { input: () => ({ mode: 'daily', hour: 7 }), allowed: PEOPLE, approval: 'never' },
  'mail.test': { input: () => ({}), allowed: PEOPLE, approval: 'never' },
}
