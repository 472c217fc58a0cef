import { type ReactNode, useRef } from 'react'
import { downloadFile } from '../../kit/download-file.ts'
import { Icon } from '../../kit/icon.tsx'
import { showToast } from '../../kit/toasts.tsx'
import { rich, t } from '../../messages/t.ts'
import { Chart, type DrawnChart } from './chart.tsx'
import { type Draw, renderPicture } from './plot.ts'
import type { ReportState } from './report-state.ts'

interface Props {
  /** The name in the URL's `table` parameter. */
  id: string
  state: ReportState
  title: string
  /** What the chart shows. */
  explanation: string
  /** The board's title, for the name of the image. */
  board: string
  draw: Draw
  count: number
  describe(index: number): string
  hint: string
  onPick?(index: number): void
  table: ReactNode
  children?: ReactNode
}

/** A chart that can be shown as a table and saved as an image. */
export function Figure({ id, state, title, explanation, board, table, children, ...chart }: Props) {
  const drawnRef = useRef<DrawnChart>(undefined)
  const tableIds = state.query.getAll('table').join().split(',').filter(Boolean)
  const isTable = tableIds.includes(id)
  const toggleTable = () => {
    const next = isTable ? tableIds.filter((one) => one !== id) : [...tableIds, id]
    state.setParams({ table: next.join() || undefined })
  }
  const downloadPicture = async () => {
    const drawnChart = drawnRef.current
    const file =
      drawnChart && (await renderPicture(drawnChart.plot, drawnChart.theme, `${title} · ${board}`))
    if (!file) return showToast(t('reports.the_chart_has_not_loaded_yet'))
    downloadFile(`${board} ${title}.png`.toLowerCase().replaceAll(' ', '-'), file)
    showToast(t('reports.saved_the_chart'))
  }
  return (
    <figure className="figure">
      <figcaption>
        <h2>{title}</h2>
        <p className="soft">{explanation}</p>
        <span className="actions">
          <button
            type="button"
            className="button quiet"
            aria-pressed={isTable}
            aria-label={t('reports.show_as_table_title', { title })}
            onClick={toggleTable}
          >
            <Icon name="list" /> {t('reports.show_as_table')}
          </button>
          {!isTable && (
            <button type="button" className="button quiet" onClick={() => void downloadPicture()}>
              <Icon name="arrow" />{' '}
              {rich('reports.png_of_title', {
                of_title: <span className="unseen">{t('reports.of_title', { title })}</span>,
              })}
            </button>
          )}
        </span>
      </figcaption>
      {isTable ? (
        <section
          className="scroll"
          aria-label={t('reports.title_as_a_table', { title })}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll what is longer than its room
          tabIndex={0}
        >
          {table}
        </section>
      ) : (
        <>
          <Chart name={title} drawnChart={drawnRef} {...chart} />
          {children}
        </>
      )}
    </figure>
  )
}
