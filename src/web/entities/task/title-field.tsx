import {
  type ClipboardEventHandler,
  type DragEventHandler,
  type FocusEventHandler,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { isComposing } from '../../kit/composing.ts'
import { Icon } from '../../kit/icon.tsx'
import { t } from '../../messages/t.ts'
import './title-field.css'
import { completeMark, openMarkIn } from './title-marks.ts'
import { type Completion, useCompletions } from './use-completions.tsx'

interface Props {
  ref?: RefObject<HTMLInputElement | null>
  label: string
  placeholder: string
  className?: string
  autoFocus?: boolean
  isBusy?: boolean
  value: string
  /** The board whose labels and people can be named. */
  project_id: number | undefined
  /** What stands between the field and the list, in the order of the page. */
  children?: ReactNode
  onChange(value: string): void
  onKeyDown?(event: KeyboardEvent<HTMLInputElement>): void
  onBlur?: FocusEventHandler<HTMLInputElement>
  onPaste?: ClipboardEventHandler<HTMLInputElement>
  onDrop?: DragEventHandler<HTMLInputElement>
}

/** The field for the title of a new task. After # and @ it suggests labels and people. */
export function TitleField({ project_id, label, children, onKeyDown, ...props }: Props) {
  const { value, onChange, ref, isBusy, ...inputProps } = props
  const own = useRef<HTMLInputElement>(null)
  const input = ref ?? own
  const { completions, active, setActive, take, onKey, setCursor } = useMarks({
    ...{ value, onChange, project_id, input },
  })
  const listId = useId()
  const isOpen = completions.length > 0
  return (
    <>
      <input
        {...inputProps}
        ref={input}
        dir="auto"
        aria-label={label}
        aria-busy={isBusy}
        maxLength={500}
        enterKeyHint="done"
        autoComplete="off"
        aria-autocomplete="list"
        {...(isOpen && {
          'aria-controls': listId,
          'aria-activedescendant': `${listId}-${active}`,
        })}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        onSelect={({ currentTarget }) => setCursor(currentTarget.selectionStart ?? 0)}
        onKeyDown={(event) => {
          if (!isComposing(event) && !onKey(event)) onKeyDown?.(event)
        }}
      />
      {children}
      {isOpen && (
        <Completions {...{ listId, completions, active, onActivate: setActive, onTake: take }} />
      )}
    </>
  )
}

interface ListProps {
  listId: string
  completions: readonly Completion[]
  active: number
  onActivate(index: number): void
  onTake(completion: Completion): void
}

const Completions = ({ listId, completions, active, onActivate, onTake }: ListProps) => (
  <div id={listId} className="completions" role="listbox" aria-label={t('task.suggestions')}>
    {completions.map((completion, index) => (
      // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
      // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the field choose it
      <div
        key={completion.name}
        id={`${listId}-${index}`}
        className="item"
        role="option"
        aria-selected={index === active}
        {...(index === active && { 'data-highlighted': '' })}
        // The field would lose the focus, and close.
        onPointerDown={(event) => event.preventDefault()}
        onPointerMove={() => onActivate(index)}
        onClick={() => onTake(completion)}
      >
        {completion.isNew ? <Icon name="plus" /> : completion.mark}
        <span className="name" dir="auto">
          {completion.isNew
            ? t('task.create_label_name', { name: completion.name })
            : completion.name}
        </span>
      </div>
    ))}
  </div>
)

const LIST_KEYS = new Set(['ArrowDown', 'ArrowUp', 'Enter', 'Tab', 'Escape'])

interface MarkProps extends Pick<Props, 'value' | 'onChange' | 'project_id'> {
  input: RefObject<HTMLInputElement | null>
}

/** The list of labels or people for the mark before the cursor. */
function useMarks({ value, onChange, project_id, input }: MarkProps) {
  const [cursor, setCursor] = useState(0)
  const [active, setActive] = useState(0)
  const [closedAt, setClosedAt] = useState<number>()
  const nextCursor = useRef<number>(undefined)
  const mark = openMarkIn(value, cursor)
  const completions = useCompletions(project_id, mark?.from === closedAt ? undefined : mark)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new value moves the cursor
  useLayoutEffect(() => {
    const { current: element } = input
    const next = nextCursor.current
    nextCursor.current = undefined
    if (next !== undefined) element?.setSelectionRange(next, next)
    setCursor(element?.selectionStart ?? 0)
  }, [value, input])
  const take = (completion: Completion | undefined) => {
    if (!completion || !mark) return
    completion.onTake?.()
    const { text, cursor: after } = completeMark(value, mark, completion.name)
    nextCursor.current = after
    setCursor(after)
    setActive(0)
    onChange(text)
  }
  const last = completions.length - 1
  const current = Math.min(active, Math.max(last, 0))
  /** Returns true if the key was for the list. */
  const onKey = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, shiftKey } = event
    if (last < 0 || !LIST_KEYS.has(key) || ctrlKey || metaKey || shiftKey) return false
    event.preventDefault()
    event.stopPropagation()
    if (key === 'Escape') setClosedAt(mark?.from)
    else if (key === 'ArrowDown') setActive(current === last ? 0 : current + 1)
    else if (key === 'ArrowUp') setActive(current === 0 ? last : current - 1)
    else take(completions[current])
    return true
  }
  return { completions, active: current, setActive, take, onKey, setCursor }
}
