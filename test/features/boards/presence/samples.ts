import type { operations } from '../../../../src/features/boards/presence/operations/index.ts'
import { BOARD, boardId, logoId, type SamplesOf } from '../../../support/operation-sample.ts'

/** The same board shows it to its other tabs, and no record is read. */
const SHOWN = 'what a tab says that it shows'

export const samples: SamplesOf<typeof operations> = {
  'presence.report': {
    input: (w) => ({ ...boardId(w), client_id: 'tab' }),
    furtherInputs: [
      (w) => ({
        ...boardId(w),
        ...logoId(w),
        ...{ client_id: 'tab', is_editing: true, page_id: 1 },
        cursor: { number: 1, anchor: 0, head: 2 },
      }),
    ],
    noReferences: { task_id: SHOWN, page_id: SHOWN },
    allowed: [...BOARD, 'reading key'],
    noCommand: 'only an open page of the app is present',
  },
}
