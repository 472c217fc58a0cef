import type { operations } from '../../../../src/features/boards/templates/operations/index.ts'
import { BOARD, type SamplesOf } from '../../../support/operation-sample.ts'
import type { World } from '../../../support/world.ts'

/** A template of the owner. */
async function createTemplate({ ada, tasks }: World) {
  const { template_id } = await ada['templates.create']({ taskId: tasks.logo.task_id })
  return { templateId: template_id }
}

export const samples: SamplesOf<typeof operations> = {
  'templates.list': {
    input: (w) => ({ projectId: w.board.project_id }),
    allowed: [...BOARD, 'reading key'],
  },
  'templates.create': {
    input: (w) => ({ taskId: w.tasks.logo.task_id, includeSubtasks: true }),
    allowed: BOARD,
    approval: 'never',
  },
  'templates.delete': { input: createTemplate, allowed: BOARD, approval: 'always' },
  'templates.apply': { input: createTemplate, allowed: BOARD, approval: 'never' },
}
