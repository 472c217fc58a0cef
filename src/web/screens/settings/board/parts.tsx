import { type ReactNode, useState } from 'react'
import { Form, FormFooter, SubmitButton } from '../../../kit/form.tsx'
import { Icon } from '../../../kit/icon.tsx'
import { t } from '../../../messages/t.ts'

export const MEMBERS_ONLY = t('settings.you_are_a_guest_here_you_can')
export const MANAGERS_ONLY = t('settings.only_owners_and_admins_of_the_team')

interface AddFormProps {
  label: string
  placeholder: string
  submitLabel: string
  maxLength: number
  onAdd(text: string): Promise<boolean>
  children?: ReactNode
}

/**
 * A form that adds an item. The field clears at once and gets the text back if the server refuses
 * it.
 */
export function AddForm({
  label,
  placeholder,
  submitLabel,
  maxLength,
  onAdd,
  children,
}: AddFormProps) {
  const [text, setText] = useState('')
  const name = text.trim()
  const add = () => {
    setText('')
    void onAdd(name).then((isAdded) => {
      if (!isAdded) setText((previous) => previous || name)
    })
  }
  return (
    <Form className="add" onSubmit={add}>
      <input
        className="field"
        aria-label={label}
        {...{ placeholder, maxLength }}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {children}
      <SubmitButton variant="plain" disabled={!name}>
        <Icon name="plus" />
        {submitLabel}
      </SubmitButton>
    </Form>
  )
}

interface GuidanceFormProps {
  submitLabel: string
  isChanged: boolean
  /** What saving does if somebody else has changed the text. */
  warning: string | false
  /** Shown while nothing is changed. */
  savedNote?: string
  action?: ReactNode
  children: ReactNode
  onDiscard(): void
  onSave(): Promise<unknown>
}

/** A form for long texts. Its footer stays visible. */
export function GuidanceForm({
  submitLabel,
  isChanged,
  children,
  onSave,
  ...props
}: GuidanceFormProps) {
  const { warning, savedNote, action, onDiscard } = props
  const unsavedNote = isChanged && t('settings.not_saved_yet_your_draft_is_stored')
  const discardButton = (
    <button type="button" className="button quiet" onClick={onDiscard}>
      {t('settings.discard_changes')}
    </button>
  )
  const start = (
    <>
      <span role="status">{warning || unsavedNote || savedNote}</span>
      {isChanged ? discardButton : action}
    </>
  )
  return (
    <Form className="form guidance" onSubmit={onSave}>
      {children}
      <FormFooter start={start} disabled={!isChanged}>
        {submitLabel}
      </FormFooter>
    </Form>
  )
}
