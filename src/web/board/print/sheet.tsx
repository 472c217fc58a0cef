import { dateOf } from '../../parts/days.ts'
import { dayOf } from '../../parts/zone.ts'
import { lanesOf } from '../lanes/model.ts'
import type { PrintedProps } from '../print.tsx'
import { PrintedCalendar } from './calendar.tsx'
import { PrintedCard, PrintedLine } from './card.tsx'
import './sheet.css'
import { PrintedTimeline } from './timeline.tsx'

const day = new Intl.DateTimeFormat(undefined, { timeZone: 'UTC', dateStyle: 'long' })

/** A board on paper, laid out as on the screen, with everything that is shown of it. */
export default function Sheet(props: PrintedProps) {
  const { board, look, shown } = props
  const { layout, lanes, view, isNarrow } = look
  const all = shown.reduce((sum, { cards }) => sum + cards.length, 0)
  return (
    <div className="printed">
      <header>
        <h1>{board.title}</h1>
        <p>
          {view && `${view.title}, `}
          {all} {all === 1 ? 'task' : 'tasks'}
          {isNarrow && ' of a filter'}, {day.format(dateOf(dayOf(new Date())))}
        </p>
      </header>
      {layout === 'list' ? (
        <Lines {...props} />
      ) : layout === 'calendar' ? (
        <PrintedCalendar {...props} />
      ) : layout === 'timeline' ? (
        <PrintedTimeline {...props} />
      ) : lanes ? (
        <Lanes {...props} />
      ) : (
        <Columns {...props} cells={shown.map(({ cards }) => cards)} />
      )}
    </div>
  )
}

/** As many columns side by side as can be read; the others come below them. */
const MOST_BESIDE = 5

type ColumnsProps = PrintedProps & {
  cells: readonly PrintedProps['shown'][number]['cards'][]
}

const Columns = ({ shown, cells, ...rest }: ColumnsProps) => (
  <div
    className="printed-columns"
    style={{ '--many': Math.min(MOST_BESIDE, shown.length) } as object}
  >
    {shown.map((column, at) => (
      <section key={column.section_id}>
        <h2>
          {column.title} <span className="soft">{cells[at]!.length}</span>
        </h2>
        {cells[at]!.map((card) => (
          <PrintedCard key={card.task_id} {...rest} card={card} done={column.done} />
        ))}
      </section>
    ))}
  </div>
)

const Lanes = (props: PrintedProps) => {
  const { look, shown, actors, labels, parentOf } = props
  const world = { columns: shown, members: [], actors, labels, parentOf, isNarrow: true }
  return lanesOf(look.lanes!, world).map((lane) => (
    <section key={lane.key} className="printed-lane">
      <h2>
        {lane.name} <span className="soft">{lane.total}</span>
      </h2>
      <Columns {...props} cells={lane.cells} />
    </section>
  ))
}

const Lines = ({ shown, ...rest }: PrintedProps) =>
  shown.map((column) => (
    <section key={column.section_id} className="printed-lines">
      <h2>
        {column.title} <span className="soft">{column.cards.length}</span>
      </h2>
      {column.cards.map((card) => (
        <PrintedLine key={card.task_id} {...rest} card={card} done={column.done} />
      ))}
    </section>
  ))
