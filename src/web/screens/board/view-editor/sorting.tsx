import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { CustomField } from '../../../entities/task/condition/fields.tsx'
import { byMode } from '../../../entities/task/task-fields.tsx'
import { Icon } from '../../../kit/icon.tsx'
import { t } from '../../../messages/t.ts'
import type { Sorting } from '../rules.ts'

const MODES: Record<string, string> = {
  Manual: t('board.manual'),
  ...byMode(({ label }) => label),
  DueDate: t('common.due_date'),
  Title: t('common.title'),
  Assignee: t('board.assignee'),
  TicketNumber: t('common.key'),
  CreatedAt: t('common.created'),
  UpdatedAt: t('common.updated'),
  SectionChangedAt: t('board.moved_to_column'),
  LastCommentAt: t('board.last_comment'),
  TimeInColumn: t('board.time_in_column'),
  TimeOnBoard: t('board.time_on_board'),
  TimeWithoutComment: t('board.time_without_a_comment'),
}
const MAX_STEPS = 5

interface Props {
  sorting: Sorting
  customs: readonly CustomField[]
  onChange(sorting: Sorting): void
}

/** The sort order: each step applies to tasks that are equal in the steps before. */
export function SortingPart({ sorting, customs, onChange }: Props) {
  const names = {
    ...MODES,
    ...Object.fromEntries(customs.map(({ field_id, name }) => [`cf:${field_id}`, name])),
  }
  const unusedModes = Object.keys(names).filter((mode) => sorting.every((one) => one.mode !== mode))
  const move = (from: number, to: number) => {
    if (to < 0 || to >= sorting.length || from === to) return
    onChange(sorting.toSpliced(from, 1).toSpliced(to, 0, sorting[from]!))
  }
  return (
    <fieldset>
      <legend>{t('board.sort_by')}</legend>
      <ol className="sorting">
        {sorting.map((one, index) => (
          <Step
            key={one.mode}
            {...{ one, at: index, names, unusedModes, move }}
            isLast={index === sorting.length - 1}
            onChange={(next) => onChange(sorting.with(index, next))}
            onDrop={sorting.length > 1 ? () => onChange(sorting.toSpliced(index, 1)) : undefined}
          />
        ))}
      </ol>
      {sorting.length < MAX_STEPS && (
        <button
          type="button"
          className="button plain"
          onClick={() => onChange([...sorting, { mode: unusedModes[0]!, order: 'Ascending' }])}
        >
          <Icon name="plus" />
          {t('board.then_by')}
        </button>
      )}
    </fieldset>
  )
}

interface StepProps {
  one: Sorting[number]
  at: number
  names: Record<string, string>
  unusedModes: readonly string[]
  isLast: boolean
  move(from: number, to: number): void
  onChange(next: Sorting[number]): void
  onDrop: (() => void) | undefined
}

function Step({ one, at, names, unusedModes, isLast, move, onChange, onDrop }: StepProps) {
  const { mode, order } = one
  const line = useDraggableStep(at, move)
  const name = names[mode] ?? t('board.deleted_field')
  const isDescending = order === 'Descending'
  const steps = [
    [t('board.move_up'), 'up', at - 1, at === 0],
    [t('board.move_down'), 'down', at + 1, isLast],
  ] as const
  return (
    <li ref={line} className="flex-row">
      <span className="grip" aria-hidden="true">
        <Icon name="dots" />
      </span>
      <select
        className="field"
        aria-label={at ? t('board.then_by_value', { value: at + 1 }) : t('board.sort_by')}
        value={mode}
        onChange={({ target }) => onChange({ ...one, mode: target.value })}
      >
        {[mode, ...unusedModes].map((value) => (
          <option key={value} value={value}>
            {names[value] ?? name}
          </option>
        ))}
      </select>
      <button
        type="button"
        className="button quiet"
        aria-pressed={isDescending}
        disabled={mode === 'Manual'}
        onClick={() => onChange({ mode, order: isDescending ? 'Ascending' : 'Descending' })}
      >
        {isDescending ? 'Descending' : 'Ascending'}
      </button>
      {steps.map(([label, direction, to, isDisabled]) => (
        <button
          key={direction}
          type="button"
          className={`button quiet only ${direction}`}
          disabled={isDisabled}
          onClick={() => move(at, to)}
        >
          <Icon name="chevron" label={`${label}: ${name}`} />
        </button>
      ))}
      <button
        type="button"
        className="button quiet only"
        disabled={!onDrop}
        onClick={() => onDrop?.()}
      >
        <Icon name="close" label={t('board.remove_sorting_by_name', { name })} />
      </button>
    </li>
  )
}

/** Makes a step draggable to the position of another. */
function useDraggableStep(at: number, move: (from: number, to: number) => void) {
  const line = useRef<HTMLLIElement>(null)
  const handleDrop = useEffectEvent((from: number) => move(from, at))
  useEffect(() => {
    const element = line.current!
    const setOver = (isOver: boolean) => element.classList.toggle('over', isOver)
    return combine(
      draggable({ element, getInitialData: () => ({ sorting: at }) }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) => typeof source.data.sorting === 'number',
        onDragEnter: () => setOver(true),
        onDragLeave: () => setOver(false),
        onDrop({ source }) {
          setOver(false)
          handleDrop(source.data.sorting as number)
        },
      }),
    )
  }, [at])
  return line
}
