import { dateOf } from '../../../kit/days.ts'
import { locale } from '../../../kit/locale.ts'
import { dayOf } from '../../../kit/zone.ts'
import { t } from '../../../messages/t.ts'
import { lanesOf } from '../lanes/model.ts'
import { PrintedCalendar } from './calendar.tsx'
import { PrintedCard, PrintedLine } from './card.tsx'
import type { PrintProps } from './types.ts'
import './sheet.css'
import { PrintedTimeline } from './timeline.tsx'

const dateFormat = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', dateStyle: 'long' })

/** The print view of a board, in the layout of the screen. */
export default function Sheet(props: PrintProps) {
  const { board, boardQuery, shown } = props
  const { layout, lanes, view, isFiltered } = boardQuery
  const taskCount = shown.reduce((sum, { cards }) => sum + cards.length, 0)
  return (
    <div className="printed">
      <header>
        <h1>{board.title}</h1>
        <p>
          {view && `${view.title}, `}
          {isFiltered
            ? t('board.count_tasks_filtered', { count: taskCount })
            : t('board.count_tasks', { count: taskCount })}
          , {dateFormat.format(dateOf(dayOf(new Date())))}
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

/** The most columns side by side; further ones wrap. */
const MAX_COLUMNS = 5

type ColumnsProps = PrintProps & {
  cells: readonly PrintProps['shown'][number]['cards'][]
}

const Columns = ({ shown, cells, ...rest }: ColumnsProps) => (
  <div
    className="printed-columns"
    style={{ '--many': Math.min(MAX_COLUMNS, shown.length) } as object}
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

const Lanes = (props: PrintProps) => {
  const { boardQuery, shown, actors, labels, parentOf } = props
  const source = { columns: shown, members: [], actors, labels, parentOf, isFiltered: true }
  return lanesOf(boardQuery.lanes!, source).map((lane) => (
    <section key={lane.key} className="printed-lane">
      <h2>
        {lane.name} <span className="soft">{lane.total}</span>
      </h2>
      <Columns {...props} cells={lane.cells} />
    </section>
  ))
}

const Lines = ({ shown, ...rest }: PrintProps) =>
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
