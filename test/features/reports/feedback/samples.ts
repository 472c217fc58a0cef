import type { operations } from '../../../../src/features/reports/feedback/operations/index.ts'
import { EVERYONE, type SamplesOf } from '../../../support/operation-sample.ts'

export const samples: SamplesOf<typeof operations> = {
  'feedback.report': {
    input: () => ({
      tool: 'svc_tasks',
      status: 500,
      errorCode: 'internal',
      category: 'call_failed',
    }),
    allowed: EVERYONE,
    approval: 'never',
    noTexts: { error: 'never stored', note: 'never stored' },
  },
}
