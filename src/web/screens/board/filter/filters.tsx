import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Board, Column } from '../../../entities/board/data.ts'
import { Condition, type ConditionProps } from '../../../entities/task/condition/condition.tsx'
import {
  completeGroups,
  type Filter,
  type Group,
  isEmptyFilter,
  type Match,
  NO_FILTER,
} from '../../../entities/task/condition/filter.ts'
import { Icon } from '../../../kit/icon.tsx'
import { LoadError } from '../../../kit/load-error.tsx'
import { t } from '../../../messages/t.ts'
import type { BoardQuery } from '../board-query.ts'
import { FilterInput } from './filter-input.tsx'
import { isSameFilter } from './filter-text.ts'
import { SaveFilter } from './save-filter.tsx'
import { useFields } from './use-fields.ts'
import './filters.css'

export interface FilterBarProps {
  board: Board
  boardQuery: BoardQuery
  shown: readonly Column[]
  /** The number of tasks in the shown columns that the filter hides. */
  hiddenCount: number
  /** Somebody enters a filter. */
  isOpen: boolean
  onOpen(): void
  onClose(): void
}

/** The filter as a sentence, each part of which can be changed, and a field to add to it. */
export default function FilterBar(props: FilterBarProps) {
  const { board, boardQuery, shown, hiddenCount, isOpen, onClose } = props
  const { filter, change } = useDraftFilter(props)
  const [section, setSection] = useState<HTMLElement | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const { fields, countOf, customFields } = useFields(board)
  const { groups, match } = filter
  const focusIfOpen = useEffectEvent(() => isOpen && input.current?.focus())
  useEffect(() => void focusIfOpen(), [])
  const setGroup = (index: number, next: Group) =>
    change({ ...filter, groups: withGroup(groups, index, next) })
  return (
    <section className="chips" aria-label={t('board.filter')} ref={setSection}>
      {groups.map((group, index) => (
        <Conditions
          // biome-ignore lint/suspicious/noArrayIndexKey: groups are identified by their position
          key={index}
          {...{ group, fields, countOf }}
          onChange={(next) => {
            setGroup(index, next)
            if (!next.rules.length) input.current?.focus()
          }}
        />
      ))}
      {groups.length > 1 && (
        <MatchButton match={match} onChange={(next) => change({ ...filter, match: next })} />
      )}
      <FilterInput
        {...{ input, section, fields, countOf }}
        startsOpen={isOpen}
        isEmpty={isEmptyFilter(filter)}
        onAdd={(added) => change(joined(filter, added))}
        onRemoveLast={() => change({ ...filter, groups: withoutLastRule(groups) })}
        onClose={onClose}
      />
      <LoadError of={customFields} what={t('board.custom_fields_inline')} />
      <BarEnd {...{ board, boardQuery, shown, hiddenCount, onClose }} />
    </section>
  )
}

const withGroup = (groups: readonly Group[], index: number, next: Group) =>
  next.rules.length ? groups.with(index, next) : groups.toSpliced(index, 1)

function withoutLastRule(groups: readonly Group[]): Group[] {
  const last = groups.at(-1)
  return last
    ? withGroup(groups, groups.length - 1, { ...last, rules: last.rules.slice(0, -1) })
    : []
}

/** Alternatives that are added to other conditions stay together. */
function joined(filter: Filter, added: Filter): Filter {
  if (isEmptyFilter(filter)) return added
  const isOneGroup = added.match !== filter.match && added.groups.length > 1
  const rules = added.groups.flatMap((group) => group.rules)
  const groups = isOneGroup ? [{ match: added.match, rules }] : added.groups
  return { ...filter, groups: [...filter.groups, ...groups] }
}

/** The filter with conditions that still lack a value, which the address cannot hold. */
function useDraftFilter({ boardQuery, onOpen }: FilterBarProps) {
  const { filter: applied, setFilter } = boardQuery
  const [draft, setDraft] = useState(applied)
  const complete = (filter: Filter) => ({ ...filter, groups: completeGroups(filter.groups) })
  const change = (next: Filter) => {
    setDraft(next)
    // Without a complete condition, the bar would close.
    if (next.groups.length) onOpen()
    setFilter(complete(next))
  }
  return { filter: isSameFilter(complete(draft), applied) ? draft : applied, change }
}

interface ConditionsProps extends Pick<ConditionProps, 'fields' | 'countOf'> {
  group: Group
  onChange(group: Group): void
}

/** A condition, or several of them that stand together. */
function Conditions({ group, fields, countOf, onChange }: ConditionsProps) {
  const { rules, match = 'ALL' } = group
  const conditions = rules.map((rule, index) => (
    <Condition
      // biome-ignore lint/suspicious/noArrayIndexKey: rules are identified by their position
      key={index}
      {...{ rule, fields, countOf }}
      onChange={(next) => onChange({ ...group, rules: rules.with(index, next) })}
      onDrop={() => onChange({ ...group, rules: rules.toSpliced(index, 1) })}
    />
  ))
  if (rules.length === 1) return conditions
  return (
    <span className="condition-group">
      {conditions}
      <MatchButton match={match} onChange={(next) => onChange({ ...group, match: next })} />
    </span>
  )
}

const MatchButton = ({ match, onChange }: { match: Match; onChange(match: Match): void }) => (
  <button
    type="button"
    className="button quiet"
    title={t('board.switch_between_all_and_any')}
    onClick={() => onChange(match === 'ALL' ? 'ANY' : 'ALL')}
  >
    {match === 'ALL' ? t('board.match_all') : t('board.match_any')}
  </button>
)

function BarEnd({
  board,
  boardQuery,
  shown,
  hiddenCount,
  onClose,
}: Omit<FilterBarProps, 'isOpen' | 'onOpen'>) {
  const { isFiltered, setFilter } = boardQuery
  return (
    <span className="bar-end">
      <span className="soft" aria-live="polite">
        {hiddenCount ? t('board.count_hidden', { count: hiddenCount }) : t('board.no_tasks_hidden')}
      </span>
      {isFiltered && <SaveFilter {...{ board, boardQuery, shown }} />}
      {isFiltered ? (
        <button
          type="button"
          className="button quiet"
          onClick={() => {
            setFilter(NO_FILTER)
            onClose()
          }}
        >
          {t('common.clear')}
        </button>
      ) : (
        <button type="button" className="button quiet only" onClick={onClose}>
          <Icon name="close" label={t('board.close_the_filter')} />
        </button>
      )}
    </span>
  )
}
