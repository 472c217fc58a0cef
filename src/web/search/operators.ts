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
  '>30d': 'Longer ago than 30 days',
}

/** The search operators, in the order in which they are suggested. */
export const OPERATORS: Readonly<Record<string, Operator>> = {
  is: {
    says: 'How the task stands',
    values: {
      open: 'Not done',
      done: 'Done',
      overdue: 'Past its due date',
      blocked: 'Waits for another task',
      blocking: 'Others wait for it',
      snoozed: 'Put off for a while',
      archived: 'In the archive',
    },
    isClosed: true,
  },
  assignee: {
    says: 'Whose it is',
    values: { me: 'Yours', none: 'Nobody’s' },
    of: 'people',
  },
  label: { says: 'What it is labelled with', values: { none: 'No label' }, of: 'labels' },
  section: { says: 'The column it stands in', values: {}, of: 'columns' },
  board: { says: 'The board it is on', values: {}, of: 'boards' },
  due: {
    says: 'When it is due',
    values: {
      today: 'Today',
      week: 'Within a week',
      overdue: 'Past its due date',
      none: 'No due date',
      '<30d': 'Within 30 days',
    },
  },
  priority: {
    says: 'How much it matters',
    values: { urgent: 'Urgent', high: 'High', medium: 'Medium', low: 'Low', none: 'None' },
    isClosed: true,
  },
  size: {
    says: 'How much work it is',
    values: { XS: 'Extra small', S: 'Small', M: 'Medium', L: 'Large', XL: 'Extra large' },
    isClosed: true,
  },
  has: {
    says: 'What there is with it',
    values: {
      comment: 'Comments',
      page: 'Pages',
      attachment: 'Files',
      due: 'A due date',
      pr: 'A pull request',
    },
    isClosed: true,
  },
  by: { says: 'Who made it', values: { me: 'You' }, of: 'people' },
  created: { says: 'When it was made', values: PAST },
  updated: { says: 'When it was last changed', values: PAST },
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
  has: 'With',
  by: 'Made by',
  created: 'Made',
  updated: 'Changed',
}

/** The name and value of an operator as shown on its chip. */
export function operatorText(name: string, text: string): { name: string; value: string } {
  const valueText = OPERATORS[name]?.values[text] ?? OPERATORS[name]?.values[text.toLowerCase()]
  return { name: NAMES[name] ?? name, value: valueText ?? text }
}
