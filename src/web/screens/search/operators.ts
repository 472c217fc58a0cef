import { englishChoicesOf, TASK_FIELDS } from '../../entities/task/task-fields.tsx'
import { t } from '../../messages/t.ts'

/** A search operator and its values. */
export interface Operator {
  description: string
  /** The fixed values. */
  values: Readonly<Record<string, string>>
  /** The source of further values, which are names. */
  of?: NameSource
  /** Only the fixed values are valid. */
  isClosed?: true
}
/** A source of names. */
export type NameSource = 'people' | 'labels' | 'columns' | 'boards'

const PAST = {
  today: t('common.today'),
  week: t('search.in_the_last_seven_days'),
  '<30d': t('search.in_the_last_30_days'),
  '>30d': t('search.more_than_30_days_ago'),
}

/** Some of these have their own words below. */
const fieldOperators = Object.fromEntries(
  TASK_FIELDS.flatMap((field): [string, Operator][] => {
    const values = Object.fromEntries(englishChoicesOf(field).map(({ name }) => [name, name]))
    return field.rule && field.hasOperator
      ? [[field.rule, { description: field.label, values }]]
      : []
  }),
)

/** The search operators, in the order in which they are suggested. */
export const OPERATORS: Readonly<Record<string, Operator>> = {
  is: {
    description: t('common.state'),
    values: {
      open: t('search.not_done'),
      done: t('common.done'),
      overdue: t('common.overdue'),
      blocked: t('common.blocked_by_another_task'),
      blocking: t('search.blocks_another_task'),
      snoozed: t('common.snoozed'),
      archived: t('common.archived'),
    },
    isClosed: true,
  },
  assignee: {
    description: t('search.assignee'),
    values: { me: t('common.you'), none: t('common.nobody') },
    of: 'people',
  },
  label: { description: t('common.label'), values: { none: t('search.no_label') }, of: 'labels' },
  section: { description: t('common.column'), values: {}, of: 'columns' },
  board: { description: t('common.board'), values: {}, of: 'boards' },
  due: {
    description: t('common.due_date'),
    values: {
      today: t('common.today'),
      week: t('search.within_a_week'),
      overdue: t('common.overdue'),
      none: t('common.no_due_date'),
      '<30d': t('search.within_30_days'),
    },
  },
  ...fieldOperators,
  priority: {
    description: t('common.priority'),
    values: {
      urgent: t('search.urgent'),
      high: t('search.high'),
      medium: t('search.medium'),
      low: t('search.low'),
      none: t('common.none'),
    },
    isClosed: true,
  },
  size: {
    description: t('common.size'),
    values: {
      XS: t('search.extra_small'),
      S: t('search.small'),
      M: t('search.medium'),
      L: t('search.large'),
      XL: t('search.extra_large'),
    },
    isClosed: true,
  },
  has: {
    description: t('search.what_the_task_has'),
    values: {
      comment: t('common.comments'),
      page: t('common.pages'),
      attachment: t('search.files'),
      due: t('search.a_due_date'),
      pr: t('search.a_pull_request'),
    },
    isClosed: true,
  },
  by: { description: t('search.creator'), values: { me: t('common.you') }, of: 'people' },
  created: { description: t('search.creation_date'), values: PAST },
  updated: { description: t('search.last_update'), values: PAST },
  completed: { description: t('search.completion_date'), values: PAST },
  moved: { description: t('search.last_move_to_another_column'), values: PAST },
  commented: { description: t('search.last_comment'), values: PAST },
}

const NAMES: Record<string, string> = {
  is: t('common.state'),
  assignee: t('search.assignee'),
  label: t('common.label'),
  section: t('common.column'),
  board: t('common.board'),
  due: t('common.due'),
  priority: t('common.priority'),
  size: t('common.size'),
  has: t('search.has'),
  by: t('search.created_by'),
  created: t('common.created'),
  updated: t('common.updated'),
}

/** The name and value of an operator as shown on its chip. */
export function operatorText(name: string, text: string): { name: string; value: string } {
  const valueText = OPERATORS[name]?.values[text] ?? OPERATORS[name]?.values[text.toLowerCase()]
  return { name: NAMES[name] ?? OPERATORS[name]?.description ?? name, value: valueText ?? text }
}
