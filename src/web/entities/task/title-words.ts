/**
 * Whether a title may name a due date, a repeat rule, a priority, a size, a label, a board or an
 * assignee. Only the server reads them; for all other titles nothing is asked. A test compares this
 * with the parser of the server.
 */
export const mayHaveFields = (title: string) => MARKS.test(title) || WORDS.test(title)

const MARKS = /[#@~!]\S|\d/
const WORDS = new RegExp(
  String.raw`\b(?:${[
    ...['today', 'tomorrow', 'tmrw', 'tmr', 'tonight', 'yesterday', 'day', 'hour', 'hr', 'min'],
    ...['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun', 'jan', 'feb', 'mar', 'apr', 'may', 'jun'],
    ...[
      'jul',
      'aug',
      'sep',
      'oct',
      'nov',
      'dec',
      'every',
      'each',
      'daily',
      'week',
      'bi',
      'fortnight',
    ],
    ...['quarter', 'year', 'annual', 'noon', 'morning', 'afternoon', 'evening', 'night'],
  ].join('|')})`,
  'i',
)
