import { type ReactNode, useId, useState } from 'react'
import { Icon } from '../../../kit/icon.tsx'

interface SettingsSectionProps {
  title: string
  /** A one-sentence explanation. */
  about?: ReactNode
  children: ReactNode
}

export function SettingsSection({ title, about, children }: SettingsSectionProps) {
  const id = useId()
  return (
    <section className="board-part" aria-labelledby={id} tabIndex={-1}>
      <h2 id={id}>{title}</h2>
      {about && <p className="about">{about}</p>}
      {children}
    </section>
  )
}

/** Explains why something is read-only. */
export const ReadOnlyNote = ({ children }: { children: ReactNode }) => (
  <p className="reason">
    <Icon name="blocked" />
    <span>{children}</span>
  </p>
)

export const MEMBERS_ONLY =
  'You are a guest here: you can see these settings, but only members of the team can change them.'
export const MANAGERS_ONLY =
  'Only owners and admins of the team and the person who created the board can change this.'

interface AddFormProps {
  label: string
  placeholder: string
  verb: string
  maxLength: number
  onAdd(text: string): Promise<boolean>
  children?: ReactNode
}

/**
 * A form that adds an item. The field clears at once and gets the text back if the server refuses
 * it.
 */
export function AddForm({ label, placeholder, verb, maxLength, onAdd, children }: AddFormProps) {
  const [text, setText] = useState('')
  return (
    <form
      className="add"
      onSubmit={(event) => {
        event.preventDefault()
        const name = text.trim()
        if (!name) return
        setText('')
        void onAdd(name).then((isAdded) => {
          if (!isAdded) setText((now) => now || name)
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

interface SelectProps<V extends string> {
  label: string
  value: V
  /** Values with their names. */
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
