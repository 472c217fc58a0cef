import { Type as t } from '@sinclair/typebox'
import {
  actor,
  Count,
  from,
  InvalidRecord,
  moment,
  nullable,
  oneOf,
  orNull,
  plain,
  portableRows,
  taskRowLines,
} from '../../../../store/portability/index.ts'
import { lengthOf, parseDay } from './rules.ts'
import { asEnded } from './store.ts'
import { timeEntries } from './tables.ts'

const Second = t.Integer({ minimum: 0, maximum: 253_402_300_800 })
const OPEN = 'the export ends an open timer, because it cannot run on another server'

export const timeEntryLines = taskRowLines({
  kind: 'time_entry',
  what: 'time',
  orderBy: [timeEntries.created_at, timeEntries.entry_id],
  rows: portableRows(
    timeEntries,
    {
      who: from('actor_id', actor),
      kind: plain(oneOf('timer', 'logged')),
      started_at: moment,
      ended_at: ended(),
      stretches: plain(t.Array(t.Tuple([Second, Second]), { maxItems: 100_000 })),
      seconds: plain(Count),
      day: plain(nullable(t.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' }))),
      note: plain(nullable(t.String({ maxLength: 10_000 }))),
      created_at: moment,
    },
    { entry_id: 'generated', running_since: OPEN, paused_at: OPEN },
  ),
  exported: (entry, now) => ({ ...entry, ...asEnded(entry, now) }),
  check({ task, kind, day, stretches, seconds }) {
    const isLogged = kind === 'logged'
    if (isLogged !== (day !== null) || (day !== null && parseDay(day) === undefined))
      throw new InvalidRecord(
        `time of ${task} must have a valid day if it was logged, and no day if a timer recorded it`,
      )
    // Stretches may overlap if the clock was set back.
    const isCounted = stretches.every(([from, to]) => from < to) && lengthOf(stretches) === seconds
    if (isLogged ? stretches.length : !isCounted)
      throw new InvalidRecord(`time of ${task} has stretches that do not match`)
  },
})

/** Never null in a file. */
function ended() {
  return { ...orNull(moment), type: moment.type }
}
