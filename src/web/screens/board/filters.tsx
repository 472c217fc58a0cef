import { Popover } from '@base-ui/react/popover'
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useOperation } from '../../data/cache.ts'
import type { Board } from '../../entities/board/data.ts'
import { DUES, STATES } from '../../entities/task/filter-values.ts'
import { PRIORITIES, Priority } from '../../entities/task/priority.tsx'
import { Avatar, keyOf } from '../../entities/user/avatar.tsx'
import { isComposing } from '../../kit/composing.ts'
import { LoadError } from '../../kit/load-error.tsx'
import { t } from '../../messages/t.ts'
import type { BoardQuery } from './board-query.ts'
import { SIZES } from './change.ts'
import { type Kind, NO_FILTER, toggleValue } from './filter.ts'
import { KIND_NAMES } from './filter-text.ts'

const DEBOUNCE_MS = 120

interface Props {
  board: Board
  boardQuery: BoardQuery
  anchor: Element | null
  onClose(): void
}

interface Value {
  value: string
  name: string
  mark?: ReactNode
}

/** The filter popup. Every change applies at once. */
export default function Filters({ board, boardQuery, anchor, onClose }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const { filter, setFilter, isFiltered } = boardQuery
  const {
    members,
    options,
    typing,
    byText: filterByText,
  } = useOptions({ board, boardQuery, onClose })
  const { text, search, count } = typing
  return (
    <Popover.Root open onOpenChange={(open) => !open && onClose()}>
      <Popover.Portal>
        <Popover.Positioner className="above" sideOffset={4} align="end" anchor={anchor}>
          <Popover.Popup
            className="popup filters"
            aria-label={t('board.filter')}
            initialFocus={field}
          >
            <TextField {...{ boardQuery, field, ...typing }} />
            <span className="unseen" role="status">
              {search && t('board.count_options', { count })}
            </span>
            <LoadError of={members} what={t('board.members')} />
            {search && (
              <button type="button" className="button quiet by-text" onClick={filterByText}>
                {t('board.title_contains_text', { text: text.trim() })}
              </button>
            )}
            {options.map(([kind, values]) => (
              <fieldset key={kind} className="choice">
                <legend>{KIND_NAMES[kind]}</legend>
                <div className="values">
                  {values.map(({ value, name, mark }) => (
                    <button
                      key={value}
                      type="button"
                      className="button plain"
                      aria-pressed={filter[kind].includes(value)}
                      onClick={() => setFilter(toggleValue(filter, kind, value))}
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
                disabled={!isFiltered}
                onClick={() => {
                  setFilter(NO_FILTER)
                  onClose()
                }}
              >
                {t('common.clear')}
              </button>
              <button type="button" className="button plain" onClick={onClose}>
                {t('common.done')}
              </button>
            </footer>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}

/**
 * The typed text and the options that match it. Enter picks the first option, or filters by the
 * text if none matches.
 */
function useOptions({ board, boardQuery, onClose }: Omit<Props, 'anchor'>) {
  const { filter, setFilter } = boardQuery
  const { groups, members } = useGroups(board)
  const [text, setText] = useState(filter.text)
  const [isTyped, setTyped] = useState(false)
  const search = isTyped ? text.trim().toLocaleLowerCase() : ''
  const options = matchingOptions(groups, search)
  const count = options.reduce((sum, [, values]) => sum + values.length, 0)
  const byText = () => {
    setFilter({ ...filter, text })
    onClose()
  }
  const type = (nextText: string) => {
    setTyped(true)
    setText(nextText)
  }
  const pickFirst = () => {
    const [first] = options
    if (!search) return onClose()
    if (!first) return byText()
    setFilter(toggleValue({ ...filter, text: '' }, first[0], first[1][0]!.value))
    setText('')
  }
  return {
    members,
    options,
    byText,
    typing: { text, search, count, type, pickFirst, isText: isTyped && !count },
  }
}

interface TextProps extends Pick<Props, 'boardQuery'> {
  field: RefObject<HTMLInputElement | null>
  text: string
  /** No option matches, so the text filters the titles of cards. */
  isText: boolean
  type(text: string): void
  pickFirst(): void
}

/** Narrows the options. If none is left, the board filters by the text after a short pause. */
function TextField({ boardQuery, field, text, isText, type, pickFirst }: TextProps) {
  const { filter, setFilter } = boardQuery
  const titleFilter = isText ? text : ''
  const applyTitleFilter = useEffectEvent(() => {
    if (titleFilter !== filter.text) setFilter({ ...filter, text: titleFilter })
  })
  const isTouched = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each typed letter restarts the timer
  useEffect(() => {
    if (!isTouched.current) return
    const timer = setTimeout(() => applyTitleFilter(), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <input
      ref={field}
      className="search"
      aria-label={t('board.find_options_or_text_in_titles')}
      placeholder={t('board.find_options_or_text_in_titles')}
      value={text}
      onChange={({ target }) => {
        isTouched.current = true
        type(target.value)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !isComposing(event)) pickFirst()
      }}
      onBlur={() => isText && applyTitleFilter()}
    />
  )
}

type Group = readonly [Kind, readonly Value[]]

/** The options whose name contains the text, or all options of a kind whose name does. */
const matchingOptions = (groups: readonly Group[], search: string): readonly Group[] =>
  groups.flatMap(([kind, values]): Group[] => {
    const has = (name: string) => name.toLocaleLowerCase().includes(search)
    const matching = has(KIND_NAMES[kind]) ? values : values.filter(({ name }) => has(name))
    return matching.length ? [[kind, matching]] : []
  })

function useGroups({ project_id, labels }: Board) {
  const members = useOperation('projects.members', { project_id, limit: 50 })
  const { data: me } = useOperation('user_context.get', {})
  const others = (members.data?.items ?? []).filter(
    ({ user_id }) => user_id !== me?.profile.user_id,
  )
  const optionsOf = (names: object): Value[] =>
    Object.entries(names).map(([value, name]) => ({ value, name }))
  const groups: readonly [Kind, readonly Value[]][] = [
    [
      'assignee',
      [
        { value: 'me', name: t('board.me') },
        ...others.map((member) => ({
          ...{ value: String(keyOf(member)), name: member.name },
          mark: <Avatar actor={member} />,
        })),
        { value: 'none', name: t('common.nobody') },
      ],
    ],
    [
      'label',
      [
        ...labels.map(({ label_id, name, color }) => ({
          ...{ value: String(label_id), name: name ?? '' },
          mark: <span className="dot" style={{ background: color }} />,
        })),
        { value: 'none', name: t('board.no_label') },
      ],
    ],
    [
      'priority',
      [1, 2, 3, 4, 0].map((value) => ({
        ...{ value: String(value), name: PRIORITIES[value]! },
        mark: <Priority value={value} />,
      })),
    ],
    [
      'size',
      [2, 3, 4, 5, 6, 0].map((value) => ({
        value: String(value),
        name: SIZES[value] || t('board.no_size'),
      })),
    ],
    ['due', optionsOf(DUES)],
    ['is', optionsOf(STATES)],
  ]
  return { groups, members }
}
