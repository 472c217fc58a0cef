import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { EVERYWHERE, hintOf } from '../frame/keys.ts'
import { isComposing } from '../parts/composing.ts'
import { Icon } from '../parts/icon.tsx'
import type { Box } from './box.ts'
import type { Suggestion } from './suggest.ts'

interface Props {
  box: Box
  field: RefObject<HTMLInputElement | null>
  /** Leads on to the first thing that was found. */
  onDown(): void
}

/** One field for words and operators, and under it what could follow. */
export function Field({ box, field, onDown }: Props) {
  const list = useId()
  const { at, setAt, take, onKeyDown } = useHands(box, field, onDown)
  const { text, some, put } = box
  const isOpen = some.length > 0
  const heard = ({ currentTarget: { value, selectionEnd } }: { currentTarget: HTMLInputElement }) =>
    put(value, selectionEnd ?? value.length)
  return (
    // biome-ignore lint/a11y/useSemanticElements: nothing is sent
    <div className="box" role="search">
      <Icon name="search" />
      <input
        ref={field}
        role="combobox"
        aria-label="Search in everything"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={list}
        aria-activedescendant={isOpen && at >= 0 ? `${list}${at}` : undefined}
        placeholder="Words, or operators such as is:overdue"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="search"
        maxLength={2000}
        value={text}
        onChange={heard}
        onKeyDown={onKeyDown}
        onBlur={() => put(text)}
      />
      {text ? (
        <button
          type="button"
          className="button quiet only"
          onClick={() => {
            box.settle('')
            field.current?.focus()
          }}
        >
          <Icon name="close" label="Clear the search" />
        </button>
      ) : (
        <kbd>{hintOf(EVERYWHERE.search)}</kbd>
      )}
      <Suggestions {...{ list, some, at, setAt, take }} />
      <p className="unseen" role="status">
        {isOpen && `${some.length} suggestions. Tab takes the first one.`}
      </p>
    </div>
  )
}

interface ListProps {
  list: string
  some: readonly Suggestion[]
  at: number
  setAt(at: number): void
  take(one: Suggestion): void
}

const Suggestions = ({ list, some, at, setAt, take }: ListProps) => (
  <div className="popup" id={list} role="listbox" aria-label="Suggestions" hidden={!some.length}>
    {some.map((one, index) => (
      // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
      // biome-ignore lint/a11y/useKeyWithClickEvents: the field hears the keys
      <div
        key={one.text}
        id={`${list}${index}`}
        className="item"
        role="option"
        aria-selected={index === at}
        {...(index === at && { 'data-highlighted': '' })}
        onPointerMove={() => setAt(index)}
        // Else the field would lose the focus first, and with it the list.
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => take(one)}
      >
        <code>{one.text}</code>
        <span className="soft">{one.says}</span>
      </div>
    ))}
  </div>
)

/** What the keys do in the field. */
function useHands(box: Box, field: RefObject<HTMLInputElement | null>, onDown: () => void) {
  const { some, text } = box
  const [at, setAt] = useState(-1)
  const to = useRef<number>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: of other suggestions none is chosen yet
  useEffect(() => setAt(-1), [text])
  useEffect(() => {
    if (to.current !== undefined) field.current?.setSelectionRange(to.current, to.current)
    to.current = undefined
  })
  const take = (one: Suggestion) => {
    to.current = box.take(one)
  }
  const step = (by: number) => {
    const many = some.length + 1
    setAt(((at + 1 + by + many) % many) - 1)
  }
  /** False: the key means here what it means anywhere. */
  const press = (key: string): unknown => {
    const has = some.length > 0
    switch (key) {
      case 'ArrowDown':
        return has ? step(1) : onDown()
      case 'ArrowUp':
        return has && step(-1)
      case 'Enter':
        return some[at] ? take(some[at]) : box.settle()
      case 'Tab':
        return has && take(some[Math.max(at, 0)]!)
      case 'Escape':
        return has ? box.put(text) : field.current?.blur()
      default:
        return false
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event) || event.shiftKey || event.altKey || event.metaKey || event.ctrlKey)
      return
    if (press(event.key) === false) return
    event.preventDefault()
    event.stopPropagation()
  }
  return { at: some.length ? at : -1, setAt, take, onKeyDown }
}
