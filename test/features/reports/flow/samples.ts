import type { operations } from '../../../../src/features/reports/flow/operations/index.ts'
import { BOARD, boardId, type SamplesOf } from '../../../support/operation-sample.ts'

export const samples: SamplesOf<typeof operations> = {
  'flow.report': {
    input: boardId,
    allowed: [...BOARD, 'reading key'],
    unset: {
      'needs time to pass': ['done[].cycle_seconds'],
      'is a file over REST, so that there is no record to check': ['csv'],
    },
  },
}
