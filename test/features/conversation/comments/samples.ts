import type { operations } from '../../../../src/features/conversation/comments/operations/index.ts'
import { BOARD, logoId, type SamplesOf } from '../../../support/operation-sample.ts'
import type { World } from '../../../support/world.ts'

/** A comment of the member's agent. */
const addComment = async ({ bot, tasks }: World) => {
  const { task_id } = tasks.logo
  const { comment_id } = await bot['comments.add']({ task_id, text: '<p>In red?</p>' })
  return { comment_id }
}

const FILE = { filename: 'a.txt', content_type: 'text/plain', data: 'SGk=' }

export const samples: SamplesOf<typeof operations> = {
  'comments.list': {
    input: (w) => ({ ...logoId(w), include_activity: true }),
    furtherInputs: [logoId],
    allowed: [...BOARD, 'reading key'],
    unset: {
      'is set by another credential or another order of requests than the samples use': [
        'items[].reply_to_invocation_id',
        'items[].run_id',
        'items[].rule',
        'items[].rule_definition',
      ],
    },
  },
  'comments.get': {
    input: addComment,
    allowed: [...BOARD, 'reading key'],
    unset: {
      'is set by another credential or another order of requests than the samples use': [
        'reply_to_invocation_id',
      ],
    },
  },
  'comments.add': {
    input: (w) => ({
      ...logoId(w),
      text: '<p>@Ada, in red?</p>',
      mentions: [{ user_id: w.ada.caller.actor_id, display_name: 'Ada' }],
    }),
    furtherInputs: [(w) => ({ ...logoId(w), text: 'See the file', attachments: [FILE] })],
    allowed: BOARD,
    approval: 'never',
  },
  'comments.update': {
    input: async (w) => ({ ...(await addComment(w)), text: '<p>In blue?</p>' }),
    // Only the author of a comment edits it; here that is the member's agent.
    allowed: ['agent'],
    caller: 'agent',
    approval: 'never',
  },
  'comments.delete': {
    input: addComment,
    allowed: ['member', 'admin', 'owner', 'agent'],
    approval: 'always',
  },
  'comments.react': {
    input: async (w) => ({ ...(await addComment(w)), emoji: '👍' }),
    allowed: BOARD,
    approval: 'never',
  },
  'comments.unreact': {
    input: async (w) => {
      const { comment_id } = await addComment(w)
      await w.ada['comments.react']({ comment_id, emoji: '👍' })
      return { comment_id, emoji: '👍' }
    },
    allowed: BOARD,
    approval: 'never',
  },
}
