import { createContext, type KeyboardEvent, type ReactNode, use, useRef } from 'react'
import { t } from '../messages/t.ts'
import { isComposing } from './composing.ts'
import { useAction } from './use-action.ts'

interface FormState {
  busy: boolean
  error: string
  /** The field that the server refused. */
  errorField: unknown
  /** The fields that show their own error. */
  names: Set<string>
}

const FormContext = createContext<FormState>({
  busy: false,
  error: '',
  errorField: undefined,
  names: new Set(),
})

export const useFormState = () => use(FormContext)

interface FormProps {
  label?: string
  className?: string
  children: ReactNode
  /**
   * A promise keeps the form busy until it settles. What it throws, or what this function throws,
   * is shown at the field that the error names, or else in `FormError`.
   */
  onSubmit(): unknown
}

/** A form: submits once at a time, and holds the error of the last submit. */
export function Form({ label, className = 'form', children, onSubmit }: FormProps) {
  const { run, ...action } = useAction()
  const { current: names } = useRef(new Set<string>())
  return (
    <FormContext value={{ ...action, names }}>
      <form
        {...{ className, 'aria-label': label, 'aria-busy': action.busy }}
        onKeyDown={submitOnCtrlEnter}
        onSubmit={(event) => {
          event.preventDefault()
          // A form in a dialog must not submit the form that opened the dialog.
          event.stopPropagation()
          if (!action.busy) void run(onSubmit)
        }}
      >
        {children}
      </form>
    </FormContext>
  )
}

/** Ctrl+Enter also works in text of several lines. A disabled button submits nothing. */
function submitOnCtrlEnter(event: KeyboardEvent<HTMLFormElement>) {
  const { key, ctrlKey, metaKey, currentTarget: form, target, defaultPrevented } = event
  if (key !== 'Enter' || !(ctrlKey || metaKey) || defaultPrevented || isComposing(event)) return
  // React also reports the keys of popups, which are elsewhere in the document.
  if (!form.contains(target as Node)) return
  event.preventDefault()
  form.querySelector<HTMLElement>('[type="submit"]')?.click()
}

/** Why the last submit failed, unless a field shows it. */
export function FormError() {
  const { error, errorField, names } = useFormState()
  return (
    <p className="form-error" role="alert">
      {names.has(String(errorField)) ? '' : error}
    </p>
  )
}

const VARIANT_CLASSES = { main: 'main', plain: 'plain', danger: 'danger' } as const

interface SubmitProps {
  /** `plain` for a form of minor importance, `danger` for an action that cannot be undone. */
  variant?: keyof typeof VARIANT_CLASSES
  disabled?: boolean
  children: ReactNode
}

/** The submit button, disabled while the form is busy. */
export const SubmitButton = ({ variant = 'main', disabled, children }: SubmitProps) => (
  <button
    type="submit"
    className={`button ${VARIANT_CLASSES[variant]}`}
    disabled={useFormState().busy || disabled}
  >
    {children}
  </button>
)

export interface FooterProps extends SubmitProps {
  /** Shown at the start of the line of buttons. */
  start?: ReactNode
  onCancel?(): void
}

/** The end of a form: its error, a button that cancels, and the submit button. */
export const FormFooter = ({ start, onCancel, ...submit }: FooterProps) => (
  <footer>
    <FormError />
    {start && <div className="footer-start">{start}</div>}
    {onCancel && (
      <button type="button" className="button plain" onClick={onCancel}>
        {t('common.cancel')}
      </button>
    )}
    <SubmitButton {...submit} />
  </footer>
)
