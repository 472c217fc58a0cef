import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useRef } from 'react'
import { anchored } from '../parts/anchored.ts'
import { TaskHit, TextHit } from './hits.tsx'
import type { Hit, Line, Which } from './lines.ts'

interface Props {
  lines: readonly Line[]
  query: string
  /** Titles of the boards, where there are several. */
  boards: ReadonlyMap<number, string> | undefined
  active: string | undefined
  /** Counts up where a key asked for the focus to follow. */
  asked: number
  onOpen(hit: Hit): void
  onWhich(which: Which): void
  onEnd(): void
}

const HEIGHTS = { head: 44, task: 38, text: 96 }
/** Lines before the end at which more are asked for. */
const AHEAD = 15

/** All that was found; only what can be seen is in the document. */
export function List({ lines, active, asked, onEnd, ...rest }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = anchored(
    useVirtualizer({
      count: lines.length,
      getScrollElement: () => scroller.current,
      getItemKey: (at) => lines[at]!.key,
      estimateSize: (at) => HEIGHTS[lines[at]!.kind],
      overscan: 8,
    }),
  )
  const seen = virtual.getVirtualItems()
  const isNear = (seen.at(-1)?.index ?? 0) >= lines.length - AHEAD
  useEffect(() => {
    if (isNear) onEnd()
  }, [isNear, onEnd])
  useFocus(scroller, { lines, active, asked }, (at) => virtual.scrollToIndex(at, { align: 'auto' }))
  return (
    <div className="found" ref={scroller}>
      <ul style={{ height: virtual.getTotalSize() }}>
        {seen.map(({ index, key, start }) => (
          <li
            key={key}
            data-index={index}
            data-hit={key}
            ref={virtual.measureElement}
            style={{ transform: `translateY(${start}px)` }}
          >
            <One {...rest} line={lines[index]!} active={active} />
          </li>
        ))}
      </ul>
    </div>
  )
}

type OneProps = Pick<Props, 'query' | 'boards' | 'active' | 'onOpen' | 'onWhich'> & { line: Line }

function One({ line, query, boards, active, onOpen, onWhich }: OneProps) {
  if (line.kind === 'head') return <Head line={line} onWhich={onWhich} />
  const shared = { query, active: line.key === active, onOpen: () => onOpen(line) }
  if (line.kind === 'text') return <TextHit {...shared} text={line.text} />
  return <TaskHit {...shared} task={line.task} board={boards?.get(line.task.project_id)} />
}

const TITLES = { tasks: 'Tasks', texts: 'In descriptions, comments and pages' }

interface HeadProps extends Pick<Props, 'onWhich'> {
  line: Extract<Line, { kind: 'head' }>
}

const Head = ({ line: { which, more, note }, onWhich }: HeadProps) => (
  <div className="part-head">
    <h2>{TITLES[which]}</h2>
    {note && <span className="soft">{note}</span>}
    {more > 0 && (
      <button type="button" className="button quiet" onClick={() => onWhich(which)}>
        {more} more
      </button>
    )}
  </div>
)

/** Where a key asked for it, the focus goes to what was found, which may have to be scrolled to. */
function useFocus(
  scroller: RefObject<HTMLElement | null>,
  { lines, active, asked }: Pick<Props, 'lines' | 'active' | 'asked'>,
  show: (at: number) => void,
) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a key takes the focus along
  useEffect(() => {
    const at = lines.findIndex(({ key }) => key === active)
    if (at < 0 || !asked) return
    show(at)
    const reach = () => {
      const found = scroller.current?.querySelector<HTMLElement>(`[data-hit="${active}"] .what`)
      found?.focus()
      return found != null
    }
    // At once where it is there: the next key may open it.
    if (reach()) return
    const frame = requestAnimationFrame(reach)
    return () => cancelAnimationFrame(frame)
  }, [asked])
}
