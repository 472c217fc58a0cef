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

const GATHER_MS = 120

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
  const { members, options, typing, byText } = useOptions({ board, look, onClose })
  const { text, wanted, count } = typing
  return (
    <Popover.Root open onOpenChange={(open) => !open && onClose()}>
      <Popover.Portal>
        <Popover.Positioner className="above" sideOffset={4} align="end" anchor={anchor}>
          <Popover.Popup className="popup filters" aria-label="Filter" initialFocus={field}>
            <TextField {...{ look, field, ...typing }} />
            <span className="unseen" role="status">
              {wanted && (count === 1 ? '1 option' : `${count} options`)}
            </span>
            <LoadError of={members} what="members" />
            {wanted && (
              <button type="button" className="button quiet by-text" onClick={byText}>
                Title contains “{text.trim()}”
              </button>
            )}
            {options.map(([kind, values]) => (
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

/** What is typed, and the options that it leaves. Enter takes the first, or filters by the text. */
function useOptions({ board, look, onClose }: Omit<Props, 'anchor'>) {
  const { filter, setFilter } = look
  const { groups, members } = useGroups(board)
  const [text, setText] = useState(filter.text)
  const [isTyped, setTyped] = useState(false)
  const wanted = isTyped ? text.trim().toLocaleLowerCase() : ''
  const options = narrowed(groups, wanted)
  const count = options.reduce((sum, [, values]) => sum + values.length, 0)
  const byText = () => {
    setFilter({ ...filter, text })
    onClose()
  }
  const type = (words: string) => {
    setTyped(true)
    setText(words)
  }
  const enter = () => {
    const [first] = options
    if (!wanted) return onClose()
    if (!first) return byText()
    setFilter(turned({ ...filter, text: '' }, first[0], first[1][0]!.value))
    setText('')
  }
  return {
    members,
    options,
    byText,
    typing: { text, wanted, count, type, enter, isText: isTyped && !count },
  }
}

interface TextProps extends Pick<Props, 'look'> {
  field: RefObject<HTMLInputElement | null>
  text: string
  /** No option has this name, so cards are looked for by it. */
  isText: boolean
  type(text: string): void
  enter(): void
}

/** Narrows the options; where none is left, the board follows when the keys rest. */
function TextField({ look, field, text, isText, type, enter }: TextProps) {
  const { filter, setFilter } = look
  const wanted = isText ? text : ''
  const put = useEffectEvent(() => {
    if (wanted !== filter.text) setFilter({ ...filter, text: wanted })
  })
  const isTouched = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each letter begins the wait again
  useEffect(() => {
    if (!isTouched.current) return
    const timer = setTimeout(() => put(), GATHER_MS)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <input
      ref={field}
      className="search"
      aria-label="Find an option, or text in the title"
      placeholder="Find an option, or text in the title"
      value={text}
      onChange={({ target }) => {
        isTouched.current = true
        type(target.value)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !isComposing(event)) enter()
      }}
      onBlur={() => isText && put()}
    />
  )
}

type Group = readonly [Kind, readonly Value[]]

/** The options that have the words in their name; all of those of a kind that is called so. */
const narrowed = (groups: readonly Group[], wanted: string): readonly Group[] =>
  groups.flatMap(([kind, values]): Group[] => {
    const has = (name: string) => name.toLocaleLowerCase().includes(wanted)
    const some = has(KIND_NAMES[kind]) ? values : values.filter(({ name }) => has(name))
    return some.length ? [[kind, some]] : []
  })

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
