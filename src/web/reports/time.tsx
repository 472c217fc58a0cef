import { Link } from 'wouter'
import { useAsk } from '../data/cache.ts'
import type { Input, Output } from '../data/client.ts'
import { type Me, useOpenTask } from '../frame/places.ts'
import { plus } from '../parts/days.ts'
import { Icon } from '../parts/icon.tsx'
import { LoadError } from '../parts/load-error.tsx'
import { PickBoard, PickRange, Select } from './choose.tsx'
import { Shape } from './empty.tsx'
import type { Look } from './look.ts'
import { daysIn, rangeIn } from './range.ts'
import { hours, many, wholeDay } from './words.ts'

type Report = Output<'time.report'>
type Row = NonNullable<Report['rows']>[number]
type Group = NonNullable<Input<'time.report'>['group_by']>

const GROUPS: Record<Group, string> = {
  person: 'By person',
  task: 'By task',
  label: 'By label',
  day: 'By day',
}
/** A timer that runs is told anew so often. */
const RUNNING_MS = 30_000

/** How long was worked, by whom and on what. */
export function Time({ me, look }: { me: Me; look: Look }) {
  const asked = useAsked(look)
  const { group_by, running } = asked
  const report = useAsk('time.report', asked, {
    keep: true,
    ...(running && { every: RUNNING_MS }),
  })
  const { data } = report
  return (
    <>
      <Choices me={me} look={look} asked={asked} />
      {report.isPending && <Shape />}
      <LoadError of={report} what="the time report" />
      {data && (data.total_seconds === 0 ? <Nothing me={me} /> : <Sums {...{ data, group_by }} />)}
    </>
  )
}

type Asked = ReturnType<typeof useAsked>

function useAsked({ query }: Look) {
  const by = query.get('by') ?? ''
  const board = Number(query.get('board'))
  const who = Number(query.get('who'))
  const label = Number(query.get('label'))
  return {
    ...rangeIn(query, 'week'),
    group_by: (Object.hasOwn(GROUPS, by) ? by : 'person') as Group,
    running: query.get('running') !== 'no',
    ...(board && { project_id: board }),
    ...(who && { user_id: who }),
    ...(label && { label_id: label }),
  }
}

function Choices({ me, look, asked }: { me: Me; look: Look; asked: Asked }) {
  const { from, to, group_by, project_id, user_id, label_id, running } = asked
  const { put } = look
  return (
    <fieldset className="choices" aria-label="What is counted">
      <PickRange look={look} range={{ from, to }} usual="week" />
      <PickBoard me={me} look={look} value={project_id} all="All boards" />
      <Among {...{ look, asked }} name="Person" all="Everybody" field="who" value={user_id} />
      <Among {...{ look, asked }} name="Label" all="Any label" field="label" value={label_id} />
      <Select name="Rows" value={group_by} onPick={(by) => put({ by })}>
        {Object.entries(GROUPS).map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </Select>
      <label className="check">
        <input
          type="checkbox"
          checked={running}
          onChange={({ target }) => put({ running: target.checked ? undefined : 'no' })}
        />
        Running timers too
      </label>
      <a className="button quiet" href={fileOf(asked)} download>
        <Icon name="arrow" /> CSV
      </a>
    </fieldset>
  )
}

function fileOf(asked: Asked) {
  const query = new URLSearchParams({ format: 'csv' })
  for (const [name, value] of Object.entries(asked)) query.set(name, String(value))
  return `/api/v1/time/report?${query}`
}

interface AmongProps {
  look: Look
  name: 'Person' | 'Label'
  /** What none is called. */
  all: string
  /** In the address. */
  field: 'who' | 'label'
  asked: Asked
  value: number | undefined
}

/** Those that time was spent by, or on, in these days. */
function Among({ look, name, all, field, asked, value }: AmongProps) {
  const { from, to, project_id } = asked
  const group_by = field === 'who' ? 'person' : 'label'
  const input = { from, to, group_by, ...(project_id && { project_id }) } as const
  const { data } = useAsk('time.report', input, { keep: true })
  const some = data?.rows?.filter(({ key }) => key) ?? []
  const chosen = String(value ?? '')
  return (
    <Select name={name} value={chosen} onPick={(next) => look.put({ [field]: next })}>
      <option value="">{all}</option>
      {some.map((one) => (
        <option key={one.key} value={one.key}>
          {one.name}
        </option>
      ))}
      {chosen && !some.some(({ key }) => key === chosen) && (
        <option value={chosen}>None in these days</option>
      )}
    </Select>
  )
}

function Sums({ data, group_by }: { data: Report; group_by: Group }) {
  const rows = group_by === 'day' ? everyDay(data) : (data.rows ?? [])
  const most = Math.max(...rows.map(({ seconds }) => seconds))
  return (
    <>
      <p className="total" role="status">
        <strong className="tabular">{hours(data.total_seconds)}</strong>
        <span className="soft"> in all</span>
      </p>
      <table className="bars">
        <caption className="unseen">Time, {GROUPS[group_by].toLowerCase()}</caption>
        <thead>
          <tr>
            <th scope="col">
              {GROUPS[group_by].slice(3).replace(/^./, (one) => one.toUpperCase())}
            </th>
            <th scope="col" className="wide">
              <span className="unseen">Share</span>
            </th>
            <th scope="col">Time</th>
            <th scope="col">Entries</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Line
              key={row.key}
              {...{ row, group_by, most }}
              share={row.seconds / data.total_seconds}
            />
          ))}
        </tbody>
      </table>
      {data.rows_left_off > 0 && (
        <p className="soft">{many(data.rows_left_off, 'row')} more in the CSV file</p>
      )}
      {group_by === 'label' && (
        <p className="soft note">A task with two labels counts in both rows, and once in all.</p>
      )}
    </>
  )
}

/** Days without work are shown too, as far as they can be read. */
function everyDay({ rows = [], from, to }: Report): Row[] {
  const first = rows[0]?.key
  const last = rows.at(-1)?.key
  if (!first || !last || from === to) return rows
  const known = new Map(rows.map((row) => [row.key, row]))
  return Array.from({ length: daysIn({ from: first, to: last }) }, (_, at) => {
    const key = plus(first, at)
    return known.get(key) ?? { key, name: key, seconds: 0, minutes: 0, entries: 0 }
  })
}

interface LineProps {
  row: Row
  group_by: Group
  most: number
  share: number
}

function Line({ row, group_by, most, share }: LineProps) {
  const { key, name, seconds, entries } = row
  const open = useOpenTask()
  return (
    <tr>
      <th scope="row" dir="auto">
        {group_by === 'task' ? (
          <button type="button" className="goes" onClick={() => open(key)}>
            <span className="soft tabular">{key}</span> {name}
          </button>
        ) : group_by === 'day' ? (
          wholeDay(key)
        ) : (
          name
        )}
      </th>
      <td className="wide">
        <span className="bar" style={{ width: `${most ? (seconds / most) * 100 : 0}%` }} />
        <span className="unseen">{Math.round(share * 100)} %</span>
      </td>
      <td className="tabular">{hours(seconds)}</td>
      <td className="tabular soft">{entries}</td>
    </tr>
  )
}

const Nothing = ({ me }: { me: Me }) => (
  <div className="empty">
    <span className="pin" aria-hidden="true" />
    <h2>No time in these days</h2>
    <p className="soft">
      Start a timer on a task, or log minutes afterwards, and what was worked stands here: by
      person, task, label and day.
    </p>
    {me.boards.length > 0 && (
      <Link className="button plain" href="/my">
        Choose a task to time
      </Link>
    )}
  </div>
)
