import type { operations } from '../../../../src/features/boards/labels/operations/index.ts'
import { BOARD, boardId, type SamplesOf } from '../../../support/operation-sample.ts'

export const samples: SamplesOf<typeof operations> = {
  'labels.delete': {
    input: (w) => ({ ...boardId(w), label_id: w.labels.bug }),
    allowed: ['member', 'admin', 'owner', 'agent'],
    approval: 'always',
    lease: { none: 'reshapes the board: needs projects:write' },
  },
  'labels.list': { input: boardId, allowed: [...BOARD, 'reading key'] },
  'labels.create': {
    input: (w) => ({ ...boardId(w), name: 'urgent' }),
    allowed: ['member', 'admin', 'owner', 'agent'],
    approval: 'never',
  },
  'labels.update': {
    input: (w) => ({ ...boardId(w), label_id: w.labels.bug, name: 'defect' }),
    allowed: ['member', 'admin', 'owner', 'agent'],
    approval: 'never',
  },
}
