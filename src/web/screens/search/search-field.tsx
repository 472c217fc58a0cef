import {
  type ChangeEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { EVERYWHERE } from '../../entities/command/shortcuts.ts'
import { isComposing } from '../../kit/composing.ts'
import { noteOrigin, returnToOrigin } from '../../kit/field-origin.ts'
import { Icon } from '../../kit/icon.tsx'
import { hintOf } from '../../kit/shortcuts.ts'
import { t } from '../../messages/t.ts'
import type { SearchBox } from './search-box.ts'
import type { Suggestion } from './suggest.ts'

interface Props {
  box: SearchBox
  field: RefObject<HTMLInputElement | null>
  /** Moves the focus to the first result. */
  onArrowDown(): void
}

/** The search field with its list of suggestions. */
export function SearchField({ box, field, onArrowDown }: Props) {
  const list = useId()
  const { index, setIndex, accept, onKeyDown } = useSuggestionKeys(box, field, onArrowDown)
  const { text, suggestions, changeText } = box
  const isOpen = suggestions.length > 0
  const handleChange = ({
    currentTarget: { value, selectionEnd },
  }: ChangeEvent<HTMLInputElement>) => changeText(value, selectionEnd ?? value.length)
  return (
    // biome-ignore lint/a11y/useSemanticElements: nothing is sent
    <div className="box" role="search">
      <Icon name="search" />
      <input
        ref={field}
        role="combobox"
        aria-label={t('common.search_everything')}
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={list}
        aria-activedescendant={isOpen && index >= 0 ? `${list}${index}` : undefined}
        placeholder={t('search.words_or_operators_such_as_is_overdue')}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="search"
        maxLength={2000}
        value={text}
        onChange={handleChange}
        onKeyDown={onKeyDown}
        onFocus={noteOrigin}
        onBlur={() => changeText(text)}
      />
      {text ? (
        <button
          type="button"
          className="button quiet only"
          onClick={() => {
            box.submit('')
            field.current?.focus()
          }}
        >
          <Icon name="close" label={t('search.clear_the_search')} />
        </button>
      ) : (
        <kbd>{hintOf(EVERYWHERE.search)}</kbd>
      )}
      <Suggestions
        {...{ list, suggestions, activeIndex: index, setActiveIndex: setIndex, accept }}
      />
      <p className="unseen" role="status">
        {isOpen &&
          t('search.count_suggestions_press_tab_to_use_the', { count: suggestions.length })}
      </p>
    </div>
  )
}

interface ListProps {
  list: string
  suggestions: readonly Suggestion[]
  activeIndex: number
  setActiveIndex(index: number): void
  accept(suggestion: Suggestion): void
}

const Suggestions = ({ list, suggestions, activeIndex, setActiveIndex, accept }: ListProps) => (
  <div
    className="popup"
    id={list}
    role="listbox"
    aria-label={t('search.suggestions')}
    hidden={!suggestions.length}
  >
    {suggestions.map((suggestion, index) => (
      // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
      // biome-ignore lint/a11y/useKeyWithClickEvents: the field hears the keys
      <div
        key={suggestion.text}
        id={`${list}${index}`}
        className="item"
        role="option"
        aria-selected={index === activeIndex}
        {...(index === activeIndex && { 'data-highlighted': '' })}
        onPointerMove={() => setActiveIndex(index)}
        // Without this, the field would lose the focus and close the list before the click.
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => accept(suggestion)}
      >
        <code>{suggestion.text}</code>
        <span className="soft">{suggestion.description}</span>
      </div>
    ))}
  </div>
)

/** The keyboard handling of the field. */
function useSuggestionKeys(
  box: SearchBox,
  field: RefObject<HTMLInputElement | null>,
  onArrowDown: () => void,
) {
  const { suggestions, text } = box
  const [index, setIndex] = useState(-1)
  const caretTo = useRef<number>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: none of the new suggestions is selected yet
  useEffect(() => setIndex(-1), [text])
  useEffect(() => {
    if (caretTo.current !== undefined)
      field.current?.setSelectionRange(caretTo.current, caretTo.current)
    caretTo.current = undefined
  })
  const accept = (suggestion: Suggestion) => {
    caretTo.current = box.accept(suggestion)
  }
  const step = (by: number) => {
    const count = suggestions.length + 1
    setIndex(((index + 1 + by + count) % count) - 1)
  }
  /** Returns false if the key should keep its default behavior. */
  const handleKey = (key: string): unknown => {
    const hasSuggestions = suggestions.length > 0
    switch (key) {
      case 'ArrowDown':
        return hasSuggestions ? step(1) : onArrowDown()
      case 'ArrowUp':
        return hasSuggestions && step(-1)
      case 'Enter':
        return suggestions[index] ? accept(suggestions[index]) : box.submit()
      case 'Tab':
        return hasSuggestions && accept(suggestions[Math.max(index, 0)]!)
      case 'Escape':
        return hasSuggestions ? box.changeText(text) : returnToOrigin(field.current)
      default:
        return false
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event) || event.shiftKey || event.altKey || event.metaKey || event.ctrlKey)
      return
    if (handleKey(event.key) === false) return
    event.preventDefault()
    event.stopPropagation()
  }
  return { index: suggestions.length ? index : -1, setIndex, accept, onKeyDown }
}
