import { Autocomplete } from '@base-ui/react/autocomplete'
import { type KeyboardEvent, type RefObject, useLayoutEffect, useState } from 'react'
import type { ConditionProps } from '../../../entities/task/condition/condition.tsx'
import { opName } from '../../../entities/task/condition/fields.tsx'
import type { Filter, Rule } from '../../../entities/task/condition/filter.ts'
import { isComposing } from '../../../kit/composing.ts'
import { takeTypedEarly } from '../../../kit/overlay-loading.tsx'
import { t } from '../../../messages/t.ts'
import { type Pending, type Suggestion, suggestionsFor } from './suggestions.ts'

interface Props extends Pick<ConditionProps, 'fields'> {
  /** The number of tasks that have a value, where it is known. */
  countOf(rule: Rule): number | undefined
  input: RefObject<HTMLInputElement | null>
  /** The bar, which contains the list of suggestions. */
  section: HTMLElement | null
  /** Somebody has opened the bar to enter a filter. */
  startsOpen: boolean
  /** There is no condition yet. */
  isEmpty: boolean
  onAdd(filter: Filter): void
  onRemoveLast(): void
  onClose(): void
}

/** The field that suggests fields, then operators, then values. */
export function FilterInput(props: Props) {
  const { input, section, isEmpty } = props
  const { text, setText, pending, isOpen, setOpen, suggestions, take, onKeyDown } = useEntry(props)
  return (
    <Autocomplete.Root
      mode="none"
      items={suggestions}
      itemToStringValue={({ name }: Suggestion) => name}
      autoHighlight="always"
      openOnInputClick
      open={isOpen}
      onOpenChange={(open, { reason }) => reason === 'item-press' || setOpen(open)}
      value={text}
      onValueChange={(next, { reason }) => reason === 'item-press' || setText(next)}
    >
      {pending && <PendingParts {...pending} />}
      <Autocomplete.Input
        ref={input}
        className="filter-input"
        aria-label={t('board.filter_by')}
        placeholder={placeholderOf(pending, isEmpty)}
        maxLength={500}
        onKeyDown={onKeyDown}
      />
      <Autocomplete.Portal container={section}>
        <Autocomplete.Positioner className="above" sideOffset={4} align="start">
          <Autocomplete.Popup className="popup suggestions">
            <Autocomplete.Empty className="nothing">{t('kit.no_matches')}</Autocomplete.Empty>
            <Autocomplete.List>
              {(one: Suggestion) => (
                <Autocomplete.Item
                  key={one.name}
                  value={one}
                  className="item"
                  onClick={() => take(one)}
                >
                  {one.mark && (
                    <span className="icon-slot" aria-hidden="true">
                      {one.mark}
                    </span>
                  )}
                  <span className="name" dir="auto">
                    {one.name}
                  </span>
                  {one.count !== undefined && <span className="minor">{one.count}</span>}
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </Autocomplete.Popup>
        </Autocomplete.Positioner>
      </Autocomplete.Portal>
    </Autocomplete.Root>
  )
}

function placeholderOf(pending: Pending | undefined, isEmpty: boolean): string {
  if (pending?.op) return t('board.value')
  if (pending) return t('board.condition_or_value')
  return isEmpty ? t('board.filter_by_dialog') : t('board.add_a_filter')
}

const PendingParts = ({ field, op }: Pending) => (
  <span className="condition" aria-hidden="true">
    <span className="part">{field.name}</span>
    {op && <span className="part soft">{opName(op, field.kind)}</span>}
  </span>
)

function useEntry({ fields, countOf, startsOpen, ...actions }: Props) {
  const { onAdd, onRemoveLast, onClose } = actions
  const [text, setText] = useState('')
  // Keys that were typed while the bar was loading. If nobody has opened it, they belong to another
  // field that is still loading.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the field appears
  useLayoutEffect(() => {
    if (startsOpen) setText(takeTypedEarly())
  }, [])
  const [pending, setPending] = useState<Pending>()
  const [isOpen, setOpen] = useState(startsOpen)
  const suggestions = isOpen ? suggestionsFor({ text, pending, fields, countOf }) : []
  const take = ({ result }: Suggestion) => {
    setText('')
    if ('pending' in result) return setPending(result.pending)
    setPending(undefined)
    // While the list is open, screen readers cannot reach the tasks.
    setOpen(false)
    onAdd(result.filter)
  }
  const goBack = () => {
    if (pending) setPending(pending.op ? { field: pending.field } : undefined)
    else onRemoveLast()
  }
  const leave = () => {
    if (text) setText('')
    else if (pending) setPending(undefined)
    else onClose()
  }
  const onKeyDown = (
    event: KeyboardEvent<HTMLInputElement> & { preventBaseUIHandler?(): void },
  ) => {
    if (isComposing(event)) return
    if (event.key === 'Backspace' && !text) goBack()
    if (event.key !== 'Escape') return
    event.preventBaseUIHandler?.()
    event.stopPropagation()
    leave()
  }
  return { text, setText, pending, isOpen, setOpen, suggestions, take, onKeyDown }
}
