import type { operations } from '../../../../src/features/boards/views/operations/index.ts'
import { BOARD, boardId, type SamplesOf } from '../../../support/operation-sample.ts'
import type { World } from '../../../support/world.ts'

/** A shared view of the owner. */
const createView = async (w: World) => {
  const { view_id } = await w.ada['views.create']({
    ...boardId(w),
    title: 'Urgent',
    label_names: ['bug'],
  })
  return { view_id }
}

const hotViewId = async (w: World) => {
  const { items } = await w.ada['views.list'](boardId(w))
  return { view_id: items.find(({ title }) => title === 'Hot')!.view_id }
}

export const samples: SamplesOf<typeof operations> = {
  'views.list': {
    input: boardId,
    furtherInputs: [
      async (w) => {
        await w.ada['views.get'](await hotViewId(w))
        return boardId(w)
      },
    ],
    allowed: [...BOARD, 'reading key'],
    unset: {
      'needs a second request that follows the first': ['items[].last_used_at'],
      'is set by another credential or another order of requests than the samples use': [
        'items[].assignee_ids',
        'items[].board_filters.groups[].match',
      ],
    },
  },
  'views.get': { input: createView, allowed: [...BOARD, 'reading key'] },
  'views.matches': {
    input: (w) => ({
      ...boardId(w),
      board_filters: { groups: [{ rules: [{ field: 'label', op: 'any_of', value: ['bug'] }] }] },
    }),
    allowed: [...BOARD, 'reading key'],
    noCommand: 'the app filters the cards that it shows',
  },
  'views.tasks': {
    input: createView,
    furtherInputs: [
      hotViewId,
      async (w) => {
        const view = { ...boardId(w), title: 'Nested', subtask_setting: 'Card' as const }
        return { view_id: (await w.ada['views.create'](view)).view_id }
      },
    ],
    allowed: [...BOARD, 'reading key'],
    unset: {
      'is only there when it is named in fields, or when a text is truncated': [
        'items[].description',
      ],
    },
  },
  'views.export': {
    input: createView,
    furtherInputs: [hotViewId],
    allowed: [...BOARD, 'reading key'],
    noCommand: 'cork export writes the file',
  },
  'views.create': {
    input: (w) => ({
      ...boardId(w),
      title: 'Urgent',
      board_filters: { groups: [{ rules: [{ field: 'priority', op: 'is', value: 'Urgent' }] }] },
      sorting_stack: [{ mode: 'DueDate' }, { mode: 'Title', order: 'Descending' }],
    }),
    allowed: BOARD,
    approval: 'never',
  },
  'views.update': {
    input: async (w) => ({ ...(await createView(w)), title: 'Very urgent' }),
    // The view of another person: managers of the board.
    allowed: ['admin', 'owner'],
    approval: 'never',
  },
  'views.delete': { input: createView, allowed: ['admin', 'owner'], approval: 'always' },
  'views.set_default': {
    input: async (w) => ({ ...(await createView(w)), set_as_default: true }),
    allowed: BOARD,
    approval: 'never',
  },
  'views.set_display': {
    input: async (w) => ({
      ...(await createView(w)),
      display: {
        columns: [{ field: 'title', width: 320 }, { field: 'due_date' }],
        group: 'assignee',
        subgroup: 'priority',
        totals: [{ field: 'size', kind: 'average' }],
        collapsed: ['assignee:none'],
      },
    }),
    allowed: ['admin', 'owner'],
    approval: 'never',
    noCommand: 'only the app draws tables',
  },
}
