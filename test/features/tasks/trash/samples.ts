import type { operations } from '../../../../src/features/tasks/trash/operations/index.ts'
import type { SamplesOf } from '../../../support/operation-sample.ts'
import type { World } from '../../../support/world.ts'

/** Puts a task of the owner into the trash. */
async function trashed(w: World) {
  const { task_id } = await w.ada['tasks.create']({
    project_id: w.board.project_id,
    title: 'A task for the trash',
  })
  await w.ada['tasks.update']({ task_id, status: 'Deleted' })
  return task_id
}

export const samples: SamplesOf<typeof operations> = {
  'trash.delete': {
    input: async (w) => ({ task_ids: [await trashed(w)] }),
    allowed: ['admin', 'owner'],
    approval: 'always',
    lease: { none: 'agents cannot make the call' },
    noCommand: 'trash empty deletes all tasks; single ones are deleted in the app',
  },
  'trash.empty': {
    input: async (w) => {
      await trashed(w)
      return { project_id: w.board.project_id }
    },
    allowed: ['invited', 'member', 'admin', 'owner'],
    approval: 'always',
    lease: { none: 'agents cannot make the call' },
  },
}
