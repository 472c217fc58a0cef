import type { operations } from '../../../../src/features/tasks/watchers/operations/index.ts'
import { BOARD, logoTicket, type SamplesOf } from '../../../support/operation-sample.ts'

export const samples: SamplesOf<typeof operations> = {
  'watchers.get': { input: logoTicket, allowed: [...BOARD, 'reading key'] },
  'watchers.watch': { input: logoTicket, allowed: BOARD, approval: 'never' },
  'watchers.unwatch': { input: logoTicket, allowed: BOARD, approval: 'never' },
}
