import { Link } from 'wouter'
import { useAsk } from '../data/cache.ts'
import type { Output } from '../data/client.ts'
import type { Me } from '../frame/places.ts'
import { Icon } from '../parts/icon.tsx'
import { LoadError } from '../parts/load-error.tsx'
import { PickBoard, PickRange } from './choose.tsx'
import { Cumulative } from './cumulative.tsx'
import { Cycle } from './cycle.tsx'
import { NoBoard, Shape } from './empty.tsx'
import { Going } from './going.tsx'
import { boardIn, type Look } from './look.ts'
import { titleOf } from './own.ts'
import { daysIn, rangeIn } from './range.ts'
import { Throughput } from './throughput.tsx'
import { lasting, plain } from './words.ts'

export type FlowReport = Output<'flow.report'>
export interface Shown {
  flow: FlowReport
  look: Look
  board: string
}

const WHAT = 'Flow is how tasks go over a board, from its first column to its last.'

/** How work flows over a board. */
export function Flow({ me, look }: { me: Me; look: Look }) {
  const project_id = boardIn(look, me)
  const range = rangeIn(look.query, '30')
  const report = useAsk(
    'flow.report',
    { project_id: project_id ?? 0, ...range },
    { keep: true, enabled: project_id !== undefined },
  )
  const { data: flow } = report
  const board = titleOf(me, project_id)
  if (project_id === undefined) return <NoBoard words={WHAT} />
  return (
    <>
      <fieldset className="choices" aria-label="What is counted">
        <PickBoard me={me} look={look} value={project_id} />
        <PickRange look={look} range={range} usual="30" />
        <Files project_id={project_id} range={range} />
      </fieldset>
      {report.isPending && <Shape />}
      <LoadError of={report} what="the flow report" />
      {flow &&
        (isQuiet(flow) ? (
          <Quiet board={board} project_id={project_id} />
        ) : (
          <Figures {...{ flow, look, board }} />
        ))}
    </>
  )
}

interface FilesProps {
  project_id: number
  range: { from: string; to: string }
}

const Files = ({ project_id, range }: FilesProps) => {
  const path = `/api/v1/projects/${project_id}/flow?${new URLSearchParams({ ...range })}&format=csv`
  return (
    <span className="files">
      <a className="button quiet" href={path} download>
        <Icon name="arrow" /> CSV of days
      </a>
      <a className="button quiet" href={`${path}&table=tasks`} download>
        <Icon name="arrow" /> CSV of tasks
      </a>
    </span>
  )
}

function Figures(shown: Shown) {
  const { flow } = shown
  const weeks = daysIn(flow) / 7
  const { median, p85, tasks } = flow.cycle
  return (
    <>
      <dl className="figures">
        <Fact name="Done" value={plain(flow.completed)} more={perWeek(flow.completed, weeks)} />
        <Fact name="Cycle time" value={lasting(median)} more={tasks ? 'median' : 'not known yet'} />
        <Fact name="85 of 100 within" value={lasting(p85)} more="of cycle time" />
        <Fact name="Lead time" value={lasting(flow.lead.median)} more="median" />
        <Fact name="In work now" value={plain(flow.going_total)} more={oldest(flow)} />
      </dl>
      <Throughput {...shown} />
      <Cycle {...shown} />
      <Cumulative {...shown} />
      <Going flow={flow} />
    </>
  )
}

const perWeek = (done: number, weeks: number) =>
  weeks > 1 ? `${plain(done / weeks)} a week` : 'tasks'
const oldest = ({ going: [first] }: FlowReport) =>
  first ? `the oldest for ${lasting(first.age_seconds)}` : 'tasks'

const Fact = ({ name, value, more }: { name: string; value: string; more: string }) => (
  <div>
    <dt className="soft">{name}</dt>
    <dd>
      <strong className="tabular">{value}</strong>
      <span className="soft">{more}</span>
    </dd>
  </div>
)

const isQuiet = ({ days, completed, going_total }: FlowReport) =>
  !completed && !going_total && days.every(({ tasks }) => tasks.every((count) => !count))

const Quiet = ({ board, project_id }: { board: string; project_id: number }) => (
  <div className="empty">
    <span className="pin" aria-hidden="true" />
    <h2>Nothing was on {board} in these days</h2>
    <p className="soft">
      As soon as tasks go from column to column, their way is drawn here: how many got done, how
      long each took, and where work piles up.
    </p>
    <Link className="button plain" href={`/projects/${project_id}`}>
      Go to the board
    </Link>
  </div>
)
