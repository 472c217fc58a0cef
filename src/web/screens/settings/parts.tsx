import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx'
import { errorText } from '../../kit/errors.ts'
import { showErrorToast } from '../../kit/toasts.tsx'

interface SectionProps {
  title: string
  /** A one-sentence explanation. */
  about?: ReactNode
  children?: ReactNode
}

/** A page of the settings: a title and groups. */
export const SettingsPage = ({ title, about, children }: SectionProps) => (
  <div className="part">
    <header>
      <h1>{title}</h1>
      {about && <p className="soft">{about}</p>}
    </header>
    {children}
  </div>
)

/** A titled group of settings. */
export function SettingsGroup({ title, about, children }: SectionProps) {
  const id = useId()
  return (
    <section className="group" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {about && <p className="soft">{about}</p>}
      {children}
    </section>
  )
}

interface RowProps {
  label: string
  hint?: ReactNode
  /** The id of the control, for the label; omitted if the control has its own label. */
  id?: string
  children: ReactNode
}

/** A setting: its label and hint, and its control. */
export const SettingRow = ({ label, hint, id, children }: RowProps) => (
  <div className="row">
    <div className="what">
      {id ? <label htmlFor={id}>{label}</label> : <span className="label">{label}</span>}
      {hint && (
        <p className="soft" id={id && `${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
    <div className="control">{children}</div>
  </div>
)

interface TextProps extends Omit<RowProps, 'id' | 'children'> {
  value: string
  most: number
  placeholder?: string
  autoComplete?: string
  /** Saves the text. A refused text stays in the field with the error. */
  onSave(value: string): Promise<unknown>
}

/** A text setting, saved on Enter and on blur; Escape cancels. */
export function TextRow({ label, hint, value, most, onSave, ...input }: TextProps) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const { draft, type, save, error } = useTextSetting(value, onSave, field)
  return (
    <SettingRow label={label} hint={hint} id={id}>
      <input
        {...input}
        ref={field}
        id={id}
        className="field"
        maxLength={most}
        value={draft ?? value}
        aria-describedby={[hint && `${id}-hint`, error && `${id}-wrong`].filter(Boolean).join(' ')}
        aria-invalid={error ? true : undefined}
        onChange={({ target }) => type(target.value)}
        onBlur={save}
        onKeyDown={({ key }) => {
          if (key === 'Enter') save()
          if (key === 'Escape') type(undefined)
        }}
      />
      {error && (
        <p className="wrong" id={`${id}-wrong`} role="alert">
          {error}
        </p>
      )}
    </SettingRow>
  )
}

function useTextSetting(
  value: string,
  onSave: TextProps['onSave'],
  field: { current: HTMLInputElement | null },
) {
  const [draft, setDraft] = useState<string>()
  const [error, setError] = useState('')
  const lastSent = useRef<string>(undefined)
  const type = (text: string | undefined) => {
    setDraft(text)
    setError('')
    lastSent.current = undefined
  }
  const save = async () => {
    const text = draft?.trim()
    if (text === undefined || text === lastSent.current) return
    if (text === value) return type(undefined)
    lastSent.current = text
    try {
      await onSave(text)
      setDraft((now) => (now?.trim() === text ? undefined : now))
    } catch (failure) {
      if (field.current) setError(errorText(failure))
      else showErrorToast(errorText(failure))
    }
  }
  useSaveOnLeave(save)
  return { draft, type, save: () => void save(), error }
}

/** Saves when the component unmounts or the page closes, because neither fires a blur event. */
function useSaveOnLeave(save: () => Promise<void>) {
  const latest = useRef(save)
  latest.current = save
  useEffect(() => {
    const leave = () => void latest.current()
    addEventListener('pagehide', leave)
    return () => {
      removeEventListener('pagehide', leave)
      leave()
    }
  }, [])
}

interface DangerDialogProps {
  /** The label of the button and of the confirm button. */
  name: string
  /** The name of the item, for screen readers. */
  of: string
  /** Shows the item's name on the button too. */
  isWhole?: true
  /** What will be lost. */
  children: ReactNode
  run(): void
}

/** A button for an action that cannot be undone, with a confirmation. */
export function DangerDialog({ name, of, isWhole, children, run }: DangerDialogProps) {
  const [isConfirming, setConfirming] = useState(false)
  const close = () => setConfirming(false)
  return (
    <>
      <button type="button" className="button plain" onClick={() => setConfirming(true)}>
        {isWhole ? `${name} ${of}` : name}
        {!isWhole && <span className="unseen"> {of}</span>}
      </button>
      {isConfirming && (
        <ConfirmDialog
          {...{ children, onClose: close }}
          title={`${name} ${of}?`}
          verb={name}
          onConfirm={() => {
            close()
            run()
          }}
        />
      )}
    </>
  )
}

interface LineProps {
  name: ReactNode
  /** Details, separated by dots. */
  meta: readonly ReactNode[]
  /** Whether the item has expired. */
  isOver?: boolean
  children?: ReactNode
}

/** An item of a list with its actions. */
export const ListLine = ({ name, meta, isOver, children }: LineProps) => (
  <li className={isOver ? 'held over' : 'held'}>
    <div>
      <p className="name">{name}</p>
      <p className="known soft">
        {meta.filter(Boolean).map((one, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: words in an order of their own
          <span key={index}>{one}</span>
        ))}
      </p>
    </div>
    {children}
  </li>
)
