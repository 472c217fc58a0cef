import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx'
import { TextField } from '../../kit/field.tsx'
import { Icon } from '../../kit/icon.tsx'
import { useInlineEdit } from '../../kit/inline-edit.tsx'
import { t } from '../../messages/t.ts'

interface SectionProps {
  title: ReactNode
  /** A one-sentence explanation. */
  about?: ReactNode
  children?: ReactNode
}

interface PageProps extends SectionProps {
  tabs?: ReactNode
  className?: string
}

/** A page of the settings: a title and sections. */
export const SettingsPage = ({ title, about, tabs, className = '', children }: PageProps) => (
  <div className={`settings-page ${className}`}>
    <header>
      <h1 dir="auto">{title}</h1>
      {about && <p className="soft">{about}</p>}
      {tabs}
    </header>
    {children}
  </div>
)

interface SettingsSectionProps extends SectionProps {
  /** Why the user cannot change these settings. */
  readOnly?: string | false
}

/** A titled section of a page. It can have the focus when its focused control is removed. */
export function SettingsSection({ title, about, readOnly, children }: SettingsSectionProps) {
  const id = useId()
  return (
    <section className="settings-section" aria-labelledby={id} tabIndex={-1}>
      <h2 id={id}>{title}</h2>
      {about && <p className="soft">{about}</p>}
      {readOnly && (
        <p className="reason">
          <Icon name="blocked" />
          <span>{readOnly}</span>
        </p>
      )}
      {children}
    </section>
  )
}

interface RowProps {
  label: string
  hint?: ReactNode
  children: ReactNode
}

/** A setting: its label and hint, and its control, which has a label of its own. */
export const SettingRow = ({ label, hint, children }: RowProps) => (
  <div className="row">
    <div>
      <span className="label">{label}</span>
      {hint && <p className="soft">{hint}</p>}
    </div>
    <div className="control">{children}</div>
  </div>
)

interface TextRowProps extends Pick<ComponentProps<'input'>, 'autoComplete' | 'placeholder'> {
  label: string
  hint: string
  value: string
  maxLength: number
  /** Saves the text. A refused text stays in the field with the error. */
  onSave(value: string): Promise<unknown>
}

/** A text setting that is edited in place. */
export function TextRow({ value, onSave, ...input }: TextRowProps) {
  const { type, error, field } = useInlineEdit(value, onSave)
  return <TextField {...input} {...field} error={error} className="row" onChange={type} />
}

interface DangerDialogProps {
  /** The label of the button and of the confirm button. */
  name: string
  /** The name of the item, for screen readers. */
  of: string
  /** Shows the item's name on the button too. */
  showsItemName?: true
  /** What will be lost. */
  children: ReactNode
  run(): void
}

/** A button for an action that cannot be undone, with a confirmation. */
export function DangerDialog({ name, of, showsItemName, children, run }: DangerDialogProps) {
  const [isConfirming, setConfirming] = useState(false)
  const close = () => setConfirming(false)
  return (
    <>
      <button type="button" className="button plain" onClick={() => setConfirming(true)}>
        {showsItemName ? t('settings.action_item', { action: name, item: of }) : name}
        {!showsItemName && <span className="unseen"> {of}</span>}
      </button>
      {isConfirming && (
        <ConfirmDialog
          {...{ children, onClose: close }}
          title={t('settings.action_item_question', { action: name, item: of })}
          submitLabel={name}
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
  isExpired?: boolean
  children?: ReactNode
}

/** An item of a list with its actions. */
export const ListLine = ({ name, meta, isExpired, children }: LineProps) => (
  <li className={isExpired ? 'list-line expired' : 'list-line'}>
    <div>
      <p className="name">{name}</p>
      <p className="line-meta soft">
        {meta.filter(Boolean).map((one, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts are never reordered
          <span key={index}>{one}</span>
        ))}
      </p>
    </div>
    {children}
  </li>
)
