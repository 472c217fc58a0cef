import { type ReactNode, useId, useState } from 'react'
import { wordsOf } from '../../data/client.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Icon } from '../../parts/icon.tsx'

interface PartProps {
  title: string
  /** What it is about, in a sentence. */
  about?: ReactNode
  children: ReactNode
}

export function Part({ title, about, children }: PartProps) {
  const id = useId()
  return (
    <section className="board-part" aria-labelledby={id} tabIndex={-1}>
      <h2 id={id}>{title}</h2>
      {about && <p className="about">{about}</p>}
      {children}
    </section>
  )
}

/** Why something is only looked at. */
export const Reason = ({ children }: { children: ReactNode }) => (
  <p className="reason">
    <Icon name="blocked" />
    <span>{children}</span>
  </p>
)

export const FOR_MEMBERS =
  'You are a guest here: you see how the board is set up, and members of the team change it.'
export const FOR_MANAGERS =
  'Owners and admins of the team decide this, and whoever opened the board.'

interface AddProps {
  label: string
  placeholder: string
  verb: string
  maxLength: number
  onAdd(text: string): Promise<boolean>
  children?: ReactNode
}

/** A field and a button that make one more; it is empty again at once, and has the text if refused. */
export function Add({ label, placeholder, verb, maxLength, onAdd, children }: AddProps) {
  const [text, setText] = useState('')
  return (
    <form
      className="add"
      onSubmit={(event) => {
        event.preventDefault()
        const name = text.trim()
        if (!name) return
        setText('')
        void onAdd(name).then((isMade) => {
          if (!isMade) setText((now) => now || name)
        })
      }}
    >
      <input
        className="field"
        aria-label={label}
        {...{ placeholder, maxLength }}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {children}
      <button type="submit" className="button plain" disabled={!text.trim()}>
        <Icon name="plus" />
        {verb}
      </button>
    </form>
  )
}

interface SureProps {
  title: string
  verb: string
  /** What is lost. */
  children: ReactNode
  /** Refused, its words stand in the dialog. */
  onDo(): Promise<unknown>
  onClose(): void
}

/** Asks before something that cannot be undone. */
export function Sure({ title, verb, children, onDo, onClose }: SureProps) {
  const [words, setWords] = useState('')
  const [busy, setBusy] = useState(false)
  const go = () => {
    setBusy(true)
    setWords('')
    onDo()
      .then(onClose, (error) => setWords(wordsOf(error)))
      .finally(() => setBusy(false))
  }
  return (
    <Dialog open {...{ title, onClose }}>
      <form
        className="sure"
        onSubmit={(event) => {
          event.preventDefault()
          go()
        }}
      >
        {children}
        <p role="alert">{words}</p>
        <footer>
          <button type="button" className="button plain" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button grave" disabled={busy}>
            {verb}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

interface SelectProps<V extends string> {
  label: string
  value: V
  /** What is chosen, and how it is called. */
  choices: readonly (readonly [V, string])[]
  onPick(value: V): void
  disabled?: boolean
}

export const Select = <V extends string>(props: SelectProps<V>) => {
  const { label, value, choices, onPick, disabled } = props
  return (
    <label>
      <span>{label}</span>
      <select
        className="field"
        {...{ value, disabled }}
        onChange={({ target }) => onPick(target.value as V)}
      >
        {choices.map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
