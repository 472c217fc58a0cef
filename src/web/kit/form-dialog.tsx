import { Dialog } from './dialog.tsx'
import type { DialogProps } from './dialog-popup.tsx'
import { type FooterProps, Form, FormFooter } from './form.tsx'

export interface FormDialogProps
  extends Pick<DialogProps, 'title' | 'field' | 'onClose' | 'children'>,
    Pick<FooterProps, 'variant' | 'disabled' | 'start'> {
  /** The label of the submit button. */
  submitLabel: string
  className?: string
  /**
   * A promise keeps the dialog open until it is done, or shows its error. Without a promise, the
   * caller closes the dialog.
   */
  onSubmit(): unknown
}

/** A dialog that is a form. */
export function FormDialog({ title, field, onClose, onSubmit, ...form }: FormDialogProps) {
  const { submitLabel, className, children, ...footer } = form
  const submit = () => {
    const result = onSubmit()
    return result instanceof Promise ? result.then(onClose) : result
  }
  return (
    <Dialog open {...{ title, field, onClose }}>
      <Form
        className={className ? `form in-dialog ${className}` : 'form in-dialog'}
        onSubmit={submit}
      >
        {children}
        <FormFooter {...footer} onCancel={onClose}>
          {submitLabel}
        </FormFooter>
      </Form>
    </Dialog>
  )
}
