import type { operations } from '../../../../src/features/tasks/attachments/operations/index.ts'
import { BOARD, logoId, type SamplesOf } from '../../../support/operation-sample.ts'
import type { World } from '../../../support/world.ts'

const note = { filename: 'note.txt', content_type: 'text/plain', data: 'SGk=' }

const createAttachment = async (w: World): Promise<number> => {
  const { task_id } = w.tasks.logo
  const { attachments } = await w.ada['attachments.create']({ task_id, files: [note] })
  return attachments[0]!.attachment_id
}

export const samples: SamplesOf<typeof operations> = {
  'attachments.list': { input: logoId, allowed: [...BOARD, 'reading key'] },
  'attachments.get': {
    input: async (w) => ({ attachment_id: await createAttachment(w) }),
    allowed: [...BOARD, 'reading key'],
  },
  'attachments.create': {
    input: (w) => ({ ...logoId(w), files: [note] }),
    allowed: BOARD,
    approval: {
      asksFor: { files: [{ url: 'https://example.com/a' }] },
      notFor: { files: [{ data: 'YQ==' }] },
    },
    unset: {
      'is set by another credential or another order of requests than the samples use': [
        'comment_id',
      ],
    },
    referenceNeeds: { comment_id: { task_id: undefined } },
  },
  'attachments.delete': {
    input: async (w) => ({ attachment_id: await createAttachment(w) }),
    // The file of another person: managers of the board.
    allowed: ['admin', 'owner'],
    approval: 'always',
  },
}
