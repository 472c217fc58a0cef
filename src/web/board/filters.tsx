import { Popover } from '@base-ui/react/popover'
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useAsk } from '../data/cache.ts'
import { Avatar, keyOf } from '../parts/avatar.tsx'
import { isComposing } from '../parts/composing.ts'
import { PRIORITIES, Priority } from '../parts/icon.tsx'
import { LoadError } from '../parts/load-error.tsx'
import { SIZES } from './change.ts'
import type { Board } from './data.ts'
import { DUES, EVERYTHING, type Kind, STATES, turned } from './filter.ts'
import type { Look } from './look.ts'
import { KIND_NAMES } from './words.ts'

interface Props {
  board: Board
  look: Look
  anchor: Element | null
  onClose(): void
}

interface Value {
  value: string
  name: string
  mark?: ReactNode
}

/** All that a board can be narrowed down to; what is turned on is seen at once. */
export default function Filters({ board, look, anchor, onClose }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const { filter, setFilter, isNarrow } = look
  const { groups, members } = useGroups(board)
  return (
    <Popover.Root open onOpenChange={(open) => !open && onClose()}>
      <Popover.Portal>
        <Popover.Positioner className="above" sideOffset={4} align="end" anchor={anchor}>
          <Popover.Popup className="popup filters" aria-label="Filter" initialFocus={field}>
            <TextField {...{ look, field, onClose }} />
            <LoadError of={members} what="members" />
            {groups.map(([kind, values]) => (
              <fieldset key={kind}>
                <legend>{KIND_NAMES[kind]}</legend>
                <div className="values">
                  {values.map(({ value, name, mark }) => (
                    <button
                      key={value}
                      type="button"
                      className="button plain"
                      aria-pressed={filter[kind].includes(value)}
                      onClick={() => setFilter(turned(filter, kind, value))}
                    >
                      {mark && <span aria-hidden="true">{mark}</span>}
                      {name}
                    </button>
                  ))}
                </div>
              </fieldset>
            ))}
            <footer>
              <button
                type="button"
                className="button quiet"
                disabled={!isNarrow}
                onClick={() => {
                  setFilter(EVERYTHING)
                  onClose()
                }}
              >
                Clear
              </button>
              <button type="button" className="button plain" onClick={onClose}>
                Done
              </button>
            </footer>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}

const GATHER_MS = 120

interface TextProps extends Pick<Props, 'look' | 'onClose'> {
  field: RefObject<HTMLInputElement | null>
}

/** What is typed is seen at once; the board follows when the keys rest. */
function TextField({ look, field, onClose }: TextProps) {
  const { filter, setFilter } = look
  const [text, setText] = useState(filter.text)
  const put = useEffectEvent(() => {
    if (text !== filter.text) setFilter({ ...filter, text })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each letter begins the wait anew
  useEffect(() => {
    const timer = setTimeout(() => put(), GATHER_MS)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <input
      ref={field}
      className="search"
      aria-label="Text in the title, or a key"
      placeholder="Text in the title, or a key"
      value={text}
      onChange={({ target }) => setText(target.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || isComposing(event)) return
        setFilter({ ...filter, text })
        onClose()
      }}
      onBlur={() => text !== filter.text && setFilter({ ...filter, text })}
    />
  )
}

function useGroups({ project_id, labels }: Board) {
  const members = useAsk('projects.members', { project_id, limit: 50 })
  const { data: me } = useAsk('user_context.get', {})
  const others = (members.data?.items ?? []).filter(
    ({ user_id }) => user_id !== me?.profile.user_id,
  )
  const named = (names: object): Value[] =>
    Object.entries(names).map(([value, name]) => ({ value, name }))
  const groups: readonly [Kind, readonly Value[]][] = [
    [
      'assignee',
      [
        { value: 'me', name: 'Me' },
        ...others.map((one) => ({
          ...{ value: String(keyOf(one)), name: one.name },
          mark: <Avatar actor={one} />,
        })),
        { value: 'none', name: 'Nobody' },
      ],
    ],
    [
      'label',
      [
        ...labels.map(({ label_id, name, color }) => ({
          ...{ value: String(label_id), name: name ?? '' },
          mark: <span className="dot" style={{ background: color }} />,
        })),
        { value: 'none', name: 'No label' },
      ],
    ],
    [
      'priority',
      [1, 2, 3, 4, 0].map((one) => ({
        ...{ value: String(one), name: PRIORITIES[one]! },
        mark: <Priority value={one} />,
      })),
    ],
    [
      'size',
      [2, 3, 4, 5, 6, 0].map((one) => ({ value: String(one), name: SIZES[one] || 'No size' })),
    ],
    ['due', named(DUES)],
    ['is', named(STATES)],
  ]
  return { groups, members }
}
