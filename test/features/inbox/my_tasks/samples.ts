import type { operations } from '../../../../src/features/inbox/my_tasks/operations/index.ts'
import { BOARD, boardId, EVERYONE, type SamplesOf } from '../../../support/operation-sample.ts'
import type { World } from '../../../support/world.ts'

/** A My Tasks view of the owner. */
const createMyView = async ({ ada }: World) => {
  const { view_id } = await ada['my_views.create']({ title: 'By board', grouping: 'board' })
  return { view_id }
}

export const samples: SamplesOf<typeof operations> = {
  'my_tasks.list': {
    input: () => ({
      ...{ grouping: 'board', priority: ['High'], sorting_stack: [{ mode: 'Title' }] },
      board_filters: { groups: [{ rules: [{ field: 'done', op: 'is', value: false }] }] },
    }),
    furtherInputs: [() => ({ include_done: true, include_snoozed: true })],
    // Views of My Tasks belong to a person and not to a board.
    allowed: [...EVERYONE, 'reading key'],
    unset: {
      'is only there when it is named in fields, or when a text is truncated': [
        'items[].description',
      ],
    },
  },
  'my_tasks.groups': {
    input: () => ({ include_done: true }),
    furtherInputs: [() => ({ grouping: 'board', include_snoozed: true })],
    allowed: [...EVERYONE, 'reading key'],
  },
  'my_tasks.add': {
    input: (w) => ({ title: 'Tea daily', natural: true, ...boardId(w) }),
    furtherInputs: [
      (w) => ({ ...boardId(w), title: 'Tea tomorrow #bug !high', natural: true, dry_run: true }),
    ],
    allowed: BOARD,
    approval: 'never',
    unset: {
      'is set by another credential or another order of requests than the samples use': [
        'content_type',
        'next_occurrence',
        'similar',
      ],
    },
  },
  'my_views.list': { input: () => ({}), allowed: [...EVERYONE, 'reading key'] },
  'my_views.create': {
    input: () => ({ title: 'By board', grouping: 'board', show_done: true }),
    allowed: EVERYONE,
    approval: 'never',
  },
  'my_views.update': {
    input: async (w) => ({ ...(await createMyView(w)), show_done: true }),
    // The sample is a view of the owner.
    allowed: ['owner'],
    approval: 'never',
  },
  'my_views.delete': { input: createMyView, allowed: ['owner'], approval: 'always' },
}
