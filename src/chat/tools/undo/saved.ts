import {
  DELETED_FOR_GOOD,
  deletesCreated,
  type Fields,
  pick,
  type Step,
  type UndoRules,
} from './types.ts'

const FILTERS = ['board_filters', 'label_names', 'assignee_ids', 'match']
const SORTING = ['sorting_mode', 'sorting_order', 'sorting_stack']
const PLAIN = ['title', 'visibility', 'visible_section_ids', 'subtask_setting']

interface View extends Fields {
  view_id: string
  project_id: number
  is_default: boolean
}

/** All filters are restored if any was set, and the whole sorting if any part of it was set. */
function undoView(input: Fields, before: View): Step[] {
  const isSet = (names: readonly string[]) => names.some((name) => input[name] !== undefined)
  const names = [
    ...PLAIN.filter((name) => input[name] !== undefined),
    ...(isSet(FILTERS) ? FILTERS : []),
    ...(isSet(SORTING) ? ['sorting_stack'] : []),
  ]
  const { view_id } = before
  const step = { op: 'views.update', input: { view_id, ...pick(before, names) } }
  return names.length ? [step] : []
}

const SKILL = ['name', 'slug', 'description', 'body', 'argument_hint', 'enabled']

const REPORT = ['title', 'description', 'body_html']

/** Views, reports and skills. */
export const savedRules: UndoRules = {
  'views.create': deletesCreated('views.delete', 'view_id'),
  'views.update': {
    reads: ({ view_id }) => ({
      op: 'views.get',
      input: { view_id },
      fields: [...PLAIN, ...FILTERS, ...SORTING, 'is_default'],
    }),
    undo({ input, before }) {
      if (input.set_as_default !== undefined) return undefined
      return undoView(input, before as View)
    },
  },
  'views.delete': DELETED_FOR_GOOD,
  'views.set_default': {
    async reads({ view_id }, read) {
      const { project_id } = (await read({ op: 'views.get', input: { view_id } })) as View
      const input = { project_id, limit: 50 }
      return { op: 'views.list', input, fields: ['view_id', 'is_default'] }
    },
    undo({ input: { view_id }, before }) {
      const view = (before as View[]).find(({ is_default }) => is_default)
      const input = view ? { view_id: view.view_id } : { view_id, set_as_default: false }
      return [{ op: 'views.set_default', input }]
    },
  },
  'reports.create': deletesCreated('reports.delete', 'report_id'),
  'reports.update': {
    reads: (input) => ({
      op: 'reports.get',
      input: pick(input, address(input)),
      fields: [...REPORT, 'slug'],
    }),
    undo({ input, before }) {
      const set = [...REPORT, ...(input.report_id === undefined ? [] : ['slug'])].filter(
        (name) => input[name] !== undefined,
      )
      const { report_id } = before as Fields
      return [{ op: 'reports.update', input: { report_id, ...pick(before as Fields, set) } }]
    },
  },
  'reports.delete': DELETED_FOR_GOOD,
  'skills.create': deletesCreated('skills.delete', 'skill_id'),
  'skills.update': {
    reads: ({ skill_id }) => ({ op: 'skills.get', input: { skill_id }, fields: SKILL }),
    undo({ before, after }) {
      const [old, current] = [before as Fields, after as Fields]
      const changed = SKILL.filter((name) => !Bun.deepEquals(old[name], current[name]))
      if (!changed.length) return undefined
      return [{ op: 'skills.update', input: pick(old, ['skill_id', ...changed]) }]
    },
  },
  'skills.delete': DELETED_FOR_GOOD,
  'skills.import': 'Delete the skills that you do not want to keep',
}

const address = ({ report_id }: Fields) =>
  report_id === undefined ? ['project_id', 'slug'] : ['report_id']
