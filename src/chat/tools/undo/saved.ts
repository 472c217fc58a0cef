import { type Fields, GONE, picked, type Step, unmade, type Ways } from './types.ts'

const FILTERS = ['board_filters', 'label_names', 'assignee_ids', 'match']
const SORTING = ['sorting_mode', 'sorting_order', 'sorting_stack']
const PLAIN = ['title', 'visibility', 'visible_section_ids', 'subtask_setting']

interface View extends Fields {
  view_id: string
  project_id: number
  is_default: boolean
}

/** Each filter is part of all filters, and so is each way to sort. */
function viewBack(input: Fields, was: View): Step[] {
  const has = (names: readonly string[]) => names.some((name) => input[name] !== undefined)
  const names = [
    ...PLAIN.filter((name) => input[name] !== undefined),
    ...(has(FILTERS) ? FILTERS : []),
    ...(has(SORTING) ? ['sorting_stack'] : []),
  ]
  const { view_id } = was
  const back = { op: 'views.update', input: { view_id, ...picked(was, names) } }
  return names.length ? [back] : []
}

const SKILL = ['name', 'slug', 'description', 'body', 'argument_hint', 'enabled']

const REPORT = ['title', 'description', 'body_html']

/** What people saved: views, reports and skills. */
export const ofSaved: Ways = {
  'views.create': unmade('views.delete', 'view_id'),
  'views.update': {
    sees: ({ view_id }) => ({
      ...{ op: 'views.get', input: { view_id } },
      fields: [...PLAIN, ...FILTERS, ...SORTING, 'is_default'],
    }),
    back({ input, before }) {
      if (input.set_as_default !== undefined) return undefined
      return viewBack(input, before as View)
    },
  },
  'views.delete': GONE,
  'views.set_default': {
    async sees({ view_id }, look) {
      const { project_id } = (await look({ op: 'views.get', input: { view_id } })) as View
      const input = { project_id, limit: 50 }
      return { op: 'views.list', input, fields: ['view_id', 'is_default'] }
    },
    back({ input: { view_id }, before }) {
      const was = (before as View[]).find(({ is_default }) => is_default)
      const input = was ? { view_id: was.view_id } : { view_id, set_as_default: false }
      return [{ op: 'views.set_default', input }]
    },
  },
  'reports.create': unmade('reports.delete', 'report_id'),
  'reports.update': {
    sees: (input) => ({
      ...{ op: 'reports.get', input: picked(input, address(input)) },
      fields: [...REPORT, 'slug'],
    }),
    back({ input, before }) {
      const given = [...REPORT, ...(input.report_id === undefined ? [] : ['slug'])].filter(
        (name) => input[name] !== undefined,
      )
      const { report_id } = before as Fields
      return [{ op: 'reports.update', input: { report_id, ...picked(before as Fields, given) } }]
    },
  },
  'reports.delete': GONE,
  'skills.create': unmade('skills.delete', 'skill_id'),
  'skills.update': {
    sees: ({ skill_id }) => ({ op: 'skills.get', input: { skill_id }, fields: SKILL }),
    back({ before, after }) {
      const [was, is] = [before as Fields, after as Fields]
      const changed = SKILL.filter((name) => !Bun.deepEquals(was[name], is[name]))
      if (!changed.length) return undefined
      return [{ op: 'skills.update', input: picked(was, ['skill_id', ...changed]) }]
    },
  },
  'skills.delete': GONE,
  'skills.import': 'Delete the skills that you do not want to keep',
}

const address = ({ report_id }: Fields) =>
  report_id === undefined ? ['project_id', 'slug'] : ['report_id']
