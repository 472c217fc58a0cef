import type { operations } from '../../../../src/features/conversation/evidence/operations/index.ts'
import { BOARD, logoId, type SamplesOf } from '../../../support/operation-sample.ts'
import type { World } from '../../../support/world.ts'

/** Evidence of the member's agent. */
async function addEvidence({ bot, tasks }: World) {
  const { task_id } = tasks.logo
  const { evidence_id } = await bot['evidence.add']({ task_id, kind: 'note', summary: 'Done' })
  return { task_id, evidence_id }
}

export const samples: SamplesOf<typeof operations> = {
  'evidence.add': {
    input: (w) => ({
      ...logoId(w),
      kind: 'link',
      summary: 'The build is green',
      url: 'https://ci.example.com/build/12',
    }),
    furtherInputs: [
      async (w) => {
        const { items } = await w.ada['attachments.list'](logoId(w))
        const { attachment_id } = items[0]!
        return { ...logoId(w), kind: 'file', summary: 'The brief', attachment_id }
      },
    ],
    allowed: BOARD,
    approval: 'never',
    referenceNeeds: { attachment_id: { kind: 'file', url: undefined } },
  },
  'evidence.list': { input: logoId, allowed: [...BOARD, 'reading key'] },
  'evidence.delete': {
    input: addEvidence,
    // Evidence of an agent of the member: that agent, and managers of the board.
    allowed: ['admin', 'owner', 'agent'],
    approval: 'always',
  },
}
