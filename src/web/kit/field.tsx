import { type ComponentProps, type ReactNode, useEffect, useId } from 'react'
import { useFormState } from './form.tsx'

interface FieldProps {
  label: ReactNode
  hint?: ReactNode
  /** The name of the field in the API. An error that names it is shown below the field. */
  name?: string
  /** What is wrong with the value while it is typed. */
  error?: string
  className?: string
  children(control: ControlProps): ReactNode
}

type ControlProps = Pick<
  ComponentProps<'input'>,
  'id' | 'className' | 'aria-describedby' | 'aria-invalid'
>

/** A labelled control with its hint and its error. */
export function Field({ label, hint, name, error: ownError, className, children }: FieldProps) {
  const id = useId()
  const error = useFieldError(name) || ownError
  const hintId = hint ? `${id}-hint` : undefined
  const errorId = error ? `${id}-error` : undefined
  return (
    <div className={className ? `labelled ${className}` : 'labelled'}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        className: 'field',
        'aria-describedby': [hintId, errorId].filter(Boolean).join(' ') || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {hint && (
        <p className="soft" id={hintId}>
          {hint}
        </p>
      )}
      {error && (
        <p className="form-error" id={errorId} role="alert">
          {error}
        </p>
      )}
    </div>
  )
}

function useFieldError(name: string | undefined): string {
  const { names, error, errorField } = useFormState()
  useEffect(() => {
    if (!name) return
    names.add(name)
    return () => void names.delete(name)
  }, [name, names])
  return name !== undefined && errorField === name ? error : ''
}

type Shared = Omit<FieldProps, 'children'>

/** The props of an input or a text area, except that `onChange` receives the text. */
type TextProps<Tag extends 'input' | 'textarea'> = Shared &
  Omit<ComponentProps<Tag>, keyof Shared | 'onChange'> & { onChange(text: string): void }

export const TextField = (props: TextProps<'input'>) => {
  const { label, hint, name, error, className, onChange, ...input } = props
  return (
    <Field {...{ label, hint, name, error, className }}>
      {(control) => (
        <input {...input} {...control} onChange={({ target }) => onChange(target.value)} />
      )}
    </Field>
  )
}

export const TextAreaField = (props: TextProps<'textarea'>) => {
  const { label, hint, name, error, className, onChange, ...area } = props
  return (
    <Field {...{ label, hint, name, error, className }}>
      {(control) => (
        <textarea {...area} {...control} onChange={({ target }) => onChange(target.value)} />
      )}
    </Field>
  )
}

type Value = string | number | null | undefined

interface SelectFieldProps<V extends Value> extends Shared {
  value: V
  /** Values with their names. */
  choices: readonly (readonly [V, string])[]
  disabled?: boolean
  required?: boolean
  onPick(value: NoInfer<V>): void
}

export const SelectField = <V extends Value>(props: SelectFieldProps<V>) => {
  const { label, hint, name, error, className, value, choices, onPick, ...select } = props
  return (
    <Field {...{ label, hint, name, error, className }}>
      {(control) => (
        <select
          {...{ ...select, ...control, value: value ?? '' }}
          onChange={({ target }) => onPick(choices[target.selectedIndex]![0])}
        >
          {choices.map(([choice, text]) => (
            <option key={String(choice)} value={choice ?? ''}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

interface CheckProps extends Pick<ComponentProps<'input'>, 'name' | 'disabled'> {
  checked: boolean
  children: ReactNode
  onChange(checked: boolean): void
}

interface SwitchProps extends Pick<ComponentProps<'input'>, 'disabled'> {
  checked: boolean
  children: ReactNode
  onChange(checked: boolean): void
}

/** A setting that takes effect at once, with its label. */
export const Switch = ({ checked, children, onChange, disabled }: SwitchProps) => (
  <label className="check">
    <input
      type="checkbox"
      role="switch"
      aria-checked={checked}
      {...{ checked, disabled }}
      onChange={({ target }) => onChange(target.checked)}
    />
    {children}
  </label>
)

/** A checkbox with its label; with the name of a group, a radio button. */
export const Check = ({ children, onChange, ...input }: CheckProps) => (
  <label className="check">
    <input
      {...input}
      type={input.name ? 'radio' : 'checkbox'}
      onChange={({ target }) => onChange(target.checked)}
    />
    {children}
  </label>
)
