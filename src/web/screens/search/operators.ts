import { choicesOf, TASK_FIELDS } from '../../entities/task/task-fields.tsx'

/** A search operator and its values. */
export interface Operator {
  says: string
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
  today: 'Today',
  week: 'In the last seven days',
  '<30d': 'In the last 30 days',
  '>30d': 'More than 30 days ago',
}

/** Some of these have their own words below. */
const fieldOperators = Object.fromEntries(
  TASK_FIELDS.flatMap((field): [string, Operator][] => {
    const values = Object.fromEntries(choicesOf(field).map(({ name }) => [name, name]))
    return field.rule && field.hasOperator ? [[field.rule, { says: field.label, values }]] : []
  }),
)

/** The search operators, in the order in which they are suggested. */
export const OPERATORS: Readonly<Record<string, Operator>> = {
  is: {
    says: 'State',
    values: {
      open: 'Not done',
      done: 'Done',
      overdue: 'Overdue',
      blocked: 'Blocked by another task',
      blocking: 'Blocks another task',
      snoozed: 'Snoozed',
      archived: 'Archived',
    },
    isClosed: true,
  },
  assignee: {
    says: 'Assignee',
    values: { me: 'You', none: 'Nobody' },
    of: 'people',
  },
  label: { says: 'Label', values: { none: 'No label' }, of: 'labels' },
  section: { says: 'Column', values: {}, of: 'columns' },
  board: { says: 'Board', values: {}, of: 'boards' },
  due: {
    says: 'Due date',
    values: {
      today: 'Today',
      week: 'Within a week',
      overdue: 'Overdue',
      none: 'No due date',
      '<30d': 'Within 30 days',
    },
  },
  ...fieldOperators,
  priority: {
    says: 'Priority',
    values: { urgent: 'Urgent', high: 'High', medium: 'Medium', low: 'Low', none: 'None' },
    isClosed: true,
  },
  size: {
    says: 'Size',
    values: { XS: 'Extra small', S: 'Small', M: 'Medium', L: 'Large', XL: 'Extra large' },
    isClosed: true,
  },
  has: {
    says: 'What the task has',
    values: {
      comment: 'Comments',
      page: 'Pages',
      attachment: 'Files',
      due: 'A due date',
      pr: 'A pull request',
    },
    isClosed: true,
  },
  by: { says: 'Creator', values: { me: 'You' }, of: 'people' },
  created: { says: 'Creation date', values: PAST },
  updated: { says: 'Last update', values: PAST },
}

const NAMES: Record<string, string> = {
  is: 'State',
  assignee: 'Assignee',
  label: 'Label',
  section: 'Column',
  board: 'Board',
  due: 'Due',
  priority: 'Priority',
  size: 'Size',
  has: 'Has',
  by: 'Created by',
  created: 'Created',
  updated: 'Updated',
}

/** The name and value of an operator as shown on its chip. */
export function operatorText(name: string, text: string): { name: string; value: string } {
  const valueText = OPERATORS[name]?.values[text] ?? OPERATORS[name]?.values[text.toLowerCase()]
  return { name: NAMES[name] ?? OPERATORS[name]?.says ?? name, value: valueText ?? text }
}
