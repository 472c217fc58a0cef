import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useRef } from 'react'
import { withoutScrollAdjustment } from '../../kit/virtualizer.ts'
import { t } from '../../messages/t.ts'
import { TaskHit, TextHit } from './hits.tsx'
import type { Hit, Line, ResultKind } from './lines.ts'

interface Props {
  lines: readonly Line[]
  query: string
  /** The boards' titles, if the user has several boards. */
  boards: ReadonlyMap<number, string> | undefined
  active: string | undefined
  /** Increments when a shortcut moves the focus to the active result. */
  focusRequest: number
  onOpen(hit: Hit): void
  onKindChange(resultKind: ResultKind): void
  onEnd(): void
}

const HEIGHTS = { head: 44, task: 38, text: 96 }
/** The number of lines before the end at which the next page loads. */
const PREFETCH_LINES = 15

/** The virtualized list of results. */
export function List({ lines, active, focusRequest, onEnd, ...rest }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = withoutScrollAdjustment(
    useVirtualizer({
      count: lines.length,
      getScrollElement: () => scroller.current,
      getItemKey: (index) => lines[index]!.key,
      estimateSize: (index) => HEIGHTS[lines[index]!.kind],
      overscan: 8,
    }),
  )
  const visible = virtual.getVirtualItems()
  const isNear = (visible.at(-1)?.index ?? 0) >= lines.length - PREFETCH_LINES
  useEffect(() => {
    if (isNear) onEnd()
  }, [isNear, onEnd])
  useFocus(scroller, { lines, active, focusRequest }, (index) =>
    virtual.scrollToIndex(index, { align: 'auto' }),
  )
  return (
    <div className="found scroller" ref={scroller}>
      <ul style={{ height: virtual.getTotalSize() }}>
        {visible.map(({ index, key, start }) => (
          <li
            key={key}
            data-index={index}
            data-hit={key}
            ref={virtual.measureElement}
            style={{ transform: `translateY(${start}px)` }}
          >
            <ListItem {...rest} line={lines[index]!} active={active} />
          </li>
        ))}
      </ul>
    </div>
  )
}

type ListItemProps = Pick<Props, 'query' | 'boards' | 'active' | 'onOpen' | 'onKindChange'> & {
  line: Line
}

function ListItem({ line, query, boards, active, onOpen, onKindChange }: ListItemProps) {
  if (line.kind === 'head') return <ResultsHeader line={line} onKindChange={onKindChange} />
  const hitProps = { query, active: line.key === active, onOpen: () => onOpen(line) }
  if (line.kind === 'text') return <TextHit {...hitProps} text={line.text} />
  return <TaskHit {...hitProps} task={line.task} board={boards?.get(line.task.project_id)} />
}

const TITLES = {
  tasks: t('common.tasks'),
  partial: t('search.similar_or_partial_matches'),
  texts: t('search.in_descriptions_comments_pages_and_files'),
}

interface ResultsHeaderProps extends Pick<Props, 'onKindChange'> {
  line: Extract<Line, { kind: 'head' }>
}

const ResultsHeader = ({ line: { resultKind, moreCount }, onKindChange }: ResultsHeaderProps) => (
  <div className="group-head">
    <h2>{TITLES[resultKind]}</h2>
    {moreCount > 0 && (
      <button
        type="button"
        className="button quiet"
        onClick={() => onKindChange(resultKind === 'texts' ? 'texts' : 'tasks')}
      >
        {t('search.more_more', { more: moreCount })}
      </button>
    )}
  </div>
)

/** Focuses the active result after a shortcut, scrolling to it first. */
function useFocus(
  scroller: RefObject<HTMLElement | null>,
  { lines, active, focusRequest }: Pick<Props, 'lines' | 'active' | 'focusRequest'>,
  scrollTo: (at: number) => void,
) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a shortcut moves the focus
  useEffect(() => {
    const index = lines.findIndex(({ key }) => key === active)
    if (index < 0 || !focusRequest) return
    scrollTo(index)
    const focusHit = () => {
      const element = scroller.current?.querySelector<HTMLElement>(
        `[data-hit="${active}"] .row-title`,
      )
      element?.focus()
      return element != null
    }
    // Focuses synchronously if the element is rendered, because the next key may open it.
    if (focusHit()) return
    const frame = requestAnimationFrame(focusHit)
    return () => cancelAnimationFrame(frame)
  }, [focusRequest])
}
