import { type KeyboardEvent, type RefObject, useId, useState } from 'react'
import { flushSync } from 'react-dom'
import { t } from '../../messages/t.ts'
import { type Choice, prefixAt, useChoices } from './complete.ts'

interface CompletionOptions {
  area: RefObject<HTMLTextAreaElement | null>
  text: string
  write(text: string): void
  project_id: number | undefined
}

/** Completes the text before the caret. */
export function useCompletion({ area, text, write, project_id }: CompletionOptions) {
  const id = useId()
  const [caret, setCaret] = useState<number>()
  const [selected, setSelected] = useState(0)
  const prefix = caret === undefined ? undefined : prefixAt(text, caret)
  const result = useChoices(prefix, project_id)
  const choices = result ?? []
  const index = Math.min(selected, choices.length - 1)
  const updateCaret = () => {
    const { selectionStart, selectionEnd } = area.current!
    const next = selectionStart === selectionEnd ? selectionStart : undefined
    if (next !== caret) setSelected(0)
    setCaret(next)
  }
  const accept = ({ replacement }: Choice) => {
    const next = text.slice(0, prefix!.from) + replacement + text.slice(caret)
    const caretAt = prefix!.from + replacement.length
    flushSync(() => {
      write(next)
      setCaret(undefined)
    })
    area.current?.focus()
    area.current?.setSelectionRange(caretAt, caretAt)
  }
  /** Returns true if the key was handled by the list. */
  const onKey = (event: KeyboardEvent): boolean => {
    if (!choices.length) return false
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) setSelected((index + step + choices.length) % choices.length)
    else if (/^(Enter|Tab)$/.test(event.key) && !event.shiftKey) accept(choices[index]!)
    else if (event.key === 'Escape') setCaret(undefined)
    else return false
    event.preventDefault()
    return true
  }
  const close = () => setCaret(undefined)
  const isNone = prefix?.kind === 'skill' && result?.length === 0
  const active = choices[index] && `${id} ${choices[index].id}`.replace(/\s/g, '-')
  return { id, choices, isNone, active, onKey, updateCaret, accept, close }
}

interface Props {
  id: string
  choices: readonly Choice[]
  /** No skill matches. */
  isNone: boolean
  active: string | undefined
  accept(choice: Choice): void
}

export function Suggestions({ id, choices, isNone, active, accept }: Props) {
  return (
    <>
      <p className="unseen" role="status">
        {choices.length ? t('chat.count_suggestions', { count: choices.length }) : ''}
      </p>
      {isNone && (
        <p className="popup choices no-match" role="status">
          {t('chat.no_matching_skills_create_them_in_your')}
        </p>
      )}
      {choices.length > 0 && (
        <div className="popup choices" role="listbox" id={id} aria-label={t('chat.suggestions')}>
          {choices.map((choice) => {
            const name = `${id} ${choice.id}`.replace(/\s/g, '-')
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the box
              // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the box
              <div
                key={choice.id}
                id={name}
                role="option"
                className="item"
                aria-selected={name === active}
                data-highlighted={name === active ? '' : undefined}
                // Keeps the focus in the message box.
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => accept(choice)}
              >
                <span className="name">{choice.name}</span>
                <span className="end soft">{choice.end}</span>
              </div>
            )
          })}
        </div>
      )}
    </>
  )
}
