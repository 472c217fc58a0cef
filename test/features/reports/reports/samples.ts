import type { operations } from '../../../../src/features/reports/reports/operations/index.ts'
import { BOARD, boardId, type SamplesOf } from '../../../support/operation-sample.ts'
import type { World } from '../../../support/world.ts'

async function createReport({ ada, board }: World) {
  const { project_id } = board
  const { report_id } = await ada['reports.create']({ project_id, title: 'Status' })
  return { report_id }
}

export const samples: SamplesOf<typeof operations> = {
  'reports.list': { input: boardId, allowed: [...BOARD, 'reading key'] },
  'reports.get': {
    input: createReport,
    furtherInputs: [
      async (w) => {
        const { items } = await w.ada['reports.list'](boardId(w))
        return { report_id: items.find(({ title }) => title === 'Weekly status')!.report_id }
      },
    ],
    allowed: [...BOARD, 'reading key'],
    referenceNeeds: { project_id: { report_id: undefined, slug: 'weekly-status' } },
  },
  'reports.create': {
    input: (w) => ({ ...boardId(w), title: 'Weekly status', body_html: '<p>All is well.</p>' }),
    allowed: ['member', 'admin', 'owner', 'agent'],
    approval: 'never',
  },
  'reports.update': {
    input: async (w) => ({ ...(await createReport(w)), title: 'Monthly status' }),
    allowed: ['member', 'admin', 'owner', 'agent'],
    approval: 'never',
    referenceNeeds: { project_id: { report_id: undefined, slug: 'weekly-status' } },
  },
  'reports.delete': {
    input: createReport,
    allowed: ['member', 'admin', 'owner', 'agent'],
    approval: 'always',
    referenceNeeds: { project_id: { report_id: undefined, slug: 'weekly-status' } },
  },
}
