import { FormDialog, type FormDialogProps } from './form-dialog.tsx'

interface Props extends Omit<FormDialogProps, 'onSubmit'> {
  /** Runs the action, as `onSubmit` of a form dialog. */
  onConfirm(): unknown
}

/** Asks before an action, by default one that cannot be undone. Its children describe what is lost. */
export const ConfirmDialog = ({ onConfirm, ...dialog }: Props) => (
  <FormDialog variant="danger" {...dialog} onSubmit={onConfirm} />
)
